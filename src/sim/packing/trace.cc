#include "sim/packing/trace.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "sim/table.h"

namespace stoker::sim {
namespace {

constexpr std::int64_t kCpuMilliMax = 1'000'000'000;
constexpr std::int64_t kMemoryMibMax = std::int64_t{1} << 40;
constexpr std::int64_t kUnknownMemoryMib = 0;  // the traces do not tell the memory of GPUs

Result<std::vector<core::Node>> read_nodes(std::string_view text) {
  const Table table = TRY(Table::parse(text));
  const auto name = TRY(table.need_column("sn"));
  const auto cpus = TRY(table.need_column("cpu_milli"));
  const auto memory = TRY(table.need_column("memory_mib"));
  const auto gpus = TRY(table.need_column("gpu"));
  const auto model = TRY(table.need_column("model"));
  if (table.rows() > kPackingNodesMax) return fail(Code::LimitExceeded, "too many nodes");
  std::vector<core::Node> nodes;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    core::Node& node = nodes.emplace_back();
    node.name = table.cell(row, name);
    node.connected = true;
    node.containers = true;
    node.total.cpus_milli = TRY(table.whole(row, cpus, 0, kCpuMilliMax));
    node.total.memory_mib = TRY(table.whole(row, memory, 0, kMemoryMibMax));
    node.total.gpus = TRY(table.whole(row, gpus, 0, kGpusOfNodeMax));
    for (std::int64_t i = 0; i < node.total.gpus; ++i)
      node.gpus.push_back(
          {"GPU-" + std::to_string(i), std::string(table.cell(row, model)), kUnknownMemoryMib, {}});
  }
  return nodes;
}

Result<void> read_tasks(std::string_view text, PackingTrace& trace) {
  const Table table = TRY(Table::parse(text));
  const auto cpus = TRY(table.need_column("cpu_milli"));
  const auto memory = TRY(table.need_column("memory_mib"));
  const auto gpus = TRY(table.need_column("num_gpu"));
  const auto milli = TRY(table.need_column("gpu_milli"));
  const auto spec = table.column("gpu_spec");
  if (table.rows() > kPackingTasksMax) return fail(Code::LimitExceeded, "too many tasks");
  std::map<core::Shape, std::size_t> known;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    core::Shape shape;
    shape.resources.cpus_milli = TRY(table.whole(row, cpus, 0, kCpuMilliMax));
    shape.resources.memory_mib = TRY(table.whole(row, memory, 0, kMemoryMibMax));
    const std::int64_t count = TRY(table.whole(row, gpus, 0, kGpusOfNodeMax));
    const std::int64_t each = TRY(table.whole(row, milli, 0, core::Resources::kGpuMilli));
    if (count == 1 && each > 0 && each < core::Resources::kGpuMilli)
      shape.resources.gpu_milli = each;
    else
      shape.resources.gpus = count;
    if (spec && count > 0)
      for (const std::string_view model : split(table.cell(row, *spec), '|'))
        if (!model.empty()) shape.gpu.models.push_back(to_lower(model));
    std::ranges::sort(shape.gpu.models);
    const auto [at, fresh] = known.emplace(shape, trace.shapes.size());
    if (fresh) trace.shapes.push_back(std::move(shape));
    trace.tasks.push_back(at->second);
  }
  return {};
}

}  // namespace

std::int64_t PackingTrace::gpus() const {
  std::int64_t sum = 0;
  for (const core::Node& node : nodes) sum += node.total.gpus;
  return sum;
}

Result<PackingTrace> parse_packing_trace(std::string_view nodes_text, std::string_view tasks_text) {
  PackingTrace trace;
  auto nodes = read_nodes(nodes_text);
  if (!nodes) return std::unexpected(std::move(nodes).error().within("nodes"));
  trace.nodes = *std::move(nodes);
  if (auto read = read_tasks(tasks_text, trace); !read)
    return std::unexpected(std::move(read).error().within("tasks"));
  if (trace.gpus() == 0) return fail(Code::InvalidArgument, "the nodes have no GPUs");
  if (trace.tasks.empty()) return fail(Code::InvalidArgument, "there are no tasks");
  return trace;
}

Result<PackingTrace> read_packing_trace(const std::string& nodes_path, const std::string& tasks_path) {
  const std::string nodes = TRY(read_text(nodes_path));
  const std::string tasks = TRY(read_text(tasks_path));
  auto trace = parse_packing_trace(nodes, tasks);
  if (!trace) return std::unexpected(std::move(trace).error().within(nodes_path + " and " + tasks_path));
  return trace;
}

}  // namespace stoker::sim
