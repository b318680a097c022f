// Why a job is where it is. Only says what the rules themselves have said or would say: the reasons come from
// the last scheduling pass, the fit of nodes from the predicate that places.
#include "aws/batch/job_view.h"
#include "aws/stoker/own.h"
#include "core/provision/costs.h"
#include "core/provision/progress.h"
#include "core/schedule/fit.h"
#include "core/schedule/order.h"
#include "core/schedule/preempt/claims.h"
#include "core/schedule/preempt/preempt.h"
#include "core/schedule/quota/gate.h"

namespace stoker::aws {
namespace {

constexpr std::size_t kNodesMax = 20;
constexpr std::size_t kAheadNamed = 5;
constexpr std::size_t kChainMax = 20;       // reasons of others that are told
constexpr std::size_t kPositionMax = 1000;  // jobs counted to find the place in the queue

std::string_view kind_name(core::WaitKind kind) {
  switch (kind) {
    case core::WaitKind::None:
      return "NOT_TRIED_YET";
    case core::WaitKind::Resources:
      return "RESOURCES";
    case core::WaitKind::Consumables:
      return "CONSUMABLES";
    case core::WaitKind::Order:
      return "ORDER";
    case core::WaitKind::Cap:
      return "CAP";
    case core::WaitKind::Reservation:
      return "RESERVATION";
    case core::WaitKind::NeverFits:
      return "NEVER_FITS";
    case core::WaitKind::NoNodes:
      return "NO_NODES";
    case core::WaitKind::Disabled:
      return "DISABLED";
    case core::WaitKind::Quota:
      return "QUOTA";
    case core::WaitKind::Launching:
      return "LAUNCHING";
    case core::WaitKind::NoCapacity:
      return "NO_CAPACITY";
    case core::WaitKind::Limit:
      return "LIMIT";
    case core::WaitKind::Budget:
      return "BUDGET";
    case core::WaitKind::Market:
      return "MARKET";
    case core::WaitKind::Patience:
      return "PATIENCE";
    case core::WaitKind::Invalid:
      return "INVALID";
  }
  return "NOT_TRIED_YET";
}

// Jobs that are alike have one reason; it is not older for a job than its waiting.
Instant since_of(const core::WaitReason& reason, const core::Job& job) {
  return reason.since ? std::max(reason.since, job.runnable_at) : Instant{};
}

json::Object reason(std::string_view kind, std::string text, Instant since = {}) {
  json::Object out{{"kind", kind}, {"text", std::move(text)}};
  if (since) out["since"] = since.ms;
  return out;
}

// The reason is not the job's own.
json::Object of_job(std::string id, json::Object reason) {
  reason["jobId"] = std::move(id);
  return reason;
}

std::string_view dependency_type(const core::Dependency& dependency) {
  switch (dependency.type) {
    case core::DependencyType::NToN:
      return "N_TO_N";
    case core::DependencyType::Sequential:
      return "SEQUENTIAL";
    case core::DependencyType::Whole:
      break;
  }
  return "WHOLE";
}

json::Array lacks(core::Lack lack) {
  json::Array out;
  if ((lack & core::kLackCpu) != 0) out.emplace_back("vCPU");
  if ((lack & core::kLackMemory) != 0) out.emplace_back("memory");
  if ((lack & core::kLackGpu) != 0) out.emplace_back("GPU");
  if ((lack & core::kLackContainers) != 0) out.emplace_back("container engine");
  if ((lack & core::kLackInstanceType) != 0) out.emplace_back("instance type");
  if ((lack & core::kLackMarket) != 0) out.emplace_back("market");
  return out;
}

// What is free of the node for jobs that have no claim on it. GPUs with MIG switched on serve MIG devices
// alone.
void put_free(json::Object& out, const core::Node& node) {
  core::Resources free = core::free_for_others(node);
  std::int64_t milli = 0;
  std::map<std::string_view, std::int64_t> devices;  // by profile
  std::int64_t idle = 0;
  for (const core::NodeGpu& gpu : node.gpus) {
    milli += gpu.free_milli();
    if (gpu.mig == core::MigMode::Off || !gpu.usable() || node.hold.mig) continue;
    if (gpu.mig == core::MigMode::Dynamic && gpu.idle()) {
      ++idle;
      continue;
    }
    for (const core::MigDevice& device : gpu.devices)
      if (!device.holder) ++devices[device.profile];
  }
  free.gpu_milli = std::min(milli, free.all_gpu_milli());
  free.gpus = 0;
  out["free"] = to_json(free);
  json::Object by_profile;
  for (const auto& [profile, count] : devices) by_profile[profile] = count;
  if (!by_profile.empty()) out["freeMigDevices"] = std::move(by_profile);
  if (idle > 0) out["idleMigGpus"] = idle;
}

class Explanation {
 public:
  Explanation(const core::State& state, const core::Job& job, Instant now)
      : state_(state),
        job_(job),
        waiter_(job.is_node() ? state.jobs.parent_of(job) : job),
        now_(now),
        view_(state, job) {}

  json::Value make() {
    json::Object out{{"jobId", job_.public_id()},
                     {"jobName", view_.name()},
                     {"jobQueue", view_.queue().name},
                     {"status", name_of(job_.status)}};
    if (const Instant at = since()) out["since"] = at.ms;
    json::Array chain = reasons();
    out["reasons"] = std::move(chain);
    out["requirements"] = to_json(job_.spec->container.resources);
    out["asks"] = core::describe(within_share(state_.shape(job_.spec->shape)));
    if (!view_.depends_on().empty()) out["dependencies"] = dependencies();
    if (job_.status == core::JobStatus::Runnable) {
      put_position(out);
      out["nodes"] = nodes();
    }
    if (view_.latest_attempt() != nullptr) out["attempt"] = attempt();
    put_starter(out, job_, state_);
    put_cost(out);
    return out;
  }

 private:
  // When the job came into its state.
  [[nodiscard]] Instant since() const {
    switch (job_.status) {
      case core::JobStatus::Submitted:
      case core::JobStatus::Pending:
        return job_.created_at;
      case core::JobStatus::Runnable:
        return job_.runnable_at;
      case core::JobStatus::Starting:
        return view_.latest_attempt() != nullptr ? view_.latest_attempt()->placed_at : Instant{};
      case core::JobStatus::Running:
        return job_.started_at;
      case core::JobStatus::Succeeded:
      case core::JobStatus::Failed:
        break;
    }
    return job_.stopped_at;
  }

  json::Array reasons() {
    json::Array out;
    switch (job_.status) {
      case core::JobStatus::Submitted:
      case core::JobStatus::Pending:
        out.push_back(pending_reason());
        add_open_dependencies(out);
        break;
      case core::JobStatus::Runnable:
        add_waiting(out);
        break;
      case core::JobStatus::Starting:
      case core::JobStatus::Running:
        out.push_back(active_reason());
        if (job_.is_gang()) out.push_back(reason("NODES", nodes_text()));
        if (core::is_preempted(job_))
          out.push_back(reason(core::is_moving(job_) ? "MOVING" : "PREEMPTED",
                               view_.latest_attempt()->status_reason, view_.latest_attempt()->preempted.at));
        add_deadline(out);
        add_quota(out);
        break;
      case core::JobStatus::Succeeded:
      case core::JobStatus::Failed:
        out.push_back(reason("ENDED", ended_text(), job_.stopped_at));
        break;
    }
    return out;
  }

  // The child that shows what the others wait for, too: the first that waits for room, else the first that
  // has not ended.
  static const core::Job* example_of(const core::Job& array) {
    const core::Job* open = nullptr;
    for (const core::Job& child : array.children()) {
      if (child.status == core::JobStatus::Runnable) return &child;
      if (open == nullptr && !is_terminal(child.status)) open = &child;
    }
    return open;
  }

  // What the jobs wait for that it depends on, and those that they depend on; of arrays what their children
  // wait for.
  void add_open_dependencies(json::Array& out) const {
    std::vector<const core::Job*> waiting = {&job_};
    const auto add = [&](const core::Job* other) {
      if (other == nullptr || is_terminal(other->status) || out.size() >= kChainMax) return;
      if (std::ranges::find(waiting, other) != waiting.end()) return;  // told already
      std::string why = JobView(state_, *other).status_reason();
      if (why.empty() && other->is_array()) why = "its children are" + children_text(*other);
      const bool own = job_.is_array() && other->parent == job_.no;
      out.push_back(of_job(
          other->public_id(),
          reason(own ? "CHILDREN" : "DEPENDENCIES", std::string("Is ") + std::string(name_of(other->status)) +
                                                        (why.empty() ? "" : ": " + why))));
      waiting.push_back(other);
    };
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      const core::Job& job = *waiting[i];
      if (job.status == core::JobStatus::Pending || job.status == core::JobStatus::Submitted)
        for (const core::Dependency& dependency : JobView(state_, job).depends_on())
          add(awaited(state_, job, dependency));
      if (job.is_array() && job.unmet == 0) add(example_of(job));
    }
  }

  // " 2 RUNNABLE, 1 RUNNING"
  static std::string children_text(const core::Job& array) {
    std::string text;
    for (std::size_t i = 0; i < core::kJobStatusCount; ++i)
      if (const std::uint32_t count = array.extra->array->counts[i]; count != 0)
        text +=
            (text.empty() ? " " : ", ") + std::to_string(count) + ' ' + std::string(core::kJobStatusNames[i]);
    return text;
  }

  json::Object pending_reason() {
    const std::string open = view_.status_reason();
    if (!open.empty()) return reason("DEPENDENCIES", open, job_.created_at);
    if (!job_.is_array()) return reason("DEPENDENCIES", "Waits for its turn to be checked", job_.created_at);
    return reason("CHILDREN", "Its children are" + children_text(job_), job_.created_at);
  }

  // What its quota share may have, when it has one.
  void add_quota(json::Array& out) const {
    const core::QuotaShares* shares = core::quota_shares_of(state_, job_.queue);
    const auto share =
        shares == nullptr ? core::QuotaShares::const_iterator{} : shares->find(job_.spec->share);
    if (shares == nullptr || share == shares->end()) return;
    out.push_back(
        reason("QUOTA_SHARE", core::describe(core::quota_view(state_, job_.queue, *shares), share->second)));
  }

  // What its deadline makes of it, where machines are launched.
  void add_deadline(json::Array& out) const {
    if (std::string text = core::deadline_text(state_, job_); !text.empty())
      out.push_back(reason("DEADLINE", "For its deadline: " + std::move(text)));
  }

  void add_waiting(json::Array& out) {
    if (const auto claim = state_.claims.find(job_.no); claim != state_.claims.end())
      out.push_back(reason("PREEMPTION", core::claim_text(state_, claim->second)));
    // Why there is no other machine for it; then why no node takes it.
    const core::WaitingGroup* group = core::find_waiting_group(state_, waiter_);
    if (group != nullptr && group->machine.kind != core::WaitKind::None)
      out.push_back(
          reason(kind_name(group->machine.kind), group->machine.text, since_of(group->machine, waiter_)));
    const core::WaitReason pass = group == nullptr ? core::WaitReason{} : group->reason;
    const bool tried = pass.kind != core::WaitKind::None && !pass.text.empty();
    out.push_back(reason(kind_name(pass.kind), tried ? pass.text : "No placement pass has looked at it yet",
                         since_of(pass, waiter_)));
    add_deadline(out);
    add_ahead(out, pass.behind);
    add_queues_ahead(out);
    add_quota(out);
    if (const core::Attempt* attempt = view_.latest_attempt()) {
      std::string text =
          "Attempt " + std::to_string(job_.attempts_used) + " ended: " + attempt->status_reason;
      if (attempt->exit_code) text += ", exit code " + std::to_string(*attempt->exit_code);
      out.push_back(reason("RETRY", text, attempt->stopped_at));
    }
  }
  // What those wait for whom the job waits for.
  void add_ahead(json::Array& out, core::JobNo behind) const {
    while (behind && out.size() < kChainMax) {
      const core::Job* other = state_.jobs.find(behind);
      if (other == nullptr || other->status != core::JobStatus::Runnable) return;
      const core::WaitReason why = wait_reason(*other);
      out.push_back(of_job(other->public_id(), reason(kind_name(why.kind), why.text, since_of(why, *other))));
      behind = why.behind;
    }
  }
  // Other queues of its environments that get what is free there before its own.
  void add_queues_ahead(json::Array& out) const {
    const core::JobQueue& own = view_.queue();
    std::size_t named = 0;
    for (const core::JobQueue* queue : core::queues_in_order(state_, now_)) {
      if (queue->no == own.no || named == kAheadNamed) return;
      const auto shared = std::ranges::find_if(queue->environments, [&](const std::string& name) {
        return std::ranges::find(own.environments, name) != own.environments.end();
      });
      if (shared == queue->environments.end()) continue;
      ++named;
      const core::JobNo next = core::Order(state_, *queue, now_).next()->job;
      const bool equal = queue->priority == own.priority;
      out.push_back(
          reason("QUEUES", "Job queue " + queue->name + ", of " +
                               (equal ? "the same priority" : "priority " + std::to_string(queue->priority)) +
                               ", goes first in compute environment " + *shared + ": " +
                               state_.jobs.find(next)->public_id() + " is next there" +
                               (equal ? " and was submitted earlier" : "")));
    }
  }
  [[nodiscard]] core::WaitReason wait_reason(const core::Job& job) const {
    const core::WaitReason* why = core::find_wait_reason(state_, job);
    return why == nullptr ? core::WaitReason{} : *why;
  }

  // "Node 0 RUNNING on a, 1 STARTING on b, ..."
  [[nodiscard]] std::string nodes_text() const {
    std::string text = job_.stopping ? "The job ends; its nodes are being stopped: " : "Its nodes: ";
    std::size_t named = 0;
    for (const core::Job& node : job_.children()) {
      if (named == kNodesMax) return text + ", ...";
      text += (named++ == 0 ? "" : ", ") + std::to_string(node.index) + " " +
              std::string(name_of(node.status)) + " on " + node.extra->attempts.back().node;
    }
    return text;
  }

  json::Object active_reason() {
    const core::Attempt& attempt = *view_.latest_attempt();
    const std::string where = " on node " + attempt.node;
    if (job_.status == core::JobStatus::Running) return reason("RUNNING", "Runs" + where, attempt.started_at);
    const std::string doing = attempt.progress.empty() ? "" : ": " + attempt.progress;
    return reason("STARTING", "Starts" + where + doing, attempt.placed_at);
  }

  [[nodiscard]] std::string ended_text() const {
    const std::string why = view_.status_reason();
    const std::string head = job_.status == core::JobStatus::Succeeded ? "Succeeded" : "Failed";
    return why.empty() ? head : head + ": " + why;
  }

  json::Array dependencies() {
    json::Array out;
    for (const core::Dependency& dependency : view_.depends_on()) {
      json::Object entry{{"type", dependency_type(dependency)}};
      std::string_view status = "FORGOTTEN";
      if (!dependency.job) {
        status = name_of(job_.status);
      } else {
        // A child waits for the child of the same number.
        const int index =
            dependency.type == core::DependencyType::NToN && job_.is_child() ? job_.index : dependency.index;
        const core::Job* other = state_.jobs.find(*dependency.job, index);
        entry["jobId"] = dependency.job->str() + (index >= 0 ? ":" + std::to_string(index) : "");
        if (other != nullptr) status = name_of(other->status);
      }
      entry["status"] = status;
      out.push_back(std::move(entry));
    }
    return out;
  }

  // The place in the queue, and who is at its head.
  void put_position(json::Object& out) {
    core::Order order(state_, view_.queue(), now_);
    json::Array ahead;
    std::size_t position = 1;
    for (auto next = order.next(); next && position <= kPositionMax && next->job != waiter_.no;
         order.take(), next = order.next(), ++position) {
      if (ahead.size() < kAheadNamed) ahead.emplace_back(state_.jobs.find(next->job)->public_id());
    }
    if (position <= kPositionMax) out["position"] = position;
    out["ahead"] = std::move(ahead);
  }

  json::Array nodes() {
    json::Array out;
    // Of a multi-node job the largest of its nodes.
    const core::Shape& whole = state_.shape(job_.spec->shape);
    core::ShapeNo number = job_.spec->shape;
    for (const core::ShapeNo one : whole.gang)
      if (number == job_.spec->shape ||
          state_.shape(number).resources.all_gpu_milli() < state_.shape(one).resources.all_gpu_milli())
        number = one;
    const core::Shape shape = within_share(state_.shape(number));
    const auto& environments = view_.queue().environments;
    for (const auto& [name, node] : state_.nodes) {
      if (out.size() == kNodesMax) break;
      if (std::ranges::find(environments, node.environment) == environments.end()) continue;
      const core::NodeFit fit = core::fit_node(node, shape);
      const core::JobNo kept_for = kept_for_another(node, fit);
      json::Array lacks_now = lacks(fit.now);
      if (node.draining) lacks_now.emplace_back("draining");
      const bool enabled = is_enabled(node.environment);
      if (!enabled) lacks_now.emplace_back("environment is DISABLED");
      out.push_back(json::Object{{"node", name},
                                 {"environment", node.environment},
                                 {"connected", node.connected},
                                 {"fits", node.open() && enabled && fit.fits() && !kept_for},
                                 {"lacksNow", std::move(lacks_now)},
                                 {"lacksEver", lacks(fit.ever)}});
      put_free(out.back().get_object(), node);
      if (kept_for) out.back().get_object()["keptFor"] = state_.jobs.find(kept_for)->public_id();
    }
    return out;
  }

  [[nodiscard]] bool is_enabled(const std::string& environment) const {
    const auto found = state_.environments.find(environment);
    return found == state_.environments.end() || found->second.enabled;
  }

  // Of the models or types alone that the job's quota share allows, as a pass looks for places.
  [[nodiscard]] core::Shape within_share(const core::Shape& shape) const {
    const core::QueueTurn turn{.queue = view_.queue(),
                               .environments = {},
                               .share_limit = {},
                               .max_running = {},
                               .quota_shares = core::quota_shares_of(state_, waiter_.queue)};
    const core::GroupKey group = core::group_of(state_, waiter_);
    const core::Contender contender =
        core::contender_of(state_, turn, group, waiter_.no, core::QuotaRight::Borrow);
    return core::narrowed(core::quota_verdict(state_, contender), shape);
  }

  // Who waits behind a job for which machines are kept would fit where it says so.
  [[nodiscard]] core::JobNo kept_for_another(const core::Node& node, const core::NodeFit& fit) const {
    if (node.hold.job && node.hold.job != waiter_.no) return node.hold.job;
    const core::WaitReason why = wait_reason(waiter_);
    return node.open() && fit.fits() && why.for_machines ? why.behind : core::JobNo{};
  }

  void put_cost(json::Object& out) {
    const cost::Totals costs = core::cost_of_job(state_, job_, now_);
    if (costs == cost::Totals{}) return;
    out["cost"] = to_json(costs);
  }

  json::Object attempt() {
    const core::Attempt& latest = *view_.latest_attempt();
    const core::Job& runner = view_.runner();
    const LogPlace log = log_place(*runner.spec, token_of(runner, static_cast<int>(view_.attempts().size())));
    json::Object out{{"number", view_.attempts().size()},
                     {"of", job_.spec->retry.attempts + core::preemptions(job_) + core::moves(job_)},
                     {"node", latest.node},
                     {"gpus", to_array(latest.gpus)}};
    if (latest.placed_at) out["placedAt"] = latest.placed_at.ms;
    if (latest.started_at) out["startedAt"] = latest.started_at.ms;
    if (latest.stopped_at) out["stoppedAt"] = latest.stopped_at.ms;
    if (latest.exit_code) out["exitCode"] = *latest.exit_code;
    if (!latest.reason.empty()) out["reason"] = latest.reason;
    out["logGroup"] = log.group;
    out["logStream"] = log.stream;
    return out;
  }

  const core::State& state_;
  const core::Job& job_;
  const core::Job& waiter_;  // itself; of a node its job, which waits for all of them
  Instant now_;
  JobView view_;
};

}  // namespace

Result<json::Value> explain(const Place&, const json::Value& input, const core::State& state, Instant now) {
  const std::string_view id = json::get_string(input, "jobId");
  const core::Job* job = find_job(state, id);
  if (job == nullptr) return fail(Code::NotFound, "Job " + std::string(id) + " does not exist");
  return Explanation(state, *job, now).make();
}

}  // namespace stoker::aws
