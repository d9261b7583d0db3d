// SPDX-License-Identifier: Apache-2.0
#include "module/runs/seat.hpp"

#include "module/core/error.hpp"

namespace poolwise {

void GuestSeat::watch() {
    const auto trouble = guests_.trouble(guest_.name);
    if (!trouble) return;
    throw Error{trouble->out_of_space ? ErrorCode::no_space : ErrorCode::guest_failed,
                "guest '" + guest_.name + "': it " + trouble->what};
}

}  // namespace poolwise
