#pragma once
// Jobs as answers show them.
#include <string>

#include "aws/arn.h"
#include "core/event.h"
#include "core/state.h"
#include "json/json.h"

namespace stoker::aws {

// The job that the text means, an id or an ARN. Null when there is none: ":0" is no node, "#0" no child.
const core::Job* find_job(const core::State& state, std::string_view id_or_arn);
// Whom a job waits for by that dependency, of a child the child of that number or the one before it; null:
// nobody, or one that is forgotten.
const core::Job* awaited(const core::State& state, const core::Job& job, const core::Dependency& dependency);

// A job together with what children take from their array.
class JobView {
 public:
  JobView(const core::State& state, const core::Job& job);

  [[nodiscard]] const core::Job& job() const { return job_; }
  [[nodiscard]] const std::string& name() const { return parent_.extra->name; }
  [[nodiscard]] const core::JobQueue& queue() const;
  [[nodiscard]] const core::Tags* tags() const;  // null: none
  [[nodiscard]] const std::vector<core::Dependency>& depends_on() const { return parent_.extra->depends_on; }
  [[nodiscard]] const std::vector<core::Attempt>& attempts() const;
  // Always says something for a job that waits: what for.
  [[nodiscard]] std::string status_reason() const;
  // What ends as one: of a node its multi-node job, else itself.
  [[nodiscard]] const core::Job& whole() const { return job_.is_node() ? parent_ : job_; }
  // The job that its attempts ran: of a multi-node job its main node.
  [[nodiscard]] const core::Job& runner() const;
  // The attempt that is or was last, null when there was none.
  [[nodiscard]] const core::Attempt* latest_attempt() const;

 private:
  const core::State& state_;
  const core::Job& job_;
  const core::Job& parent_;  // itself for a job that is no child
};

// Names the attempt (from 1) of a job: the task that it was and its stream of output.
core::RunToken token_of(const core::Job& job, int attempt);

// Where the output of an attempt is read: as the definition says, else where Batch puts it.
struct LogPlace {
  std::string group;
  std::string stream;
};
LogPlace log_place(const core::JobSpec& spec, const core::RunToken& token);
inline constexpr std::string_view kJobLogGroup = "/aws/batch/job";
// The group that a container's logConfiguration asks for.
std::string_view log_group_of(const json::Value& container_properties);

// JobDetail, JobSummary.
json::Value job_detail(const Place& place, const JobView& view);
json::Value job_summary(const Place& place, const JobView& view);

}  // namespace stoker::aws
