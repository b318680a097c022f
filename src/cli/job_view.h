#pragma once
// A job as the commands show it, read from the JSON of the server.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "cli/table.h"
#include "json/json.h"

namespace stoker::cli {

inline constexpr std::array<std::string_view, 7> kStatuses = {
    "SUBMITTED", "PENDING", "RUNNABLE", "STARTING", "RUNNING", "SUCCEEDED", "FAILED"};
bool has_ended(std::string_view status);
bool is_active(std::string_view status);
Colour colour_of_status(std::string_view status);

struct JobView {
  std::string id{};  // "uuid", "uuid:index" or "uuid#node"
  std::string name{};
  std::string queue{};  // its name
  std::string status{};
  std::string reason{};            // statusReason
  std::string container_reason{};  // what the node said, e.g. OutOfMemoryError
  std::string node{};              // of the latest attempt; "" where it is not told
  std::optional<std::int64_t> exit_code{};
  Instant created{};
  Instant started{};
  Instant stopped{};
  Instant attempt_stopped{};  // its latest attempt ended, though the job may wait for another
  Instant runnable{};         // since when it waited last, where that is told
  std::int64_t cpus_milli = 0;
  std::int64_t memory_mib = 0;
  std::string gpus{};        // as they were asked for: "2", "0.5", "3x1g.10gb"; "" for none
  std::size_t attempts = 0;  // that ended
  std::string cost{};        // in dollars: "1.25", "~0.5" while that may change; "" where it is not told
  // Array parents: how many children there are, and how many in each status (order of kStatuses).
  std::optional<std::int64_t> array_size{};
  std::array<std::int64_t, kStatuses.size()> children{};
  // Multi-node jobs: how many nodes they have, and which is the main one (where that is told).
  std::optional<std::int64_t> nodes{};
  std::optional<std::int64_t> main_node{};

  [[nodiscard]] bool ended() const { return has_ended(status); }
  // How long it has waited, ran, or has been waiting or running now. Zero for what never came. Of jobs that
  // were tried several times: how long the latest attempt ran, and since it ended, how long it waits again.
  [[nodiscard]] Duration waited(Instant now) const;
  [[nodiscard]] Duration ran(Instant now) const;
  // Why it waits, how far an array is, or how it ended: one line, may be "".
  [[nodiscard]] std::string remark() const;
};

// `job`: a JobDetail of DescribeJobs.
JobView view_of(const json::Value& job);
// `line`: one entry of ListAllJobs.
JobView view_of_line(const json::Value& line);

// A reason of the form "CODE - what AWS says. What stoker adds." without its middle: "CODE: What stoker
// adds."
std::string short_reason(std::string_view reason);

// "arn:...:job-queue/default" → "default"; what is no ARN stays.
std::string_view name_of_arn(std::string_view arn);

// The first eight characters of the id and the index: "1b9d6bcd", "1b9d6bcd:4".
std::string short_id(std::string_view id);

// "8 succeeded, 1 running, 1 failed"; states nobody is in are left out.
std::string children_text(const JobView& parent);

}  // namespace stoker::cli
