# SPDX-License-Identifier: Apache-2.0
"""The layers: what each folder may include. README prints this table; check_layers compares both."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Layer:
    may_include: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()


# A layer's name is the last part of its folder's path; subfolders belong to it.
LAYERS = {
    "module/core": Layer(),
    "module/ports": Layer(("core",)),
    "module/analysis": Layer(("core",), ("Boost",)),
    "module/codec": Layer(("core",), ("nlohmann_json",)),
    "module/report": Layer(("core", "analysis", "codec"), ("fmt",)),
    "module/runs": Layer(("core", "ports", "analysis")),
    "module/store": Layer(("core", "ports", "codec"), ("SQLite", "system")),
    "module/host": Layer(("core", "ports"), ("system",)),
    "libvirt_glue": Layer(("core", "ports"), ("libvirt", "pugixml", "system")),
    "guest_runner": Layer(("core", "ports"), ("nlohmann_json", "system")),
    "api": Layer(("core", "analysis", "codec", "report", "runs"), ("nlohmann_json",)),
    "module/app": Layer(
        (
            "core", "ports", "analysis", "codec", "report", "runs", "store", "host",
            "libvirt_glue", "guest_runner", "api",
        ),
        ("CLI11", "nlohmann_json", "system"),
    ),
}

# Which library an include in angle brackets belongs to. A name without dot and slash is the C++
# standard library, which everybody may use; everything not listed is "system": POSIX and Linux.
LIBRARY_PREFIXES = {
    "boost/": "Boost",
    "nlohmann/": "nlohmann_json",
    "CLI/": "CLI11",
    "sqlite3": "SQLite",
    "spdlog/": "spdlog",
    "fmt/": "fmt",
    "libvirt/": "libvirt",
    "pugixml": "pugixml",
    "gtest/": "GTest",
    "gmock/": "GTest",
    "benchmark/": "benchmark",
}
