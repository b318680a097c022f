#include "core/schedule/pass.h"

#include <algorithm>
#include <queue>

#include "core/job/life.h"
#include "core/job/runs.h"
#include "core/job/stop.h"
#include "core/schedule/fit.h"
#include "core/schedule/places.h"

namespace stoker::core {
namespace {

// What jobs that come later in this pass may not take, because an earlier one waits for it. So a large job is
// not starved by small ones: what it lacks is kept together until it is enough. Shared by all queues of an
// environment, in order of their priority.
struct Reserved {
  std::map<std::string, Lack> by_environment;
  std::map<std::string, JobNo> consumables;
  std::map<std::string, JobNo> waiting_head;  // by environment: for whom
};

struct Place {
  Node* node = nullptr;
  Pool* pool = nullptr;  // of the node
  WaitReason why;        // when there is none
};

void say(WaitReason& reason, WaitKind kind, std::string text) {
  reason.kind = kind;
  reason.text = std::move(text);
}

class Pass {
 public:
  Pass(World& world, Instant now, Actions& out) : world_(world), now_(now), out_(out) {}

  void run() {
    // 1. Queues by priority, then by name.
    std::vector<JobQueue*> queues;
    for (auto& [no, waiting] : world_.state.waiting)
      if (!waiting.empty()) queues.push_back(&world_.state.queues.at(no));
    std::ranges::sort(queues, [](const JobQueue* a, const JobQueue* b) {
      return a->priority != b->priority ? a->priority > b->priority : a->name < b->name;
    });
    // 2. Jobs of a queue in order of submission; a shape that does not fit once does not fit again.
    for (JobQueue* queue : queues) run_queue(*queue);
  }

 private:
  void run_queue(const JobQueue& queue) {
    environments_ = queue.environments_by_order();
    WaitingJobs& waiting = world_.state.waiting[queue.no];
    using Head = std::pair<JobNo, ShapeNo>;
    std::priority_queue<Head, std::vector<Head>, std::greater<>> heads;
    for (const auto& [shape, jobs] : waiting) heads.push({*jobs.jobs.first(), shape});
    while (!heads.empty()) {
      const auto [no, shape] = heads.top();
      heads.pop();
      Place place = find_place(queue, shape, no);
      if (place.node == nullptr) {
        WaitReason& reason = waiting.at(shape).reason;
        place.why.since = reason.kind == place.why.kind ? reason.since : now_;
        reason = std::move(place.why);
        continue;
      }
      start(*world_.state.jobs.find(no), place);
      const auto rest = waiting.find(shape);  // starting the job took it out
      if (rest != waiting.end()) heads.push({*rest->second.jobs.first(), shape});
    }
  }

  void start(Job& job, const Place& place) {
    const ShapeNo shape = job.spec->shape;
    std::vector<std::string> gpus = place.pool->devices(*place.node, shape, world_.state.shape(shape));
    become_starting(world_, job, *place.node, std::move(gpus), now_);
    out_.push_back(start_run(world_, job));
  }

  Place find_place(const JobQueue& queue, ShapeNo shape_no, JobNo no) {
    const Shape& shape = world_.state.shape(shape_no);
    Place place;
    if (lacks_consumables(shape, no, place.why)) return place;
    bool enabled = false;
    bool nodes = false;
    bool could_hold = false;
    WaitReason order;
    std::string shortage;
    for (const std::string& name : environments_) {
      const ComputeEnvironment& environment = world_.state.environments.at(name);
      if (!environment.enabled) continue;
      enabled = true;
      Pool* pool = find_pool(world_, name);
      if (pool == nullptr) continue;
      nodes = true;
      const Lack blocked = asks_for(ask_of(shape)) & reserved_.by_environment[name];
      Node* node = pool->choose(shape_no, shape);
      if (blocked == 0 && node != nullptr) {
        place.node = node;
        place.pool = pool;
        return place;
      }
      const Pool::Shortage there = pool->shortage(shape_no, shape);
      could_hold = could_hold || there.could_hold;
      if (node == nullptr && there.lack != 0) {
        reserve(name, there.lack, no);
        shortage = describe_shortage(name, *there.node, shape, there.lack);
      } else if (node != nullptr) {
        say(order, WaitKind::Order,
            "Waits behind job " + public_id(reserved_.waiting_head[name]) + ", which waits for " +
                resource_names(blocked) + " of compute environment " + name);
      }
    }
    if (!enabled)
      say(place.why, WaitKind::Disabled,
          "Every compute environment of job queue " + queue.name + " is DISABLED");
    else if (!nodes)
      say(place.why, WaitKind::NoNodes, no_nodes_text(queue));
    else if (!could_hold)
      say(place.why, WaitKind::NeverFits, never_fits_text(queue, shape));
    else if (!shortage.empty())
      say(place.why, WaitKind::Resources, shortage);
    else
      place.why = order;
    return place;
  }

  // Units are taken together with the node's resources, so whoever lacks some keeps later jobs from them.
  bool lacks_consumables(const Shape& shape, JobNo no, WaitReason& why) {
    for (const ConsumableNeed& need : shape.consumables) {
      const auto found = world_.state.consumables.find(need.resource);
      const std::int64_t free =
          found == world_.state.consumables.end() ? 0 : found->second.total - found->second.in_use;
      if (free < need.quantity) {
        reserved_.consumables.emplace(need.resource, no);
        say(why, WaitKind::Consumables,
            "Waits for " + std::to_string(need.quantity) + " of consumable resource " + need.resource + "; " +
                std::to_string(std::max<std::int64_t>(free, 0)) + " available");
        return true;
      }
      const auto head = reserved_.consumables.find(need.resource);
      if (head == reserved_.consumables.end()) continue;
      say(why, WaitKind::Order,
          "Waits behind job " + public_id(head->second) + ", which waits for consumable resource " +
              need.resource);
      return true;
    }
    return false;
  }

  void reserve(const std::string& environment, Lack lack, JobNo no) {
    Lack& set = reserved_.by_environment[environment];
    if (set == 0) reserved_.waiting_head[environment] = no;
    set |= lack;
  }

  [[nodiscard]] std::string public_id(JobNo no) const { return world_.state.jobs.find(no)->public_id(); }

  static std::string resource_names(Lack lack) {
    std::string text;
    const auto add = [&](Lack bit, std::string_view name) {
      if ((lack & bit) == 0) return;
      if (!text.empty()) text += " and ";
      text += name;
    };
    add(kLackCpu, "vCPU");
    add(kLackMemory, "memory");
    add(kLackGpu, "GPU");
    return text;
  }

  static std::string describe_shortage(const std::string& environment, const Node& node, const Shape& shape,
                                       Lack lack) {
    return "Waits for " + resource_names(lack) + " in compute environment " + environment + ": asks " +
           describe(shape) + "; free on node " + node.name + ": " + describe(node.total - node.used);
  }

  [[nodiscard]] std::string no_nodes_text(const JobQueue& queue) const {
    std::string managed;
    for (const std::string& name : queue.environments)
      if (world_.state.environments.at(name).managed) managed = name;
    if (managed.empty()) return "No node of the queue's compute environments is connected";
    return "Compute environment " + managed +
           " has no nodes: this server does not launch machines for MANAGED environments yet";
  }

  [[nodiscard]] std::string never_fits_text(const JobQueue& queue, const Shape& shape) const {
    std::string text =
        "MISCONFIGURATION:JOB_RESOURCE_REQUIREMENT - The job resource requirement (vCPU/memory/GPU) is "
        "higher than that can be met by "
        "the CE(s) attached to the job queue.";
    text += " The job asks " + describe(shape) + (shape.container() ? " and a container engine" : "") + ";";
    for (const auto& [name, node] : world_.state.nodes) {
      if (!node.connected ||
          std::ranges::find(queue.environments, node.environment) == queue.environments.end())
        continue;
      if (!text.ends_with(';')) text += ',';
      text += " node " + name + " has " + describe(node);
      if (shape.container() && !node.containers) text += " and no container engine";
      if (text.size() > 400) return text;
    }
    return text;
  }

  World& world_;
  Instant now_;
  Actions& out_;
  std::vector<std::string> environments_;  // of the queue at hand, in their order
  Reserved reserved_;
};

// jobStateTimeLimitActions: the job at the head that has waited for one and the same reason for too long.
void cancel_stuck_heads(World& world, Instant now) {
  world.next_time_limit.reset();
  bool again = false;
  for (auto& [no, waiting] : world.state.waiting) {
    const JobQueue& queue = world.state.queues.at(no);
    if (queue.time_limit_actions.empty() || waiting.empty()) continue;
    const auto head =
        std::ranges::min_element(waiting, {}, [](const auto& entry) { return *entry.second.jobs.first(); });
    const WaitReason& reason = head->second.reason;
    Job& job = *world.state.jobs.find(*head->second.jobs.first());
    for (const TimeLimitAction& action : queue.time_limit_actions) {
      if (!reason.text.starts_with(action.reason)) continue;
      const Instant due = std::max(reason.since, job.runnable_at) + action.most;
      if (due <= now) {
        end_unstarted(world, job, "Canceled by JobStateTimeLimit action due to reason: " + action.reason,
                      now);
        again = true;
        break;
      }
      if (!world.next_time_limit || due < *world.next_time_limit) world.next_time_limit = due;
    }
  }
  if (again) world.pass_due = true;
}

}  // namespace

void run_pass(World& world, Instant now, Actions& out) {
  world.pass_due = false;
  refresh_workload(world);
  Pass(world, now, out).run();
  cancel_stuck_heads(world, now);
  settle(world, now);
}

}  // namespace stoker::core
