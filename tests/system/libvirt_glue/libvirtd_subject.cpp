// SPDX-License-Identifier: Apache-2.0
#include "tests/system/libvirt_glue/libvirtd_subject.hpp"

#include <stdexcept>
#include <system_error>

#include <stdlib.h>
#include <unistd.h>

#include "libvirt_glue/handle.hpp"
#include "libvirt_glue/pool_xml.hpp"

namespace poolwise::test {

namespace fs = std::filesystem;
using namespace libvirt_glue;

namespace {

constexpr Seconds kSoon{10};

std::string own(const std::string& word) {
    return "poolwise-test-" + word + "-" + std::to_string(getpid());
}

void undefine(virConnectPtr libvirt, const std::string& pool) {
    const auto found =
        adopt_if_found<Pool>(virStoragePoolLookupByName(libvirt, pool.c_str()), pool);
    if (found) checked(virStoragePoolUndefine(found.get()), pool);
}

}  // namespace

LibvirtdSubject::LibvirtdSubject(const std::string& uri, StorageDeadlines deadlines)
    : main_{uri}, cleanup_{uri}, storage_{main_, cleanup_, deadlines} {
    folder_.subfolder("free");
    try {
        make_pools();
    } catch (const Error& error) {
        if (error.code() != ErrorCode::unavailable) throw;
        trouble_ = error.what();
    }
}

LibvirtdSubject::~LibvirtdSubject() {
    if (!trouble_.empty()) return;
    storage_.remove_pool(pool());
    cleanup_.call("undefine", kSoon,
                  [name = inactive_pool()](virConnectPtr libvirt) { undefine(libvirt, name); });
}

void LibvirtdSubject::make_pools() {
    const std::string asleep =
        directory_pool_xml(inactive_pool(), folder_.subfolder("asleep").string());
    main_.call("define", kSoon, [asleep](virConnectPtr libvirt) {
        static_cast<void>(
            adopt<Pool>(virStoragePoolDefineXML(libvirt, asleep.c_str(), 0), "define"));
    });
    storage_.create_directory_pool(pool(), folder_.subfolder("pool").string());
}

std::string LibvirtdSubject::pool() {
    return own("pool");
}

std::string LibvirtdSubject::inactive_pool() {
    return own("asleep");
}

std::string LibvirtdSubject::free_directory() {
    return (folder_.path() / "free").string();
}

}  // namespace poolwise::test
