// SPDX-License-Identifier: Apache-2.0
#include "module/app/cli.hpp"

int main(int argc, char** argv) {
    return poolwise::run_cli(argc, argv);
}
