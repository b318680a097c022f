#pragma once
// Nodes and queues as the commands show them.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/api.h"
#include "cli/job_view.h"
#include "json/json.h"

namespace stoker::cli {

// A share of a GPU, or one of its MIG devices.
struct GpuPartView {
  std::string what{};    // "0.5", "3g.40gb"
  std::string job_id{};  // who holds it, "" for nobody
  std::string job_name{};
};

struct GpuView {
  std::string uuid{};
  std::string model{};
  std::int64_t memory_mib = 0;
  std::string job_id{};  // who holds all of it, "" for nobody
  std::string job_name{};
  std::int64_t shared_milli = 0;  // what shares of it are held, in thousandths
  std::vector<GpuPartView> parts{};
};

struct NodeView {
  std::string name{};
  bool connected = false;
  std::int64_t cpus_milli = 0;
  std::int64_t cpus_used_milli = 0;
  std::int64_t memory_mib = 0;
  std::int64_t memory_used_mib = 0;
  std::int64_t gpus_total = 0;
  std::int64_t gpus_used_milli = 0;  // in thousandths, parts of GPUs too
  std::vector<GpuView> gpus{};
  std::vector<std::string> warnings{};
  std::int64_t jobs = 0;
};

struct QueueView {
  std::string name{};
  std::string state{};                                  // ENABLED or DISABLED
  std::array<std::int64_t, kStatuses.size()> counts{};  // jobs by status, in the order of kStatuses
};

NodeView view_of_node(const json::Value& node);     // an entry of ListNodes
QueueView view_of_queue(const json::Value& queue);  // an entry of ListQueues

// All of them, page by page, at most kClusterMax.
Result<std::vector<json::Value>> list_nodes(Api& api);
Result<std::vector<json::Value>> list_queues(Api& api);
inline constexpr std::size_t kClusterMax = 10'000;

Table queue_table(const std::vector<QueueView>& queues);

}  // namespace stoker::cli
