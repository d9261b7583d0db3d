// SPDX-License-Identifier: Apache-2.0
#include "libvirt_glue/volume_xml.hpp"

#include "libvirt_glue/xml_text.hpp"

namespace poolwise::libvirt_glue {

namespace {

void append_format(pugi::xml_node parent, Format format) {
    parent.append_child("format").append_attribute("type") =
        std::string{enum_name(kFormatNames, format)}.c_str();
}

void append_qcow2_options(pugi::xml_node target, const FormatOptions& options) {
    append_text(target, "compat", "1.1");
    if (options.cluster_size) append_bytes(target, "clusterSize", *options.cluster_size);
    if (options.extended_l2) target.append_child("features").append_child("extended_l2");
}

}  // namespace

bool is_fully_allocated(const VolumeSpec& spec) noexcept {
    return spec.options.preallocation == Preallocation::falloc ||
           spec.options.preallocation == Preallocation::full;
}

void check_volume_spec(const VolumeSpec& spec) {
    Candidate candidate;
    candidate.format = spec.format;
    candidate.options = spec.options;
    check_candidate(candidate);
    if (!spec.backing) return;
    if (spec.format != Format::qcow2 || spec.options.preallocation != Preallocation::none) {
        throw Error{ErrorCode::invalid_request, "volume '" + spec.ref.name + "': an overlay on '" +
                                                    spec.backing->name +
                                                    "' must be qcow2 without preallocation"};
    }
}

std::string volume_xml(const VolumeSpec& spec, const std::optional<VolumeInfo>& backing) {
    pugi::xml_document document;
    auto volume = document.append_child("volume");
    append_text(volume, "name", spec.ref.name);
    append_bytes(volume, "capacity", spec.capacity);
    append_bytes(volume, "allocation", is_fully_allocated(spec) ? spec.capacity : Bytes{0});
    auto target = volume.append_child("target");
    append_format(target, spec.format);
    if (spec.format == Format::qcow2) append_qcow2_options(target, spec.options);
    if (backing) {
        auto store = volume.append_child("backingStore");
        append_text(store, "path", backing->path);
        append_format(store, backing->format);
    }
    return to_text(document);
}

std::optional<VolumeInfo> parse_volume_xml(const std::string& pool, const std::string& xml) {
    pugi::xml_document document;
    const auto node = parse_root(document, xml, "volume");
    const auto target = node.child("target");
    const auto format =
        enum_value(kFormatNames, target.child("format").attribute("type").as_string("raw"));
    if (!format) return std::nullopt;
    return VolumeInfo{.ref = {pool, node.child("name").text().get()},
                      .path = target.child("path").text().get(),
                      .format = *format,
                      .capacity = read_bytes(node.child("capacity")),
                      .allocation = read_bytes(node.child("allocation"))};
}

}  // namespace poolwise::libvirt_glue
