#pragma once
// The agent of a node: keeps a connection to the server, carries out what it says, and outlives it.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agent/driver.h"
#include "base/time.h"

namespace stoker::agent {

struct Options {
  std::string node = "local";  // the node's name
  std::string server;          // "unix:/path/of.sock:/stoker/v1/node", "wss://host:port/stoker/v1/node"
  std::string state_dir;       // absolute; runs, locks and logs under way
  // "auto" (NVML), "auto/mig" (and MIG is switched on where GPUs have it), "none", or pretended ones:
  // "4xA10G", "2xA10G,1xT4"
  std::string gpus = "auto";
  std::optional<std::int64_t> cpus_milli;  // instead of what the machine has
  std::optional<std::int64_t> memory_mib;
  std::string container_engine = "auto";  // "auto", "none" or the path of the engine's socket
  PullPolicy pull = PullPolicy::IfMissing;
  std::string address;  // where other nodes reach this one; "": own_address()
  std::string rack;     // nodes of one rack or placement group are near each other; "": not known
  std::string log_level = "info";
  std::string log_destination = "stderr";  // or a file
  std::string supervisor;                  // path of stoker-supervisor; "": beside this program
  std::optional<std::string> ca_file;      // for wss
  std::optional<std::string> token_file;   // its content goes as "Authorization: Bearer" on the connection
  // How long to wait for another agent that holds the state directory. It may be about to end (a new server
  // starts an agent while the old one is going); when it does not, it is the one that serves, and this one
  // ends quietly.
  Duration lock_patience = seconds(10);
  // Without a connection and without runs for so long, the agent ends by itself; zero: never.
  Duration idle_exit = {};
};

// Runs until SIGTERM or SIGINT, or until one of the two quiet ends above. Leaves everything that runs
// running. Returns the program's exit status: 0, or 1 when it could not begin (the log says why).
int run(const Options& options);

}  // namespace stoker::agent
