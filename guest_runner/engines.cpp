// SPDX-License-Identifier: Apache-2.0
#include "guest_runner/engines.hpp"

#include <utility>

#include "guest_runner/engine_client.hpp"
#include "guest_runner/host_engine.hpp"

namespace poolwise::guest_runner {
namespace {

// fio starts in 20 ms; a node that is busy to the brim may take seconds.
constexpr Seconds kHostReadyLimit{30};

}  // namespace

EngineConnector::EngineConnector(std::string engine_program, std::string fio_path)
    : engine_program_{std::move(engine_program)}, fio_path_{std::move(fio_path)} {}

std::unique_ptr<Engine> EngineConnector::connect(std::unique_ptr<ByteChannel> channel,
                                                 Seconds ready_limit, const Engine::Watch& watch,
                                                 std::stop_token stop) {
    return std::make_unique<EngineClient>(std::move(channel), "in the guest", ready_limit, watch,
                                          std::move(stop));
}

std::unique_ptr<Engine> EngineConnector::start_on_host() {
    return std::make_unique<EngineClient>(start_host_engine(engine_program_, fio_path_),
                                          "on the host", kHostReadyLimit, Engine::Watch{},
                                          std::stop_token{});
}

}  // namespace poolwise::guest_runner
