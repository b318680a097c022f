#pragma once
// Node engines give machines and take them back; what runs on the machines goes through their agents.
// Commands are batches with ids and return nothing; news arrives through the sink, in any order, possibly
// twice, possibly late. A command for what exists already, or is gone already, does nothing. list() is the
// truth after a restart: it makes the engine report every node it has.
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <variant>

#include "base/time.h"

namespace stoker::engine {

struct LaunchNode {
  std::string node;         // the name we give it; also the token that makes the launch idempotent
  std::string environment;  // compute environment it is for
};

struct NodeRunning {  // the machine is up; its agent says hello by itself
  std::string node;
};
struct NodeGone {  // and everything on it
  std::string node;
  std::string why;
};
struct NodeFailed {  // could not be launched
  std::string node;
  std::string why;
};
using NodeNews = std::variant<NodeRunning, NodeGone, NodeFailed>;

class NodeEngine {
 public:
  virtual ~NodeEngine() = default;
  virtual void launch(std::span<const LaunchNode> nodes) = 0;
  virtual void terminate(std::span<const std::string> nodes) = 0;
  virtual void list() = 0;
};

}  // namespace stoker::engine
