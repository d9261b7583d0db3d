// SPDX-License-Identifier: Apache-2.0
#include "module/app/terminal.hpp"

#include <cstdlib>

#include <sys/ioctl.h>

#include <unistd.h>

namespace poolwise {

std::size_t terminal_width(int descriptor) {
    winsize size{};
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 100;
    return size.ws_col;
}

TableStyle terminal_style(int descriptor) {
    const bool color = isatty(descriptor) == 1 && std::getenv("NO_COLOR") == nullptr;
    return {.color = color ? Color::on : Color::off, .width = terminal_width(descriptor)};
}

}  // namespace poolwise
