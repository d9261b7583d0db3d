// SPDX-License-Identifier: Apache-2.0
// A libvirtd of the test's own, which may be stopped and killed without harm to the node's.
#pragma once

#include <filesystem>
#include <string>

#include <sys/types.h>

namespace poolwise::test {

/// Runs libvirtd in a mount namespace where its state and configuration are empty; the rest of the
/// file system is the node's. Ended by the destructor, stopped or not.
class PrivateLibvirtd {
public:
    /// @param folder  exists; keeps the socket and the log.
    explicit PrivateLibvirtd(std::filesystem::path folder);
    ~PrivateLibvirtd();
    PrivateLibvirtd(const PrivateLibvirtd&) = delete;
    PrivateLibvirtd& operator=(const PrivateLibvirtd&) = delete;

    /// Why it does not run; empty if it does.
    [[nodiscard]] std::string trouble() const { return trouble_; }
    [[nodiscard]] std::string uri() const;

    /// Stops it while the guard lives: it takes connections and answers nothing.
    class Pause {
    public:
        explicit Pause(pid_t pid);
        ~Pause() { resume(); }
        Pause(const Pause&) = delete;
        Pause& operator=(const Pause&) = delete;

        void resume() const;

    private:
        pid_t pid_;
    };
    [[nodiscard]] Pause pause() const { return Pause{pid_}; }

    void start();  ///< returns when its socket answers
    void end();    ///< SIGTERM, and waits

private:
    std::filesystem::path folder_;
    std::string trouble_;
    pid_t pid_ = -1;
};

}  // namespace poolwise::test
