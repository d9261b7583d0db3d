// SPDX-License-Identifier: Apache-2.0
#include "api/list_documents.hpp"

#include <nlohmann/json.hpp>

#include "module/codec/run_codec.hpp"

namespace poolwise::api {
namespace {

template <typename Item>
Document list_of(const char* name, const std::vector<Item>& items) {
    Document list = Document::array();
    for (const Item& item : items) list.push_back(to_document(item));
    return Document{{name, std::move(list)}};
}

}  // namespace

Document pools_document(const std::vector<PoolInfo>& pools) {
    return list_of("pools", pools);
}

Document runs_document(const std::vector<Run>& runs) {
    return list_of("runs", runs);
}

}  // namespace poolwise::api
