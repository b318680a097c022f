#pragma once
// The node engine of this machine: there is one node, and it exists as long as its agent process does. The
// engine starts the agent and starts it again when it ends. The agent lives in a session of its own and
// outlives us.
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "engine/nodes.h"
#include "rt/subprocess.h"
#include "rt/thread.h"

namespace stoker::engine {

struct LocalEngineOptions {
  std::vector<std::string> agent_command;  // argv of the agent
  std::string log_file;                    // its stderr
  std::string state_dir;                   // the agent's: it holds agent.lock there, and writes agent.pid
};

class LocalEngine : public NodeEngine {
 public:
  LocalEngine(LocalEngineOptions options, std::function<void(NodeNews)> news);
  ~LocalEngine() override;  // ends the agent, not what it runs: the next agent adopts that

  void launch(std::span<const LaunchNode> nodes) override;      // the one node is there already
  void terminate(std::span<const std::string> nodes) override;  // this machine stays
  void list() override;

 private:
  void keep_alive();
  void end_agent(rt::Child& child);

  LocalEngineOptions options_;
  std::function<void(NodeNews)> news_;
  std::atomic<bool> stopping_ = false;
  rt::Thread thread_;
};

inline constexpr const char* kLocalNode = "local";

}  // namespace stoker::engine
