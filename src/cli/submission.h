#pragma once
// What `stoker submit` asks for, and the requests that it becomes. Plain values: no server, no process.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "json/json.h"

namespace stoker::cli {

inline constexpr std::string_view kHostImage = "host";
inline constexpr std::int64_t kMemoryPerCpuMib = 2048;  // where --memory is not given
inline constexpr Duration kTimeoutLeast = minutes(1);   // of AWS Batch

struct Submission {
  std::string queue = "default";
  std::string name{};  // "": from the command
  std::string image{kHostImage};
  std::int64_t cpus = 1;
  std::optional<std::int64_t> memory_mib{};
  std::string gpus{};  // as a GPU value of Batch is written here: "2", "0.5", "2g.20gb"; "": none
  std::optional<std::int64_t> array_size{};
  std::optional<std::int64_t> nodes{};  // of a multi-node job; CPUs, memory and GPUs are those of each
  std::optional<std::int64_t> retries{};
  std::optional<Duration> timeout{};
  std::optional<std::int64_t> priority{};
  std::string share{};
  std::vector<std::string> depends_on{};  // ids
  std::vector<std::pair<std::string, std::string>> environment{};
  std::vector<std::pair<std::string, std::string>> tags{};
  std::vector<std::string> command{};

  [[nodiscard]] std::int64_t memory() const { return memory_mib ? *memory_mib : cpus * kMemoryPerCpuMib; }
};

// A name for the shape (image and resources): "host-2cpu-4096mib-1gpu", with "-nodes" behind it for
// multi-node jobs, however many nodes they have. Jobs of one shape share a definition.
std::string definition_name(const Submission& submission);

// The input of RegisterJobDefinition. Command, environment, retries and time limit are not part of it: they
// come with each job.
json::Value definition_input(const Submission& submission);

// Whether a JobDefinition, as DescribeJobDefinitions shows it, does exactly what definition_input() would.
bool is_same_definition(const json::Value& definition, const Submission& submission);

// The input of SubmitJob. `definition`: "name:revision".
json::Value submit_input(const Submission& submission, std::string_view definition);

// "python train.py" → "train": the program, or the script that an interpreter runs, with the characters that
// job names may have.
std::string name_from_command(const std::vector<std::string>& command);

// "K=V" as a pair; "K" takes the value from `own`. InvalidArgument for no name and for names that AWS keeps.
Result<std::pair<std::string, std::string>> parse_variable(
    std::string_view text, const std::map<std::string, std::string, std::less<>>& own);

// "K=V" as a pair. InvalidArgument without '=' or key.
Result<std::pair<std::string, std::string>> parse_tag(std::string_view text);

// What a job of image `host` takes over of the environment it is submitted from: where programs,
// interpreters, libraries and caches are found, and the language. Nothing that may hold a secret.
std::vector<std::pair<std::string, std::string>> inherited_environment(
    const std::map<std::string, std::string, std::less<>>& own);

}  // namespace stoker::cli
