#include "cli/explanation.h"

#include "base/text.h"
#include "cli/job_view.h"
#include "cli/quantity.h"
#include "cli/text_width.h"

namespace stoker::cli {
namespace {

std::string text_of(const json::Value& value, std::string_view key) {
  return printable(json::get_string(value, key));
}

std::int64_t milli_of(const json::Value& resources) {
  const json::Value* vcpus = json::find(resources, "vcpus");
  if (vcpus == nullptr || !vcpus->is_number()) return 0;
  return static_cast<std::int64_t>(vcpus->to_number<double>() * 1000 + 0.5);
}

// "1.5", "2g.20gb, 3x1g.10gb", "4 to divide": whole GPUs and shares, MIG devices by profile, idle MIG GPUs.
std::string gpus_text(const json::Value& node, const json::Value& free) {
  const std::int64_t milli = json::get_int(free, "gpus") * 1000 + json::get_int(free, "gpuMilli");
  std::vector<std::string> parts;
  if (milli > 0) parts.push_back(cpus_text(milli));
  if (const json::Value* devices = json::find(node, "freeMigDevices");
      devices != nullptr && devices->is_object())
    for (const auto& entry : devices->get_object()) {
      const std::int64_t count = json::get_int(*devices, entry.key());
      parts.push_back((count == 1 ? "" : std::to_string(count) + "x") + printable(entry.key()));
    }
  if (const std::int64_t idle = json::get_int(node, "idleMigGpus"); idle > 0)
    parts.push_back(std::to_string(idle) + " to divide");
  return parts.empty() ? "0" : join(parts, ", ");
}

std::string ago(Instant at, Instant now) {
  return at ? duration_text(now - at) : std::string();
}

std::string first_line(const json::Value& answer, Instant now, bool colours) {
  const std::string status = text_of(answer, "status");
  std::string out = paint(text_of(answer, "jobName"), Colour::Bold, colours) + " (" +
                    text_of(answer, "jobId") + ") is " + paint(status, colour_of_status(status), colours) +
                    " in queue " + text_of(answer, "jobQueue");
  if (const std::string since = ago({json::get_int(answer, "since")}, now); !since.empty())
    out += has_ended(status) ? ", ended " + since + " ago" : ", for " + since;
  return out + "\n";
}

std::string reasons_text(const json::Value& answer, Instant now) {
  std::string out;
  for (const json::Value& reason : json::get_array(answer, "reasons")) {
    const std::string other = text_of(reason, "jobId");
    out += (other.empty() ? "  " : "    Job " + short_id(other) + ": ") + text_of(reason, "text");
    const Instant since{json::get_int(reason, "since")};
    // The first line has told since when the job is in its state.
    if (since && since.ms != json::get_int(answer, "since")) out += " (since " + ago(since, now) + ")";
    out += "\n";
  }
  return out;
}

std::string starter_text(const json::Value& answer) {
  const json::Value* by = json::find(answer, "startedBy");
  if (by == nullptr) return {};
  return "  Started by state " + text_of(*by, "state") + " of the execution " + text_of(*by, "executionArn") +
         ".\n";
}

std::string place_text(const json::Value& answer) {
  const std::int64_t position = json::get_int(answer, "position");
  const json::Array& ahead = json::get_array(answer, "ahead");
  if (position == 1) return "  First in its queue.\n";
  if (position <= 0 && ahead.empty()) return {};
  std::string out =
      position > 0 ? "  Number " + std::to_string(position) + " in its queue" : "  Far back in its queue";
  if (!ahead.empty()) {
    out += ", behind";
    for (const json::Value& id : ahead) out += " " + short_id(printable(json::text(id)));
    if (position <= 0 || static_cast<std::size_t>(position) > ahead.size() + 1) out += " and others";
  }
  return out + ".\n";
}

std::string list_of(const json::Array& words) {
  std::string out;
  for (const json::Value& word : words) out += (out.empty() ? "" : ", ") + printable(json::text(word));
  return out;
}

std::string nodes_text(const json::Value& answer, Table::Look look) {
  const json::Array& nodes = json::get_array(answer, "nodes");
  if (nodes.empty()) return {};
  Table table({{.title = "NODE", .shrinks_to = 8},
               {.title = "FREE CPUS", .right = true},
               {.title = "FREE MEM", .right = true},
               {.title = "FREE GPUS", .right = true},
               {.title = "FOR THIS JOB", .shrinks_to = 12}});
  for (const json::Value& node : nodes) {
    const json::Value empty;
    const json::Value* free = json::find(node, "free");
    const json::Value& room = free != nullptr ? *free : empty;
    const std::string ever = list_of(json::get_array(node, "lacksEver"));
    const std::string lacks = list_of(json::get_array(node, "lacksNow"));
    Cell verdict{"fits", Colour::Green};
    if (!json::get_bool(node, "connected"))
      verdict = {"is not connected", Colour::Red};
    else if (!ever.empty())
      verdict = {"never has enough: " + ever, Colour::Red};
    else if (const std::string job = text_of(node, "keptFor"); !job.empty())
      verdict = {"is kept for " + short_id(job), Colour::Yellow};
    else if (!lacks.empty())
      verdict = {"not enough free: " + lacks, Colour::Yellow};
    table.add({{text_of(node, "node")},
               {cpus_text(milli_of(room))},
               {memory_text(json::get_int(room, "memoryMib"))},
               {gpus_text(node, room)},
               verdict});
  }
  return "\n" + table.render(look);
}

std::string dependencies_text(const json::Value& answer, Table::Look look) {
  const json::Array& dependencies = json::get_array(answer, "dependencies");
  if (dependencies.empty()) return {};
  Table table({{.title = "DEPENDS ON"}, {.title = "STATUS"}, {.title = "HOW"}});
  for (const json::Value& dependency : dependencies) {
    const std::string id = text_of(dependency, "jobId");
    const std::string status = text_of(dependency, "status");
    const std::string_view type = json::get_string(dependency, "type");
    table.add({{id.empty() ? "the child before it" : id},
               {status, colour_of_status(status)},
               {type == "WHOLE" ? "all of it" : printable(type)}});
  }
  return "\n" + table.render(look);
}

std::string attempt_text(const json::Value& answer, Instant now) {
  const json::Value* attempt = json::find(answer, "attempt");
  if (attempt == nullptr) return {};
  std::string out = "\nAttempt " + std::to_string(json::get_int(*attempt, "number")) + " of " +
                    std::to_string(json::get_int(*attempt, "of")) + " on node " + text_of(*attempt, "node");
  const Instant started{json::get_int(*attempt, "startedAt")};
  const Instant stopped{json::get_int(*attempt, "stoppedAt")};
  if (started && stopped)
    out += ", ran " + duration_text(stopped - started);
  else if (started)
    out += ", runs for " + duration_text(now - started);
  if (json::find(*attempt, "exitCode") != nullptr)
    out += ", exit " + std::to_string(json::get_int(*attempt, "exitCode"));
  if (const std::string reason = text_of(*attempt, "reason"); !reason.empty()) out += ": " + reason;
  out += "\n";
  if (const json::Array& gpus = json::get_array(*attempt, "gpus"); !gpus.empty())
    out += "  GPUs: " + list_of(gpus) + "\n";
  return out;
}

std::string cost_text(const json::Value& answer) {
  const json::Value* cost = json::find(answer, "cost");
  if (cost == nullptr) return {};
  std::string out = "  It cost " + text_of(*cost, "total") + " USD";
  if (json::get_bool(*cost, "provisional")) out += " so far";
  out += ": " + text_of(*cost, "work") + " of work, " + text_of(*cost, "warmUp") + " of warm-up, ";
  if (const std::string idle = text_of(*cost, "idle"); !idle.empty() && idle != "0.000000")
    out += idle + " of what was idle beside it, ";
  return out + text_of(*cost, "waste") + " lost to interruptions.\n";
}

}  // namespace

std::string explanation_text(const json::Value& answer, Instant now, Table::Look look) {
  std::string out = first_line(answer, now, look.colours) + reasons_text(answer, now) + starter_text(answer) +
                    place_text(answer);
  if (const std::string asks = text_of(answer, "asks"); !asks.empty()) out += "  It asks " + asks + ".\n";
  return out + dependencies_text(answer, look) + nodes_text(answer, look) + attempt_text(answer, now) +
         cost_text(answer);
}

}  // namespace stoker::cli
