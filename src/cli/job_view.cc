#include "cli/job_view.h"

#include <algorithm>

#include "base/text.h"
#include "cli/quantity.h"
#include "cli/text_width.h"

namespace stoker::cli {
namespace {

constexpr std::string_view kNormalEnd = "Essential container in task exited";

void read_requirements(const json::Value& container, JobView& view) {
  for (const json::Value& entry : json::get_array(container, "resourceRequirements")) {
    const std::string_view type = json::get_string(entry, "type");
    if (type == "GPU") view.gpus = printable(json::get_string(entry, "value"));
    const auto amount = parse_double(json::get_string(entry, "value"));
    if (!amount) continue;
    if (type == "VCPU") view.cpus_milli = static_cast<std::int64_t>(*amount * 1000 + 0.5);
    if (type == "MEMORY") view.memory_mib = static_cast<std::int64_t>(*amount);
  }
  // The older way to say the same.
  if (view.cpus_milli == 0) view.cpus_milli = json::get_int(container, "vcpus") * 1000;
  if (view.memory_mib == 0) view.memory_mib = json::get_int(container, "memory");
}

void read_array(const json::Value& job, JobView& view) {
  const json::Value* array = json::find(job, "arrayProperties");
  if (array == nullptr || json::find(*array, "size") == nullptr) return;
  view.array_size = json::get_int(*array, "size");
  const json::Value* summary = json::find(*array, "statusSummary");
  if (summary == nullptr) return;
  for (std::size_t i = 0; i < kStatuses.size(); ++i) view.children[i] = json::get_int(*summary, kStatuses[i]);
}

// A multi-node job has no container of its own; its attempts say how it ended.
void read_nodes(const json::Value& job, JobView& view) {
  const json::Value* nodes = json::find(job, "nodeProperties");
  if (nodes == nullptr || json::find(*nodes, "mainNode") == nullptr) return;
  view.nodes = json::get_int(*nodes, "numNodes");
  view.main_node = json::get_int(*nodes, "mainNode");
  const json::Array& attempts = json::get_array(job, "attempts");
  const json::Value* container = attempts.empty() ? nullptr : json::find(attempts.back(), "container");
  if (container == nullptr) return;
  view.container_reason = printable(json::get_string(*container, "reason"));
  if (json::find(*container, "exitCode") != nullptr) view.exit_code = json::get_int(*container, "exitCode");
}

}  // namespace

bool is_active(std::string_view status) {
  return status == "STARTING" || status == "RUNNING";
}

bool has_ended(std::string_view status) {
  return status == "SUCCEEDED" || status == "FAILED";
}

Colour colour_of_status(std::string_view status) {
  if (status == "RUNNING") return Colour::Green;
  if (status == "STARTING") return Colour::Cyan;
  if (status == "RUNNABLE") return Colour::Yellow;
  if (status == "PENDING" || status == "SUBMITTED") return Colour::Blue;
  if (status == "FAILED") return Colour::Red;
  return Colour::Dim;
}

std::string short_reason(std::string_view reason) {
  const std::size_t dash = reason.find(" - ");
  const std::string_view code = reason.substr(0, std::min(dash, reason.size()));
  const bool is_code =
      dash != std::string_view::npos && !code.empty() &&
      std::ranges::all_of(code, [](char c) { return (c >= 'A' && c <= 'Z') || c == '_' || c == ':'; });
  const std::size_t stop = is_code ? reason.find(". ", dash) : std::string_view::npos;
  if (stop == std::string_view::npos || stop + 2 >= reason.size()) return std::string(reason);
  return std::string(code.substr(code.rfind(':') + 1)) + ": " + std::string(reason.substr(stop + 2));
}

std::string_view name_of_arn(std::string_view arn) {
  if (!arn.starts_with("arn:")) return arn;
  const std::size_t slash = arn.rfind('/');
  return slash == std::string_view::npos ? arn : arn.substr(slash + 1);
}

std::string short_id(std::string_view id) {
  const std::size_t colon = std::min(id.find_first_of(":#"), id.size());
  return std::string(id.substr(0, std::min<std::size_t>(8, colon))) + std::string(id.substr(colon));
}

std::string children_text(const JobView& parent) {
  std::string out;
  // What is done first, then what runs, then what waits.
  for (const std::size_t i : {5, 6, 4, 3, 2, 1, 0}) {
    if (parent.children[i] == 0) continue;
    if (!out.empty()) out += ", ";
    out += std::to_string(parent.children[i]) + " " + to_lower(kStatuses[i]);
  }
  return out;
}

JobView view_of(const json::Value& job) {
  JobView view;
  view.id = printable(json::get_string(job, "jobId"));
  view.name = printable(json::get_string(job, "jobName"));
  view.queue = printable(name_of_arn(json::get_string(job, "jobQueue")));
  view.status = printable(json::get_string(job, "status"));
  view.reason = printable(json::get_string(job, "statusReason"));
  view.created = {json::get_int(job, "createdAt")};
  view.started = {json::get_int(job, "startedAt")};
  view.stopped = {json::get_int(job, "stoppedAt")};
  const json::Array& attempts = json::get_array(job, "attempts");
  view.attempts = attempts.size();
  if (!attempts.empty() && !is_active(view.status))
    view.attempt_stopped = {json::get_int(attempts.back(), "stoppedAt")};
  if (const json::Value* container = json::find(job, "container")) {
    view.container_reason = printable(json::get_string(*container, "reason"));
    if (json::find(*container, "exitCode") != nullptr) view.exit_code = json::get_int(*container, "exitCode");
    read_requirements(*container, view);
  }
  read_array(job, view);
  read_nodes(job, view);
  return view;
}

JobView view_of_line(const json::Value& line) {
  JobView view;
  view.id = printable(json::get_string(line, "jobId"));
  view.name = printable(json::get_string(line, "jobName"));
  view.queue = printable(name_of_arn(json::get_string(line, "jobQueue")));
  view.status = printable(json::get_string(line, "status"));
  view.reason = printable(json::get_string(line, "statusReason"));
  view.container_reason = printable(json::get_string(line, "reason"));
  view.node = printable(json::get_string(line, "node"));
  if (json::find(line, "exitCode") != nullptr) view.exit_code = json::get_int(line, "exitCode");
  view.created = {json::get_int(line, "createdAt")};
  view.started = {json::get_int(line, "startedAt")};
  view.stopped = {json::get_int(line, "stoppedAt")};
  view.attempt_stopped = {json::get_int(line, "attemptStoppedAt")};
  view.runnable = {json::get_int(line, "runnableAt")};
  view.attempts = static_cast<std::size_t>(std::max<std::int64_t>(0, json::get_int(line, "attempts")));
  if (const json::Value* cost = json::find(line, "cost"))
    view.cost =
        (json::get_bool(*cost, "provisional") ? "~" : "") + dollars_text(json::get_string(*cost, "total"));
  if (const json::Value* needs = json::find(line, "requirements")) {
    if (const json::Value* vcpus = json::find(*needs, "vcpus"); vcpus != nullptr && vcpus->is_number())
      view.cpus_milli = static_cast<std::int64_t>(vcpus->to_number<double>() * 1000 + 0.5);
    view.memory_mib = json::get_int(*needs, "memoryMib");
  }
  view.gpus = printable(json::get_string(line, "gpuRequest"));
  if (json::find(line, "numNodes") != nullptr) view.nodes = json::get_int(line, "numNodes");
  if (json::find(line, "arraySize") != nullptr) view.array_size = json::get_int(line, "arraySize");
  if (const json::Value* counts = json::find(line, "arrayStatuses"))
    for (std::size_t i = 0; i < kStatuses.size(); ++i)
      view.children[i] = json::get_int(*counts, kStatuses[i]);
  return view;
}

Duration JobView::waited(Instant now) const {
  if (!ended() && attempt_stopped) return now > attempt_stopped ? now - attempt_stopped : Duration{};
  const Instant until = started ? started : stopped ? stopped : now;
  return until > created && created ? until - created : Duration{};
}

Duration JobView::ran(Instant now) const {
  if (!started) return {};
  const Instant until = attempt_stopped ? attempt_stopped : stopped ? stopped : now;
  return until > started ? until - started : Duration{};
}

std::string JobView::remark() const {
  if (array_size) return children_text(*this);
  if (!ended()) return short_reason(reason);
  // Ended while it waited once more: how its last attempt ended is not why.
  const bool while_waiting = attempt_stopped && runnable >= attempt_stopped && runnable > started;
  std::string out = exit_code && !while_waiting ? "exit " + std::to_string(*exit_code) : "";
  const auto append = [&](std::string_view text) {
    if (text.empty() || text == kNormalEnd) return;
    if (!out.empty()) out += ": ";
    out += text;
  };
  if (!while_waiting) append(container_reason);
  if (container_reason != reason) append(reason);
  if (status == "SUCCEEDED" && out == "exit 0") return {};
  return out;
}

}  // namespace stoker::cli
