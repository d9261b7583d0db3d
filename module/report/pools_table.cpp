// SPDX-License-Identifier: Apache-2.0
#include "module/report/pools_table.hpp"

#include "module/core/size_text.hpp"
#include "module/report/text_format.hpp"

namespace poolwise {
namespace {

std::string formats_of(const PoolInfo& pool) {
    std::vector<std::string> names;
    for (const Format format : pool.formats) names.emplace_back(enum_name(kFormatNames, format));
    return names.empty() ? "nothing" : join(names, ", ");
}

}  // namespace

std::string render_pools(const std::vector<PoolInfo>& pools, const TableStyle& style) {
    if (pools.empty()) {
        return hang("",
                    "libvirt knows no storage pool on this node. Give a directory instead: "
                    "'poolwise compare dir:/path'.",
                    style.width) +
               "\n";
    }
    TextTable table{{{.title = "pool"},
                     {.title = "type"},
                     {.title = "state"},
                     {.title = "free", .align = Align::right},
                     {.title = "of", .align = Align::right, .dispensable = 1},
                     {.title = "can be measured"},
                     {.title = "path", .dispensable = 2}}};
    for (const PoolInfo& pool : pools) {
        const Ink ink = pool.formats.empty() ? Ink::dim : Ink::plain;
        table.add_row(
            {printable(pool.name), printable(pool.type), pool.active ? "active" : "inactive",
             pool.active ? format_size(pool.available) : "-",
             pool.active ? format_size(pool.capacity) : "-", formats_of(pool),
             printable(pool.path)},
            ink);
        if (!pool.remark.empty()) table.add_note(printable(pool.remark), Ink::yellow);
    }
    return table.render(style);
}

}  // namespace poolwise
