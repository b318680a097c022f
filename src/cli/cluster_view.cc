#include "cli/cluster_view.h"

#include "cli/quantity.h"
#include "cli/text_width.h"

namespace stoker::cli {
namespace {

std::string text_of(const json::Value& value, std::string_view key) {
  return printable(json::get_string(value, key));
}

struct Amounts {
  std::int64_t cpus_milli = 0;
  std::int64_t memory_mib = 0;
  std::int64_t gpus = 0;
  std::int64_t gpus_milli = 0;  // those, and the parts beyond, in thousandths
};

Amounts amounts(const json::Value& holder, std::string_view key) {
  const json::Value* found = json::find(holder, key);
  if (found == nullptr) return {};
  Amounts out{.memory_mib = json::get_int(*found, "memoryMib"), .gpus = json::get_int(*found, "gpus")};
  out.gpus_milli = out.gpus * 1000 + json::get_int(*found, "gpuMilli");
  if (const json::Value* vcpus = json::find(*found, "vcpus"); vcpus != nullptr && vcpus->is_number())
    out.cpus_milli = static_cast<std::int64_t>(vcpus->to_number<double>() * 1000 + 0.5);
  return out;
}

GpuView view_of_gpu(const json::Value& gpu) {
  GpuView view{.uuid = text_of(gpu, "uuid"),
               .model = text_of(gpu, "model"),
               .memory_mib = json::get_int(gpu, "memoryMib"),
               .job_id = text_of(gpu, "jobId"),
               .job_name = text_of(gpu, "jobName"),
               .shared_milli = json::get_int(gpu, "sharedMilli")};
  const auto add = [&](std::string what, const json::Value& part) {
    view.parts.push_back(
        {.what = std::move(what), .job_id = text_of(part, "jobId"), .job_name = text_of(part, "jobName")});
  };
  for (const json::Value& share : json::get_array(gpu, "sharers"))
    add(cpus_text(json::get_int(share, "milli")), share);
  for (const json::Value& device : json::get_array(gpu, "migDevices"))
    add(text_of(device, "profile"), device);
  return view;
}

Result<std::vector<json::Value>> list_all(Api& api, std::string_view operation, std::string_view member) {
  std::vector<json::Value> out;
  json::Object input;
  for (;;) {
    const json::Value page = TRY(api.own(operation, input));
    for (const json::Value& entry : json::get_array(page, member)) out.push_back(entry);
    const std::string_view token = json::get_string(page, "nextToken");
    if (token.empty() || out.size() >= kClusterMax) return out;
    input["nextToken"] = token;
  }
}

}  // namespace

NodeView view_of_node(const json::Value& node) {
  NodeView view{.name = text_of(node, "node"), .connected = json::get_bool(node, "connected")};
  const Amounts total = amounts(node, "total");
  const Amounts used = amounts(node, "used");
  view.cpus_milli = total.cpus_milli;
  view.memory_mib = total.memory_mib;
  view.gpus_total = total.gpus;
  view.cpus_used_milli = used.cpus_milli;
  view.memory_used_mib = used.memory_mib;
  view.gpus_used_milli = used.gpus_milli;
  for (const json::Value& gpu : json::get_array(node, "gpus")) view.gpus.push_back(view_of_gpu(gpu));
  for (const json::Value& warning : json::get_array(node, "warnings"))
    view.warnings.push_back(printable(json::text(warning)));
  view.jobs = json::get_int(node, "jobCount");
  return view;
}

QueueView view_of_queue(const json::Value& queue) {
  QueueView view{.name = text_of(queue, "jobQueue"), .state = text_of(queue, "state")};
  if (const json::Value* counts = json::find(queue, "counts"))
    for (std::size_t i = 0; i < kStatuses.size(); ++i) view.counts[i] = json::get_int(*counts, kStatuses[i]);
  return view;
}

Result<std::vector<json::Value>> list_nodes(Api& api) {
  return list_all(api, "ListNodes", "nodes");
}

Result<std::vector<json::Value>> list_queues(Api& api) {
  return list_all(api, "ListQueues", "queues");
}

Table queue_table(const std::vector<QueueView>& queues) {
  std::vector<Column> columns{{.title = "QUEUE", .shrinks_to = 8}, {.title = "STATE"}};
  for (const std::string_view status : kStatuses)
    columns.push_back({.title = std::string(status), .right = true});
  Table table(std::move(columns));
  for (const QueueView& queue : queues) {
    std::vector<Cell> row{{queue.name},
                          {queue.state, queue.state == "ENABLED" ? Colour::None : Colour::Yellow}};
    for (std::size_t i = 0; i < kStatuses.size(); ++i) {
      const bool none = queue.counts[i] == 0;
      row.push_back({std::to_string(queue.counts[i]), none ? Colour::Dim : colour_of_status(kStatuses[i])});
    }
    table.add(std::move(row));
  }
  return table;
}

}  // namespace stoker::cli
