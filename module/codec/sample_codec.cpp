// SPDX-License-Identifier: Apache-2.0
#include "module/codec/sample_codec.hpp"

#include "module/codec/reader.hpp"
#include "module/codec/records.hpp"
#include "module/codec/writer.hpp"

namespace poolwise {

Document to_document(const Sample& sample) {
    return Writer::record(sample);
}

std::string write_sample(const Sample& sample) {
    return compact_text(to_document(sample));
}

Sample parse_sample(std::string_view json, const Origin& origin) {
    return read_record<Sample>(json, origin);
}

}  // namespace poolwise
