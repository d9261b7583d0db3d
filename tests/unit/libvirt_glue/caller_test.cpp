// SPDX-License-Identifier: Apache-2.0
#include "libvirt_glue/caller.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/testing.hpp"

namespace poolwise::libvirt_glue {
namespace {

TEST(LocalUri, LibvirtsOnThisNodeAreAccepted) {
    for (const char* uri : {"qemu:///system", "qemu:///session", "qemu+unix:///system",
                            "qemu:///system?socket=/run/x/libvirt-sock", "test:///default"}) {
        EXPECT_NO_THROW(check_local_uri(uri)) << uri;
    }
}

TEST(LocalUri, OtherHostsAreRefused) {
    for (const char* uri : {"qemu+ssh://root@node7/system", "qemu://node7/system",
                            "qemu+tcp:///system", "qemu+ssh:///system", "qemu://"}) {
        EXPECT_THAT(test::message_of([uri] { check_local_uri(uri); }),
                    testing::HasSubstr("a remote libvirt URI is not supported yet"))
            << uri;
        EXPECT_EQ(test::code_of([uri] { Caller{uri}; }), ErrorCode::invalid_request);
    }
}

TEST(LocalUri, TextThatIsNoUriIsRefused) {
    for (const char* uri : {"", "node7", "/system"}) {
        EXPECT_EQ(test::code_of([uri] { check_local_uri(uri); }), ErrorCode::invalid_request)
            << uri;
    }
}

}  // namespace
}  // namespace poolwise::libvirt_glue
