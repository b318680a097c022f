// Jobs one by one: submit, describe, cancel, terminate.
#include "aws/batch/job_view.h"
#include "aws/foreign_arns.h"
#include "aws/members.h"
#include "aws/operation.h"

namespace stoker::aws {
namespace {

constexpr std::size_t kSubmissionBytesMax = 30u << 10;  // AWS Batch service quotas
constexpr std::size_t kNameMax = 128;
constexpr std::size_t kReasonMax = 1024;        // [M] CancelJobRequest.reason, characters
constexpr std::size_t kDescribedJobsMax = 100;  // [M] DescribeJobsRequest.jobs

bool is_job_name(std::string_view name) {
  const auto alphanumeric = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  return !name.empty() && name.size() <= kNameMax && alphanumeric(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return alphanumeric(c) || c == '-' || c == '_'; });
}

Result<core::Dependency> read_dependency(const json::Value& entry) {
  core::Dependency out;
  const std::string_view type = json::get_string(entry, "type");
  if (type == "N_TO_N") out.type = core::DependencyType::NToN;
  if (type == "SEQUENTIAL") out.type = core::DependencyType::Sequential;
  const std::string_view id = json::get_string(entry, "jobId");
  if (id.empty()) return out;
  const auto job = job_in(id);
  if (!job)
    return fail(Code::InvalidArgument,
                "dependsOn: job " + std::string(id.substr(0, 256)) + " does not exist");
  out.job = job->id;
  out.index = job->index;
  return out;
}

// Members of SubmitJob that change what the definition says. Empty ones count as not given, so that callers
// that always send them share one spec with those that do not.
json::Shared take_overrides(json::Value& input) {
  json::Object& object = input.get_object();
  for (const std::string_view member : {"parameters", "containerOverrides", "retryStrategy", "timeout"}) {
    const auto found = object.find(member);
    if (found != object.end() && found->value().get_object().empty()) object.erase(found);
  }
  return take_members(input,
                      {"shareIdentifier", "schedulingPriorityOverride", "parameters", "containerOverrides",
                       "nodeOverrides", "retryStrategy", "propagateTags", "timeout", "eksPropertiesOverride",
                       "ecsPropertiesOverride", "consumableResourcePropertiesOverride"});
}

Result<core::Request> prepare_submit(const Place&, json::Value& input, Backend& backend) {
  core::SubmitJob out;
  out.job_name = json::get_string(input, "jobName");
  if (!is_job_name(out.job_name)) {
    return fail(Code::InvalidArgument,
                "Job name should match valid pattern: up to 128 letters, numbers, hyphens and underscores, "
                "the first a "
                "letter or number");
  }
  out.queue = TRY(name_in(json::get_string(input, "jobQueue"), "job-queue"));
  out.definition = TRY(name_in(json::get_string(input, "jobDefinition"), "job-definition"));
  if (const json::Value* array = json::find(input, "arrayProperties");
      array && json::find(*array, "size") != nullptr) {
    const std::int64_t size = json::get_int(*array, "size");
    // 0 means "no array" to the core; a caller who writes it means an array.
    if (size == 0) return fail(Code::InvalidArgument, "arrayProperties.size must be between 2 and 10000");
    out.array_size = static_cast<int>(size);
  }
  for (const json::Value& entry : json::get_array(input, "dependsOn")) {
    out.depends_on.push_back(TRY(read_dependency(entry)));
  }
  if (json::find(input, "tags") != nullptr) out.tags = read_tags(input);
  out.overrides = take_overrides(input);
  out.id = backend.new_uuid();
  return out;
}

json::Value finish_submit(const Place& place, const json::Value& input, const core::Answer& answer) {
  const std::string id = std::get<core::JobAccepted>(answer).id.str();
  json::Object out;
  out.reserve(3);
  out.emplace("jobArn", batch_arn(place, "job", id));
  out.emplace("jobName", json::get_string(input, "jobName"));
  out.emplace("jobId", id);
  return out;
}

// Ids and reasons of cancel and terminate. A well-formed id that is unknown is no error, so neither is any
// other text.
struct Ending {
  JobName job;
  std::string reason;
};
Result<Ending> read_ending(const json::Value& input) {
  const std::string_view id = json::get_string(input, "jobId");
  const std::string_view reason = json::get_string(input, "reason");
  if (id.empty()) return fail(Code::InvalidArgument, "jobId must not be empty");
  if (reason.empty()) return fail(Code::InvalidArgument, "reason must not be empty");
  const auto characters =
      std::ranges::count_if(reason, [](char c) { return (static_cast<std::uint8_t>(c) & 0xc0) != 0x80; });
  if (characters > static_cast<std::ptrdiff_t>(kReasonMax)) {
    return fail(Code::InvalidArgument, "reason must have up to 1024 characters");
  }
  return Ending{job_in(id).value_or(JobName{}), std::string(reason)};
}

Result<core::Request> prepare_cancel(const Place&, json::Value& input, Backend&) {
  auto [job, reason] = TRY(read_ending(input));
  return core::CancelJob{.id = job.id, .index = job.index, .reason = std::move(reason)};
}
Result<core::Request> prepare_terminate(const Place&, json::Value& input, Backend&) {
  auto [job, reason] = TRY(read_ending(input));
  return core::TerminateJob{.id = job.id, .index = job.index, .reason = std::move(reason)};
}
json::Value finish_ending(const Place&, const json::Value&, const core::Answer&) {
  return json::Object{};
}

Result<json::Value> describe(const Place& place, const json::Value& input, const core::State& state,
                             Instant) {
  const json::Array& ids = json::get_array(input, "jobs");
  if (ids.size() > kDescribedJobsMax) return fail(Code::InvalidArgument, "jobs can have at most 100 entries");
  json::Array found;
  Named named;
  for (const json::Value& id : ids) {
    if (is_foreign(place, json::text(id))) continue;
    const core::Job* job = find_job(state, json::text(id));
    if (job != nullptr && named.is_new(job)) found.push_back(job_detail(place, JobView(state, *job)));
  }
  return json::Object{{"jobs", std::move(found)}};
}

}  // namespace

void add_jobs(Handlers& handlers) {
  using enum OperationId;
  handlers[BatchSubmitJob] = {
      .prepare = prepare_submit, .finish = finish_submit, .body_bytes_max = kSubmissionBytesMax};
  handlers[BatchCancelJob] = {.prepare = prepare_cancel, .finish = finish_ending};
  handlers[BatchTerminateJob] = {.prepare = prepare_terminate, .finish = finish_ending};
  handlers[BatchDescribeJobs] = {.read = describe};
}

}  // namespace stoker::aws
