#include "cli/submission.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace stoker::cli {
namespace {

constexpr std::size_t kNameMax = 128;
constexpr std::size_t kImagePartMax = 60;  // of an image in a definition's name
constexpr std::string_view kReservedPrefix = "AWS_BATCH";
constexpr std::string_view kAllNodes = "0:";  // each submission says how many that are
constexpr int kNodesOfDefinition = 2;

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

// Only characters that names of AWS Batch may have, an alphanumeric one first.
std::string as_name(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (is_name_character(c))
      out += c;
    else if (!out.ends_with('-'))
      out += '-';
  }
  const std::size_t first = out.find_first_not_of("-_");
  out.erase(0, std::min(first, out.size()));
  if (out.size() > kNameMax) out.resize(kNameMax);
  while (out.ends_with('-')) out.pop_back();
  return out;
}

// A short mark that tells two texts apart (FNV-1a).
std::string mark_of(std::string_view text) {
  std::uint32_t hash = 2166136261u;
  for (const char c : text) hash = (hash ^ static_cast<std::uint8_t>(c)) * 16777619u;
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(hash >> shift);
  return to_hex(bytes);
}

json::Array requirements(const Submission& s) {
  json::Array out{json::Object{{"type", "VCPU"}, {"value", std::to_string(s.cpus)}},
                  json::Object{{"type", "MEMORY"}, {"value", std::to_string(s.memory())}}};
  if (!s.gpus.empty()) out.push_back(json::Object{{"type", "GPU"}, {"value", s.gpus}});
  return out;
}

std::vector<std::pair<std::string, std::string>> sorted_requirements(const json::Array& list) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const json::Value& entry : list)
    out.emplace_back(json::get_string(entry, "type"), json::get_string(entry, "value"));
  std::ranges::sort(out);
  return out;
}

// null, "", [], {} and false say nothing.
bool says_nothing(const json::Value& value) {
  if (value.is_array()) return value.get_array().empty();
  if (value.is_object()) return value.get_object().empty();
  if (value.is_string()) return value.get_string().empty();
  return value.is_null() || (value.is_bool() && !value.get_bool());
}

bool starts_program(std::string_view program, std::string_view interpreter) {
  return program == interpreter ||
         (program.starts_with(interpreter) &&
          program.substr(interpreter.size()).find_first_not_of("0123456789.") == std::string_view::npos);
}

std::string_view file_of(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

bool is_same_container(const json::Value& container, const Submission& s) {
  if (!container.is_object()) return false;
  for (const auto& member : container.get_object()) {
    const std::string_view name = member.key();
    if (name == "image") {
      if (json::text(member.value()) != s.image) return false;
    } else if (name == "resourceRequirements") {
      if (!member.value().is_array()) return false;
      if (sorted_requirements(member.value().get_array()) != sorted_requirements(requirements(s)))
        return false;
    } else if (!says_nothing(member.value())) {
      return false;
    }
  }
  return json::find(container, "resourceRequirements") != nullptr &&
         json::find(container, "image") != nullptr;
}

bool are_same_nodes(const json::Value& properties, const Submission& s) {
  const json::Array& ranges = json::get_array(properties, "nodeRangeProperties");
  if (ranges.size() != 1 || json::get_int(properties, "mainNode", -1) != 0) return false;
  const json::Value* container = json::find(ranges.front(), "container");
  return json::get_string(ranges.front(), "targetNodes") == kAllNodes && container != nullptr &&
         is_same_container(*container, s);
}

}  // namespace

std::string definition_name(const Submission& s) {
  std::string image = as_name(s.image);
  // Different images can look alike as names.
  if (image != s.image) image = image.substr(0, kImagePartMax) + "-" + mark_of(s.image);
  std::string out = image + "-" + std::to_string(s.cpus) + "cpu-" + std::to_string(s.memory()) + "mib";
  if (!s.gpus.empty()) out += "-" + s.gpus + "gpu";
  if (s.nodes) out += "-nodes";
  return as_name(out);
}

json::Value definition_input(const Submission& s) {
  json::Object container{{"image", s.image}, {"resourceRequirements", requirements(s)}};
  json::Object out{{"jobDefinitionName", definition_name(s)}};
  if (s.nodes) {
    out["type"] = "multinode";
    out["nodeProperties"] = json::Object{
        {"numNodes", kNodesOfDefinition},
        {"mainNode", 0},
        {"nodeRangeProperties",
         json::Array{json::Object{{"targetNodes", kAllNodes}, {"container", std::move(container)}}}}};
  } else {
    out["type"] = "container";
    out["containerProperties"] = std::move(container);
  }
  return out;
}

bool is_same_definition(const json::Value& definition, const Submission& s) {
  const std::string_view kind = s.nodes ? "nodeProperties" : "containerProperties";
  if (json::get_string(definition, "type") != (s.nodes ? "multinode" : "container")) return false;
  // Anything else that the definition says would act on the job.
  for (const std::string_view name :
       {"parameters", "retryStrategy", "timeout", "propagateTags", "tags", "nodeProperties",
        "containerProperties", "ecsProperties", "eksProperties", "consumableResourceProperties"}) {
    const json::Value* value = json::find(definition, name);
    if (name != kind && value != nullptr && !says_nothing(*value)) return false;
  }
  if (json::find(definition, "schedulingPriority") != nullptr) return false;
  const json::Value* properties = json::find(definition, kind);
  if (properties == nullptr || !properties->is_object()) return false;
  return s.nodes ? are_same_nodes(*properties, s) : is_same_container(*properties, s);
}

json::Value submit_input(const Submission& s, std::string_view definition) {
  json::Object overrides;
  json::Array command;
  for (const std::string& argument : s.command) command.emplace_back(argument);
  overrides["command"] = std::move(command);
  json::Array environment;
  for (const auto& [name, value] : s.environment)
    environment.push_back(json::Object{{"name", name}, {"value", value}});
  if (!environment.empty()) overrides["environment"] = std::move(environment);

  json::Object input{{"jobName", s.name.empty() ? name_from_command(s.command) : s.name},
                     {"jobQueue", s.queue},
                     {"jobDefinition", definition}};
  if (s.nodes)
    input["nodeOverrides"] = json::Object{
        {"numNodes", *s.nodes},
        {"nodePropertyOverrides", json::Array{json::Object{{"targetNodes", kAllNodes},
                                                           {"containerOverrides", std::move(overrides)}}}}};
  else
    input["containerOverrides"] = std::move(overrides);
  if (s.array_size) input["arrayProperties"] = json::Object{{"size", *s.array_size}};
  if (s.retries) input["retryStrategy"] = json::Object{{"attempts", *s.retries + 1}};
  if (s.timeout) input["timeout"] = json::Object{{"attemptDurationSeconds", s.timeout->ms / 1000}};
  if (s.priority) input["schedulingPriorityOverride"] = *s.priority;
  if (!s.share.empty()) input["shareIdentifier"] = s.share;
  json::Array depends_on;
  for (const std::string& id : s.depends_on) depends_on.push_back(json::Object{{"jobId", id}});
  if (!depends_on.empty()) input["dependsOn"] = std::move(depends_on);
  json::Object tags;
  for (const auto& [key, value] : s.tags) tags[key] = value;
  if (!tags.empty()) input["tags"] = std::move(tags);
  return input;
}

std::string name_from_command(const std::vector<std::string>& command) {
  std::string_view chosen = command.empty() ? std::string_view{} : file_of(command.front());
  for (const std::string_view interpreter : {"python", "python3", "bash", "sh", "perl", "Rscript", "julia",
                                             "node", "torchrun", "accelerate", "uv", "time", "env"}) {
    if (!starts_program(chosen, interpreter)) continue;
    // The first argument that is a script: no option and with a suffix.
    const auto script = std::find_if(command.begin() + 1, command.end(), [](std::string_view argument) {
      const std::size_t dot = file_of(argument).rfind('.');
      return !argument.starts_with('-') && argument.find(' ') == std::string_view::npos &&
             dot != std::string_view::npos && dot > 0;
    });
    if (script != command.end()) chosen = file_of(*script).substr(0, file_of(*script).rfind('.'));
    break;
  }
  std::string name = as_name(chosen);
  return name.empty() ? "job" : name;
}

Result<std::pair<std::string, std::string>> parse_variable(
    std::string_view text, const std::map<std::string, std::string, std::less<>>& own) {
  const std::size_t equals = text.find('=');
  const std::string name(text.substr(0, equals));
  if (name.empty())
    return fail(Code::InvalidArgument, "'" + std::string(text) + "' has no name; write NAME=VALUE");
  if (name.starts_with(kReservedPrefix))
    return fail(Code::InvalidArgument, "names that begin with AWS_BATCH are set by the server");
  if (equals != std::string_view::npos) return std::pair(name, std::string(text.substr(equals + 1)));
  const auto found = own.find(name);
  if (found == own.end())
    return fail(Code::InvalidArgument, name + " is not set here, so there is no value to take over");
  return *found;
}

Result<std::pair<std::string, std::string>> parse_tag(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    return fail(Code::InvalidArgument, "'" + std::string(text) + "' is no tag; write KEY=VALUE");
  return std::pair(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)));
}

std::vector<std::pair<std::string, std::string>> inherited_environment(
    const std::map<std::string, std::string, std::less<>>& own) {
  static constexpr auto kNames = std::to_array<std::string_view>({"PATH",
                                                                  "HOME",
                                                                  "LANG",
                                                                  "LANGUAGE",
                                                                  "TZ",
                                                                  "VIRTUAL_ENV",
                                                                  "CONDA_PREFIX",
                                                                  "CONDA_DEFAULT_ENV",
                                                                  "PYTHONPATH",
                                                                  "PYTHONHOME",
                                                                  "PYTHONUNBUFFERED",
                                                                  "LD_LIBRARY_PATH",
                                                                  "LIBRARY_PATH",
                                                                  "CPATH",
                                                                  "PKG_CONFIG_PATH",
                                                                  "MANPATH",
                                                                  "CUDA_HOME",
                                                                  "CUDA_PATH",
                                                                  "CUDA_CACHE_PATH",
                                                                  "OMP_NUM_THREADS",
                                                                  "MKL_NUM_THREADS",
                                                                  "OPENBLAS_NUM_THREADS",
                                                                  "R_LIBS",
                                                                  "R_LIBS_USER",
                                                                  "JULIA_DEPOT_PATH",
                                                                  "JULIA_PROJECT",
                                                                  "JAVA_HOME",
                                                                  "GOPATH",
                                                                  "CARGO_HOME",
                                                                  "RUSTUP_HOME",
                                                                  "HF_HOME",
                                                                  "HF_HUB_CACHE",
                                                                  "HF_DATASETS_CACHE",
                                                                  "TRANSFORMERS_CACHE",
                                                                  "TORCH_HOME",
                                                                  "XDG_CACHE_HOME",
                                                                  "XDG_CONFIG_HOME",
                                                                  "XDG_DATA_HOME",
                                                                  "MODULEPATH",
                                                                  "LOADEDMODULES",
                                                                  "TMPDIR"});
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto& [name, value] : own) {
    const bool wanted = std::ranges::find(kNames, name) != kNames.end() || name.starts_with("LC_");
    if (wanted && !value.empty()) out.emplace_back(name, value);
  }
  return out;
}

}  // namespace stoker::cli
