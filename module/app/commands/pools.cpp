// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "api/list_documents.hpp"
#include "module/app/commands/commands.hpp"
#include "module/app/composition.hpp"
#include "module/app/terminal.hpp"
#include "module/report/pools_table.hpp"

namespace poolwise {

int list_pools(const CommonOptions& common) {
    Composition composition{common.uri, common.state_folder, find_installation()};
    const std::vector<PoolInfo> pools = composition.ports().storage.pools();
    if (common.output == OutputFormat::json) {
        std::cout << readable_text(api::pools_document(pools));
    } else {
        std::cout << render_pools(pools, terminal_style(STDOUT_FILENO));
    }
    return 0;
}

}  // namespace poolwise
