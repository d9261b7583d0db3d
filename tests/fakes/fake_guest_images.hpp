// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "module/core/error.hpp"
#include "module/ports/guest_images.hpp"
#include "tests/fakes/planned_failures.hpp"

namespace poolwise::test {

/// Names an image without making one.
class FakeGuestImages : public GuestImages {
public:
    GuestImage ensure() override {
        ++calls;
        failures_.throw_if_planned();
        return image;
    }

    void fail_next(Error error) { failures_.add(std::move(error)); }

    GuestImage image{
        .kernel_path = "/images/kernel",
        .initramfs_path = "/images/initramfs",
        .tools_disk_path = "/images/tools-disk",
        .facts = {.hash = "0123456789abcdef", .kernel = "6.1.0-18-cloud-amd64", .fio = "fio-3.33"}};
    int calls = 0;

private:
    PlannedFailures failures_;
};

}  // namespace poolwise::test
