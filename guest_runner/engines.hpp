// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "module/ports/engine.hpp"

namespace poolwise::guest_runner {

/// The real Engines: clients of the engine protocol. Safe from several threads.
class EngineConnector : public Engines {
public:
    /// @param engine_program  path of poolwise_engine, for the host layer.
    /// @param fio_path        for the host layer; empty: fio is looked up in PATH.
    explicit EngineConnector(std::string engine_program, std::string fio_path = {});

    std::unique_ptr<Engine> connect(std::unique_ptr<ByteChannel> channel, Seconds ready_limit,
                                    const Engine::Watch& watch, std::stop_token stop) override;

    std::unique_ptr<Engine> start_on_host() override;

private:
    std::string engine_program_;
    std::string fio_path_;
};

}  // namespace poolwise::guest_runner
