// Lists of jobs: of a queue, of an array, of a consumable resource.
#include "aws/batch/job_view.h"
#include "aws/members.h"
#include "aws/merged_jobs.h"
#include "aws/operation.h"
#include "aws/page.h"
#include "base/text.h"

namespace stoker::aws {
namespace {

constexpr std::size_t kJobsMax = 1000;         // [M] without filters
constexpr std::size_t kFilteredJobsMax = 100;  // [M] with filters

std::optional<core::JobStatus> read_status(std::string_view text) {
  const auto found = std::ranges::find(core::kJobStatusNames, text);
  if (found == core::kJobStatusNames.end()) return std::nullopt;
  return static_cast<core::JobStatus>(found - core::kJobStatusNames.begin());
}

// One filter of ListJobs; jobs match when one of its values does.
class Filter {
 public:
  // InvalidArgument for an unknown name, no values, or a time that is no number.
  static Result<Filter> create(const json::Value& filter) {
    Filter out;
    out.name_ = json::get_string(filter, "name");
    out.values_ = read_texts(filter, "values");
    if (out.values_.empty()) return fail(Code::InvalidArgument, "A filter needs at least one value");
    if (out.name_ == "BEFORE_CREATED_AT" || out.name_ == "AFTER_CREATED_AT") {
      const auto at = parse_int(out.values_.front());
      if (out.values_.size() != 1 || !at) {
        return fail(Code::InvalidArgument, out.name_ + " takes one value, a time in milliseconds");
      }
      out.at_ = Instant{*at};
      return out;
    }
    if (out.name_ != "JOB_NAME" && out.name_ != "JOB_DEFINITION" && out.name_ != "SHARE_IDENTIFIER") {
      return fail(Code::InvalidArgument,
                  "The name of a filter must be JOB_NAME, JOB_DEFINITION, BEFORE_CREATED_AT, "
                  "AFTER_CREATED_AT or SHARE_IDENTIFIER");
    }
    return out;
  }

  // Only the filter by share goes together with jobStatus.
  [[nodiscard]] bool keeps_status() const { return name_ == "SHARE_IDENTIFIER"; }

  [[nodiscard]] bool matches(const JobView& view) const {
    if (name_ == "BEFORE_CREATED_AT") return view.job().created_at < at_;
    if (name_ == "AFTER_CREATED_AT") return view.job().created_at > at_;
    return std::ranges::any_of(values_, [&](const std::string& value) {
      if (name_ == "JOB_NAME") return name_matches(value, view.name());
      if (name_ == "SHARE_IDENTIFIER") return value == view.job().spec->share;
      return is_definition(value, *view.job().spec->definition);
    });
  }

 private:
  // A name is any revision and may end in '*'; an ARN is the one revision it names.
  static bool is_definition(const std::string& value, const core::JobDefinition& definition) {
    if (value.starts_with("arn:")) {
      const auto id = name_in_arn(value, "job-definition");
      return id && (*id == definition.id() || *id == definition.name);
    }
    if (!value.ends_with('*')) return value == definition.name;
    return definition.name.starts_with(std::string_view(value).substr(0, value.size() - 1));
  }

  std::string name_;
  std::vector<std::string> values_;
  Instant at_;
};

// A page that fills up from the newest job down; its token is the last number that was looked at.
class Collector {
 public:
  Collector(const Place& place, std::string_view list, const Page& page)
      : place_(place), list_(list), page_(page) {}

  [[nodiscard]] bool full() const { return found_.size() >= page_.size || looked_ >= kListScanMax; }
  void look_at(const JobView& view, bool wanted) {
    ++looked_;
    last_ = view.job().no;
    if (wanted) found_.push_back(job_summary(place_, view));
  }
  json::Value finish(bool more) {
    json::Object out{{"jobSummaryList", std::move(found_)}};
    if (more && last_) out["nextToken"] = page_token(list_, std::to_string(last_.value));
    return out;
  }

 private:
  const Place& place_;
  std::string_view list_;
  const Page& page_;
  json::Array found_;
  std::size_t looked_ = 0;
  core::JobNo last_;
};

// Where to go on below; nothing for a token that holds no number.
Result<core::JobNo> below(const Page& page) {
  if (page.after.empty()) return core::JobNo{std::numeric_limits<std::uint64_t>::max()};
  const auto no = parse_int(page.after);
  if (!no || *no < 0) return fail(Code::InvalidArgument, "Invalid nextToken");
  return core::JobNo{static_cast<std::uint64_t>(*no)};
}

Result<json::Value> list_queue(const Place& place, const core::JobQueue& queue,
                               const std::vector<core::JobStatus>& statuses,
                               const std::optional<Filter>& filter, const Page& page,
                               const core::State& state) {
  std::vector<const core::JobSet*> sets;
  for (const core::JobStatus status : statuses) sets.push_back(&state.jobs.of(queue.no, status));
  Collector collector(place, "jobs", page);
  MergedJobs jobs(sets, Direction::NewestFirst, TRY(below(page)));
  for (; jobs.current() && !collector.full(); jobs.advance()) {
    const JobView view(state, *state.jobs.find(*jobs.current()));
    collector.look_at(view, !filter || filter->matches(view));
  }
  return collector.finish(jobs.current().has_value());
}

// The children of an array, or the nodes of a multi-node job; filters do not apply to them [M]. From the
// first one up.
Result<json::Value> list_children(const Place& place, const json::Value& input, std::string_view member,
                                  core::JobStatus status, const core::State& state) {
  const Page page = TRY(read_page(input, "children", kJobsMax));
  const auto name = job_in(json::get_string(input, member));
  const core::Job* parent = name ? state.jobs.find(name->id) : nullptr;
  Collector collector(place, "children", page);
  const bool nodes = member == "multiNodeJobId";
  if (parent == nullptr || (nodes ? !parent->is_gang() : !parent->is_array())) return collector.finish(false);
  const std::span<const core::Job> children = parent->children();
  std::size_t i = 0;
  if (!page.after.empty()) {
    const std::uint64_t last = TRY(below(page)).value;
    i = last > parent->no.value ? static_cast<std::size_t>(last - parent->no.value) : 0;
  }
  for (; i < children.size() && !collector.full(); ++i) {
    collector.look_at(JobView(state, children[i]), children[i].status == status);
  }
  return collector.finish(i < children.size());
}

Result<json::Value> list(const Place& place, const json::Value& input, const core::State& state, Instant) {
  const std::string_view queue_text = json::get_string(input, "jobQueue");
  const std::string_view array = json::get_string(input, "arrayJobId");
  const std::string_view multi_node = json::get_string(input, "multiNodeJobId");
  if (!queue_text.empty() + !array.empty() + !multi_node.empty() != 1) {
    return fail(Code::InvalidArgument,
                "Exactly one of jobQueue, arrayJobId and multiNodeJobId must be given");
  }
  // [M]: without a status only the running jobs.
  const core::JobStatus status =
      read_status(json::get_string(input, "jobStatus")).value_or(core::JobStatus::Running);
  if (!array.empty()) return list_children(place, input, "arrayJobId", status, state);
  if (!multi_node.empty()) return list_children(place, input, "multiNodeJobId", status, state);

  const json::Array& filters = json::get_array(input, "filters");
  if (filters.size() > 1) return fail(Code::InvalidArgument, "At most one filter can be given");
  std::optional<Filter> filter;
  if (!filters.empty()) filter = TRY(Filter::create(filters.front()));
  const Page page = TRY(read_page(input, "jobs", filter ? kFilteredJobsMax : kJobsMax));
  const std::string name = TRY(name_in(queue_text, "job-queue"));
  const core::JobQueue* queue = state.find_queue(name);
  if (queue == nullptr) return fail(Code::NotFound, "Job queue " + name + " does not exist");

  std::vector<core::JobStatus> statuses{status};
  const bool any_status = filter && (!filter->keeps_status() || json::find(input, "jobStatus") == nullptr);
  if (any_status) {
    statuses.clear();
    for (std::size_t i = 0; i < core::kJobStatusCount; ++i)
      statuses.push_back(static_cast<core::JobStatus>(i));
  }
  return list_queue(place, *queue, statuses, filter, page, state);
}

// ---- ListJobsByConsumableResource ----

struct ResourceFilters {
  std::vector<std::string> names;
  std::vector<std::string> statuses;

  static Result<ResourceFilters> create(const json::Value& input) {
    ResourceFilters out;
    for (const json::Value& filter : json::get_array(input, "filters")) {
      const std::string_view name = json::get_string(filter, "name");
      auto values = read_texts(filter, "values");
      if (name == "JOB_NAME") {
        out.names = std::move(values);
      } else if (name == "JOB_STATUS") {
        for (const std::string& value : values)
          if (std::ranges::find(core::kJobStatusNames, value) == core::kJobStatusNames.end())
            return fail(Code::InvalidArgument, "There is no job status " + value.substr(0, 64));
        out.statuses = std::move(values);
      } else {
        return fail(Code::InvalidArgument, "The name of a filter must be JOB_STATUS or JOB_NAME");
      }
    }
    return out;
  }
  [[nodiscard]] bool match(const JobView& view) const {
    const bool status =
        statuses.empty() || std::ranges::find(statuses, name_of(view.job().status)) != statuses.end();
    return status && (names.empty() || std::ranges::any_of(names, [&](const std::string& pattern) {
                        return name_matches(pattern, view.name());
                      }));
  }
};

json::Value by_resource_summary(const Place& place, const JobView& view, std::int64_t quantity) {
  json::Object all = job_detail(place, view).get_object();
  json::Object out{{"jobQueueArn", all["jobQueue"]},
                   {"jobDefinitionArn", all["jobDefinition"]},
                   {"jobStatus", all["status"]}};
  copy_members(out, all,
               {"jobArn", "jobName", "shareIdentifier", "statusReason", "startedAt", "createdAt",
                "consumableResourceProperties"});
  out["quantity"] = quantity;
  return out;
}

Result<json::Value> list_by_resource(const Place& place, const json::Value& input, const core::State& state,
                                     Instant) {
  constexpr std::string_view kList = "resource-jobs";
  const Page page = TRY(read_page(input, kList));
  const ResourceFilters filters = TRY(ResourceFilters::create(input));
  const std::string name = TRY(name_in(json::get_string(input, "consumableResource"), "consumable-resource"));
  if (!state.consumables.contains(name))
    return fail(Code::NotFound, "Consumable resource " + name + " does not exist");

  json::Array found;
  std::size_t looked = 0;
  core::JobNo last = TRY(below(page));
  auto no = state.jobs.all().before(last);
  for (; no && found.size() < page.size && looked < kListScanMax;
       no = state.jobs.all().before(*no), ++looked) {
    last = *no;
    const core::Job& job = *state.jobs.find(*no);
    const auto need = std::ranges::find(job.spec->consumables, name, &core::ConsumableNeed::resource);
    if (need == job.spec->consumables.end()) continue;
    const JobView view(state, job);
    if (filters.match(view)) found.push_back(by_resource_summary(place, view, need->quantity));
  }
  json::Object out{{"jobs", std::move(found)}};
  if (no) out["nextToken"] = page_token(kList, std::to_string(last.value));
  return out;
}

}  // namespace

void add_job_lists(Handlers& handlers) {
  using enum OperationId;
  handlers[BatchListJobs] = {.read = list};
  handlers[BatchListJobsByConsumableResource] = {.read = list_by_resource};
}

}  // namespace stoker::aws
