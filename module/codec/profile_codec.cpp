// SPDX-License-Identifier: Apache-2.0
#include "module/codec/profile_codec.hpp"

#include "module/codec/reader.hpp"
#include "module/codec/records.hpp"
#include "module/codec/writer.hpp"

namespace poolwise {

Profile parse_profile(std::string_view json, std::string_view where) {
    return read_record<Profile>(json, {where, ErrorCode::invalid_request});
}

std::string write_profile(const Profile& profile) {
    return readable_text(to_document(profile));
}

Document to_document(const Profile& profile) {
    return Writer::record(profile);
}

}  // namespace poolwise
