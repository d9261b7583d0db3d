// SPDX-License-Identifier: Apache-2.0
#include "libvirt_glue/handle.hpp"

#include <cerrno>
#include <string>

#include <gtest/gtest.h>

namespace poolwise::libvirt_glue {
namespace {

ErrorCode code_for(int number, std::string message = "some reason", int errno_value = 0) {
    virError error{};
    error.code = number;
    error.message = message.data();
    error.int1 = errno_value;
    return classify(error);
}

TEST(Handle, AddsNothingToThePointer) {
    static_assert(sizeof(Volume) == sizeof(void*));
    static_assert(sizeof(Connection) == sizeof(void*));
}

TEST(Classify, WhatIsGoneIsNotFound) {
    for (const int number : {VIR_ERR_NO_DOMAIN, VIR_ERR_NO_STORAGE_POOL, VIR_ERR_NO_STORAGE_VOL,
                             VIR_ERR_NO_DOMAIN_SNAPSHOT, VIR_ERR_DEVICE_MISSING}) {
        EXPECT_EQ(code_for(number), ErrorCode::not_found) << number;
    }
    EXPECT_EQ(code_for(VIR_ERR_SYSTEM_ERROR, "cannot open path '/x'", ENOENT),
              ErrorCode::not_found);
}

TEST(Classify, WhatDoesNotFitThePresentStateIsAConflict) {
    for (const int number : {VIR_ERR_STORAGE_VOL_EXIST, VIR_ERR_DOM_EXIST, VIR_ERR_RESOURCE_BUSY,
                             VIR_ERR_OPERATION_INVALID}) {
        EXPECT_EQ(code_for(number), ErrorCode::conflict) << number;
    }
    EXPECT_EQ(code_for(VIR_ERR_OPERATION_FAILED,
                       "operation failed: pool 'fast' already exists with uuid 1a8c0132"),
              ErrorCode::conflict);
    EXPECT_EQ(code_for(VIR_ERR_OPERATION_FAILED,
                       "operation failed: Storage source conflict with pool: 'fast'"),
              ErrorCode::conflict);
    EXPECT_EQ(code_for(VIR_ERR_INTERNAL_ERROR,
                       "qemu-img: Could not open 'x': Failed to get \"write\" lock"),
              ErrorCode::conflict);
}

TEST(Classify, AFullDiskIsNoSpaceWhoeverSaysIt) {
    EXPECT_EQ(code_for(VIR_ERR_SYSTEM_ERROR, "cannot allocate", ENOSPC), ErrorCode::no_space);
    EXPECT_EQ(code_for(VIR_ERR_SYSTEM_ERROR, "cannot allocate", EDQUOT), ErrorCode::no_space);
    EXPECT_EQ(code_for(VIR_ERR_INTERNAL_ERROR,
                       "qemu-img: x: Could not preallocate new data: No space left on device"),
              ErrorCode::no_space);
    EXPECT_EQ(code_for(VIR_ERR_OPERATION_FAILED, "Not enough free space in pool for volume 'x'"),
              ErrorCode::no_space);
}

TEST(Classify, WhatThisLibvirtLacksIsUnavailable) {
    for (const int number : {VIR_ERR_NO_SUPPORT, VIR_ERR_NO_CONNECT, VIR_ERR_CONFIG_UNSUPPORTED,
                             VIR_ERR_OPERATION_UNSUPPORTED}) {
        EXPECT_EQ(code_for(number), ErrorCode::unavailable) << number;
    }
}

TEST(Classify, ABusyDomainIsTimedOutAndTheRestIsTheHypervisors) {
    EXPECT_EQ(code_for(VIR_ERR_OPERATION_TIMEOUT), ErrorCode::timed_out);
    EXPECT_EQ(code_for(VIR_ERR_RPC), ErrorCode::hypervisor_failed);
    EXPECT_EQ(code_for(VIR_ERR_SYSTEM_ERROR, "cannot read", EIO), ErrorCode::hypervisor_failed);
    EXPECT_EQ(code_for(VIR_ERR_OPERATION_FAILED), ErrorCode::hypervisor_failed);
}

TEST(Classify, AMissingMessageIsNoTrouble) {
    virError error{};
    error.code = VIR_ERR_OPERATION_FAILED;

    EXPECT_EQ(classify(error), ErrorCode::hypervisor_failed);
}

}  // namespace
}  // namespace poolwise::libvirt_glue
