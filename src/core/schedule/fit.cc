#include "core/schedule/fit.h"

#include <algorithm>

namespace stoker::core {

std::string thousandths(std::int64_t milli) {
  std::string text = std::to_string(milli / 1000);
  if (milli % 1000 == 0) return text;
  text += "." + std::to_string(1000 + milli % 1000).substr(1);
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

namespace {

std::string describe_cpus_and_memory(const Resources& resources) {
  return thousandths(resources.cpus_milli) + " vCPU, " + std::to_string(resources.memory_mib) + " MiB";
}

// What nobody has of GPUs that get no runs. MIG GPUs are not counted in thousandths.
std::int64_t out_of_order_milli(const Node& node) {
  std::int64_t milli = 0;
  for (const NodeGpu& gpu : node.gpus)
    if (!gpu.usable() && !gpu.holder && gpu.mig == MigMode::Off)
      milli += Resources::kGpuMilli - gpu.shared_milli;
  return milli;
}

}  // namespace

Resources free_for_others(const Node& node) {
  const Resources held = node.hold.job ? node.hold.needs : Resources{};
  const Resources left = node.total - node.used - held;
  const auto not_less = [](std::int64_t amount) { return std::max<std::int64_t>(amount, 0); };
  const std::int64_t gpu = not_less(left.all_gpu_milli() - out_of_order_milli(node));
  return {.cpus_milli = not_less(left.cpus_milli),
          .memory_mib = not_less(left.memory_mib),
          .gpus = gpu / Resources::kGpuMilli,
          .gpu_milli = gpu % Resources::kGpuMilli};
}

NodeFit fit_node(const Node& node, const Shape& shape) {
  const NodeKind kind = kind_of(node);
  const Match match = match_of(kind, shape, empty_room_of(node, kind));
  return {.now = lack_of(kind, room_of(node, kind), ask_of(shape), match), .ever = match.ever};
}

std::string describe(const Resources& resources) {
  std::string text = describe_cpus_and_memory(resources);
  if (resources.all_gpu_milli() != 0) text += ", " + thousandths(resources.all_gpu_milli()) + " GPU";
  return text;
}

std::string describe_cpus_and_gpus(const Resources& resources) {
  std::string text = thousandths(resources.cpus_milli) + " vCPU";
  if (resources.all_gpu_milli() != 0) text += ", " + thousandths(resources.all_gpu_milli()) + " GPU";
  return text;
}

std::string describe(const Node& node) {
  std::string text = describe(node.total);
  std::vector<std::string_view> models;
  for (const NodeGpu& gpu : node.gpus)
    if (!gpu.model.empty() && std::ranges::find(models, gpu.model) == models.end())
      models.push_back(gpu.model);
  for (std::size_t i = 0; i < models.size(); ++i) text += (i == 0 ? " (" : ", ") + std::string(models[i]);
  return models.empty() ? text : text + ")";
}

std::vector<bool> gpus_that_serve(const NodeKind& kind, const Shape& shape, const Match& match) {
  const bool wants_device = !shape.gpu.mig.empty();
  std::vector<bool> serve(kind.gpus.size());
  if (!wants_device && shape.resources.all_gpu_milli() == 0) return serve;
  if (wants_device && match.mig_profile == Match::kNoProfile) return serve;
  for (std::size_t i = 0; i < kind.gpus.size(); ++i)
    serve[i] = (kind.gpus[i].mig != MigMode::Off) == wants_device && match.allows(kind.gpus[i].type);
  return serve;
}

std::string describe_free(const Node& node, const Resources& free, const Shape& shape) {
  const std::string text = describe_cpus_and_memory(free);
  const Ask ask = ask_of(shape);
  if (ask.gpus == 0 && ask.mig_devices == 0)
    return free.all_gpu_milli() == 0 ? text : text + ", " + thousandths(free.all_gpu_milli()) + " GPU";
  const NodeKind kind = kind_of(node);
  const Match match = match_of(kind, shape, empty_room_of(node, kind));
  const Room room = room_of(node, kind);
  if (ask.mig_devices > 0)
    return text + ", " + std::to_string(plan_mig(kind, room, ask, match).devices) + " MIG " + shape.gpu.mig;
  std::int64_t whole = 0;
  std::int64_t part = 0;
  for (std::size_t i = 0; i < room.gpus.size(); ++i) {
    if (!match.allows(kind.gpus[i].type)) continue;
    if (room.gpus[i] == Resources::kGpuMilli) ++whole;
    part = std::max<std::int64_t>(part, room.gpus[i]);
  }
  part = std::min(part, free.all_gpu_milli());
  if (ask.is_share() && part > 0) return text + ", " + thousandths(part) + " of a GPU";
  return text + ", " + std::to_string(std::min(whole, free.gpus)) + " GPU";
}

std::string describe_out_of_order(const Node& node) {
  const auto count = std::ranges::count_if(node.gpus, [](const NodeGpu& gpu) { return !gpu.usable(); });
  if (count == 0) return "";
  return "; " + std::to_string(count) + " of its " + std::to_string(node.gpus.size()) + " GPUs " +
         (count == 1 ? "is" : "are") + " out of order";
}

std::string describe(const Shape& shape) {
  const GpuNeed& gpu = shape.gpu;
  std::string text = gpu.mig.empty() ? describe(shape.resources) : describe_cpus_and_memory(shape.resources);
  if (!gpu.mig.empty()) text += ", " + std::to_string(gpu.mig_devices) + " MIG " + gpu.mig;
  for (std::size_t i = 0; i < gpu.models.size(); ++i)
    text += (i == 0 ? " of model " : " or ") + gpu.models[i];
  if (gpu.memory_mib_min > 0) text += " with " + std::to_string(gpu.memory_mib_min) + " MiB or more";
  for (std::size_t i = 0; i < shape.instance_types.size(); ++i)
    text += (i == 0 ? " on " : " or ") + shape.instance_types[i];
  if (shape.spot != SpotUse::First) text += shape.spot == SpotUse::Only ? ", on spot only" : ", not on spot";
  return text;
}

}  // namespace stoker::core
