#include "cli/execution_follower.h"

#include <algorithm>

#include "cli/execution_listing.h"
#include "cli/execution_view.h"
#include "cli/exit.h"
#include "cli/history_view.h"
#include "cli/indented_json.h"
#include "cli/listing.h"
#include "cli/quantity.h"
#include "cli/text_width.h"

namespace stoker::cli {
namespace {

// Looked at each time; more than a screen shows.
constexpr std::size_t kJobsWatchedMax = 100;
constexpr std::size_t kMapRunsWatchedMax = 10;
// A job that waits shorter than this is not called waiting; and between two lines about the same job.
constexpr Duration kQuietWait = seconds(2);
constexpr Duration kRemarkPause = seconds(10);
constexpr std::size_t kRowsLeast = 4;
constexpr std::size_t kJobsNamedMax = 5;  // in the last words

}  // namespace

ExecutionFollower::ExecutionFollower(Context& context, Api& api, std::string arn, bool quiet)
    : context_(context), api_(api), arn_(std::move(arn)), quiet_(quiet) {
  data_.machine = printable(machine_of_arn(arn_));
  data_.name = printable(arn_.substr(arn_.rfind(':') + 1));
  if (!quiet_ && context_.err.terminal) region_ = std::make_unique<LiveRegion>(context_.err);
}

Result<bool> ExecutionFollower::step() {
  const std::vector<json::Value> events = TRY(events_after(api_, arn_, data_.tree.last_event()));
  news_ = !events.empty();
  if (region_ || quiet_)
    for (const json::Value& event : events) data_.tree.add(event);
  else
    tell_events(events);
  const bool ended = static_cast<bool>(data_.tree.ended());
  if (ended) description_ = TRY(api_.states("DescribeExecution", json::Object{{"executionArn", arn_}}));
  if (!quiet_) {
    look_at_jobs();
    if (region_) look_at_map_runs();
    if (region_)
      draw(ended);
    else
      tell_waiting_jobs();
  }
  return ended;
}

Result<void> ExecutionFollower::end() {
  TRY(api_.states(
      "StopExecution",
      json::Object{{"executionArn", arn_}, {"error", "Interrupted"}, {"cause", "Interrupted by its user"}}));
  return {};
}

void ExecutionFollower::remark(std::string_view text) {
  if (region_)
    region_->say("stoker: " + std::string(text));
  else
    complain(context_, text);
}

// Of states that are still open: status, and why it waits, in the words of Explain. A job that cannot be
// asked for is shown without.
void ExecutionFollower::look_at_jobs() {
  std::vector<std::string> ids;
  for (const StateView& state : data_.tree.states())
    if (is_open(state.status) && !state.job_id.empty() && ids.size() < kJobsWatchedMax)
      ids.push_back(state.job_id);
  data_.jobs.clear();
  if (ids.empty()) return;
  const auto jobs = describe_jobs(api_, ids);
  if (!jobs) return;
  for (const json::Value& job : *jobs) {
    JobView view = view_of(job);
    std::string id = view.id;
    data_.jobs.emplace(std::move(id), std::move(view));
  }
}

void ExecutionFollower::look_at_map_runs() {
  std::size_t looked = 0;
  for (const StateView& state : data_.tree.states()) {
    if (state.map_run_arn.empty() ||
        (!is_open(state.status) && data_.map_runs.contains(state.map_run_arn) && !news_))
      continue;
    if (++looked > kMapRunsWatchedMax) return;
    if (auto run = api_.states("DescribeMapRun", json::Object{{"mapRunArn", state.map_run_arn}}))
      data_.map_runs[state.map_run_arn] = std::move(*run);
  }
}

void ExecutionFollower::tell(Instant at, const std::string& path, const std::string& text, bool failed) {
  const std::string line =
      "stoker: " + duration_text(at - data_.tree.started()) + "  " + path + (path.empty() ? "" : ": ") + text;
  context_.err.write(paint(line, failed ? Colour::Red : Colour::Dim, context_.err.colours) + "\n");
}

void ExecutionFollower::tell_events(const std::vector<json::Value>& events) {
  for (const json::Value& event : events) {
    const ExecutionTree::Place place = data_.tree.add(event);
    const std::string news = event_news(event, data_.tree, place);
    if (!news.empty())
      tell(wire_instant(event, "timestamp"), data_.tree.path(place), news, news.starts_with("failed"));
  }
}

// A line for the first of them; the others mostly wait for the same.
void ExecutionFollower::tell_waiting_jobs() {
  const Instant now = context_.now();
  std::size_t waiting = 0;
  std::string path;
  std::string remark;
  for (std::size_t i = 0; i < data_.tree.states().size(); ++i) {
    const StateView& state = data_.tree.states()[i];
    const auto job = data_.jobs.find(state.job_id);
    if (job == data_.jobs.end() || !is_open(state.status)) continue;
    const JobView& view = job->second;
    if (view.status == "RUNNING" || view.status == "STARTING" || now - view.created < kQuietWait) continue;
    if (++waiting > 1) continue;
    path = data_.tree.path({.thread = state.thread, .state = i});
    remark = "job " + short_id(state.job_id) + " " + view.status +
             (view.remark().empty() ? "" : ": " + view.remark());
  }
  if (waiting > 1) remark += "; " + std::to_string(waiting - 1) + " more wait";
  if (waiting == 0 || remark == told_ || (told_at_ && now - told_at_ < kRemarkPause)) return;
  told_ = remark;
  told_at_ = now;
  tell(now, path, remark, false);
}

void ExecutionFollower::draw(bool last) {
  const Size size = context_.size();
  FrameLook look{.columns = static_cast<std::size_t>(std::max(size.columns, 20)),
                 .rows = std::max(static_cast<std::size_t>(std::max(size.rows, 1)), kRowsLeast) - 1,
                 .colours = context_.err.colours};
  if (!last) return region_->draw(execution_frame(data_, context_.now(), look));
  // The whole of it stays on the terminal.
  region_->draw({});
  look.rows = 0;
  std::string text;
  for (const std::string& line : execution_frame(data_, context_.now(), look)) text += line + "\n";
  context_.err.write(text);
}

namespace {

// Where to read what the jobs of failed states have printed.
void name_failed_jobs(Context& context, const ExecutionTree& tree) {
  std::size_t named = 0;
  for (const StateView& state : tree.states()) {
    const bool failed = state.status == StateStatus::Failed || state.status == StateStatus::Caught;
    if (!failed || state.job_id.empty() || ++named > kJobsNamedMax) continue;
    complain(context, "output of " + state.name + ": stoker logs " + short_id(state.job_id));
  }
}

}  // namespace

int report_end(Context& context, const json::Value& description, const ExecutionTree& tree, bool as_json) {
  const std::string status(json::get_string(description, "status"));
  if (as_json) context.out.write(json::write_pretty(description) + "\n");
  if (status == "SUCCEEDED") {
    if (as_json) return kOk;
    const std::string_view output = json::get_string(description, "output");
    const bool indented = context.out.terminal && json::parse(output);
    context.out.write((indented ? indented_json(output) : std::string(output)) + "\n");
    return kOk;
  }
  const ExecutionView view = view_of_execution(description);
  const std::string line = view.status + " after " + duration_text(view.ran(view.stopped)) +
                           (view.failure.empty() ? "" : ": " + view.failure);
  complain(context, paint(line, Colour::Red, context.err.colours));
  name_failed_jobs(context, tree);
  // From a Fail state it would only fail again.
  const std::size_t last = tree.threads().front().current;
  const bool worth_it = last != ExecutionTree::kNone && tree.states()[last].type != "Fail";
  if (worth_it && json::get_string(description, "redriveStatus") == "REDRIVABLE" && view.status != "ABORTED")
    complain(context, "once the reason is gone, 'stoker redrive " + short_execution(view.name) +
                          "' goes on from there");
  return kFailed;
}

int follow_execution(Context& context, Api& api, const std::string& arn, rt::Signals& signals,
                     ExecutionRules rules) {
  Result<FollowEnd> end = FollowEnd::Ended;
  json::Value description;
  ExecutionTree tree;
  {
    ExecutionFollower follower(context, api, arn, rules.quiet);
    end = follow(context, api, follower, signals, {.terminates = rules.stops});
    description = follower.description();
    tree = follower.tree();
  }  // the terminal is as it was
  if (!end) return complain(context, end.error());
  if (*end == FollowEnd::Detached || (*end == FollowEnd::Interrupted && !rules.stops)) {
    complain(context, "detached; the execution goes on, 'stoker history -f " +
                          short_execution(printable(arn.substr(arn.rfind(':') + 1))) + "' follows it");
    return kInterrupted;
  }
  if (description.is_null()) return kInterrupted;  // not waited for
  const int status = report_end(context, description, tree, rules.json);
  return *end == FollowEnd::Interrupted ? kInterrupted : status;
}

}  // namespace stoker::cli
