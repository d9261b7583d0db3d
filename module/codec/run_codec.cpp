// SPDX-License-Identifier: Apache-2.0
#include "module/codec/run_codec.hpp"

#include "module/codec/reader.hpp"
#include "module/codec/records.hpp"
#include "module/codec/writer.hpp"

namespace poolwise {

Document to_document(const Run& run) {
    return Writer::record(run);
}

Document to_document(const RunRequest& request) {
    return Writer::record(request);
}

Document to_document(const Plan& plan) {
    return Writer::record(plan);
}

Document to_document(const Candidate& candidate) {
    return Writer::record(candidate);
}

Document to_document(const NodeFacts& facts) {
    return Writer::record(facts);
}

Document to_document(const PathFacts& facts) {
    return Writer::record(facts);
}

Document to_document(const PoolInfo& pool) {
    return Writer::record(pool);
}

std::string write_run(const Run& run) {
    return compact_text(to_document(run));
}

Run parse_run(std::string_view json, const Origin& origin) {
    return read_record<Run>(json, origin);
}

RunRequest parse_run_request(std::string_view json, const Origin& origin) {
    return read_record<RunRequest>(json, origin);
}

Plan parse_plan(std::string_view json, const Origin& origin) {
    return read_record<Plan>(json, origin);
}

}  // namespace poolwise
