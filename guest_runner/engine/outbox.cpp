// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/engine/outbox.hpp"

#include <cerrno>

#include <unistd.h>

namespace poolwise::guest_runner {

void Outbox::add(const Reply& reply) {
    const bool progress = std::holds_alternative<Progress>(reply);
    if (size() > (progress ? kRoom : kFull)) return;
    if (number_ == 0) bytes_ = "\n";  // ends whatever the kernel's console left on the line
    bytes_ += encode(++number_, reply);
}

bool Outbox::flush(int fd) {
    while (!empty()) {
        const ssize_t put = ::write(fd, bytes_.data() + written_, size());
        if (put > 0) {
            written_ += static_cast<std::size_t>(put);
        } else if (put == 0 || errno == EAGAIN) {
            break;
        } else if (errno != EINTR) {
            return false;
        }
    }
    if (empty() || written_ > kFull) {
        bytes_.erase(0, written_);
        written_ = 0;
    }
    return true;
}

}  // namespace poolwise::guest_runner
