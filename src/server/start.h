#pragma once
// What happens once, before the first request: options are checked, the state is loaded, a fresh server gets
// its environment and queue.
#include "core/core.h"
#include "server/server.h"
#include "store/store.h"

namespace stoker::server {

// Bound to loopback anything goes; bound to anything else TLS and access keys are demanded.
Result<void> check_options(const Options& options);
bool is_loopback(std::string_view listen);

// Loads the store into the core. A store without records gets environment `local` and queue `default`,
// durably.
Result<void> load_or_found(core::Core& core, store::Store& store, Instant now,
                           const std::string& environment_uuid);

// argv of the local agent.
std::vector<std::string> agent_command(const Options& options, const std::string& program,
                                       const std::string& socket);

}  // namespace stoker::server
