#include "core/invariants.h"

#include <algorithm>
#include <set>

#include "base/assert.h"
#include "core/job/life.h"
#include "core/machines/invariants.h"
#include "core/provision/invariants.h"
#include "core/schedule/kept.h"
#include "core/schedule/preempt/claims.h"
#include "core/schedule/preempt/turn.h"
#include "core/schedule/preempt/victims.h"
#include "core/schedule/quota/rights.h"
#include "core/schedule/shares.h"

namespace stoker::core {
namespace {

struct Tally {
  std::map<std::string, Resources> used;           // by node
  std::map<std::string, std::vector<JobNo>> runs;  // by node
  std::map<std::string, std::int64_t> units;       // by consumable resource
  std::map<SpecNo, std::uint64_t> spec_jobs;
  std::map<QueueNo, std::uint64_t> queue_jobs;
  std::map<QueueNo, std::size_t> waiting;
  std::map<QueueNo, std::int64_t> active;
  std::map<std::string, std::int64_t> definitions;
  std::map<QueueNo, Resources> held;
  std::map<QueueNo, std::map<std::string, ShareUse>> shares;  // what follows from jobs
  std::map<QueueNo, QuotaBook> books;
  std::map<QueueNo, QuotaBook> lasting;  // of runs that nobody may stop
  std::uint64_t live = 0;
};

// How many names Attempt::gpus has.
std::int64_t devices_of(const ContainerSpec& container) {
  if (container.gpu.mig_devices > 0) return container.gpu.mig_devices;
  return container.resources.gpu_milli > 0 ? 1 : container.resources.gpus;
}

// What an active job counts for besides the places of its runs.
void count_active(const Job& job, Tally& tally) {
  const Resources& needs = job.spec->container.resources;
  ++tally.active[job.queue];
  ++tally.definitions[job.spec->definition->name];
  tally.held[job.queue] += needs;
  if (job.spec->share.empty()) return;
  ShareUse& use = tally.shares[job.queue][job.spec->share];
  use.rate += charge_of(needs);
  ++use.active;
}

void check_active(const World& world, const Job& job, Tally& tally) {
  const Attempt& attempt = job.extra->attempts.back();
  ASSERT(attempt.stopped_at.ms == 0, "an active job with a finished attempt");
  ASSERT((job.status == JobStatus::Running) == (attempt.started_at.ms != 0),
         "RUNNING means that the program started");
  const Resources& needs = job.spec->container.resources;
  tally.used[attempt.node] += needs;
  if (!job.spec->share.empty()) tally.books[job.queue].add(*job.spec, attempt.quota);
  const Job& whole = job.is_node() ? world.state.jobs.parent_of(job) : job;
  if (!job.spec->share.empty() && !is_preemptible(whole) && !is_preempted(job))
    tally.lasting[job.queue].add(*job.spec, attempt.quota);
  tally.runs[attempt.node].push_back(job.no);
  for (const ConsumableNeed& need : job.spec->consumables) tally.units[need.resource] += need.quantity;
  ASSERT(static_cast<std::int64_t>(attempt.gpus.size()) == devices_of(job.spec->container),
         "holds as many devices as it asked for");
  const Node& node = world.state.nodes.at(attempt.node);
  if (!node.connected) return;
  const auto held = [&](const std::string& name) {
    return std::ranges::find(attempt.gpus, name) != attempt.gpus.end();
  };
  for (const NodeGpu& gpu : node.gpus) {
    if (held(gpu.uuid))
      ASSERT(needs.gpus > 0 ? gpu.holder == job.no && gpu.sharers.empty()
                            : std::ranges::find(gpu.sharers, job.no) != gpu.sharers.end(),
             "a GPU given twice");
    for (const MigDevice& device : gpu.devices)
      if (held(device.name)) ASSERT(device.holder == job.no, "a MIG device given twice");
  }
}

void check_gpu(const State& state, const NodeGpu& gpu) {
  const auto runs = [&](JobNo job) { return is_active(state.jobs.find(job)->status); };
  if (gpu.holder) ASSERT(runs(gpu.holder), "a GPU held by a job that is over");
  std::int64_t shared = 0;
  for (const JobNo sharer : gpu.sharers) {
    ASSERT(runs(sharer), "a share held by a job that is over");
    shared += state.jobs.find(sharer)->spec->container.resources.gpu_milli;
  }
  ASSERT(shared == gpu.shared_milli && shared <= Resources::kGpuMilli, "shares of a GPU are counted");
  for (const MigDevice& device : gpu.devices)
    if (device.holder) ASSERT(runs(device.holder), "a MIG device held by a job that is over");
}

void check_job(const World& world, const Job& job, Tally& tally) {
  ASSERT(world.state.jobs.find(job.no) == &job, "found by its number");
  ASSERT(job.spec != nullptr && world.state.specs.at(job.spec->no).get() == job.spec, "has its spec");
  ++tally.spec_jobs[job.spec->no];
  ASSERT(is_terminal(job.status) == (job.stopped_at.ms != 0), "terminal jobs, and only they, have stopped");
  ASSERT(job.attempts_used == (job.extra ? job.extra->attempts.size() : 0), "attempts are counted");
  if (!job.is_node())
    ASSERT(job.attempts_counted() <= job.spec->retry.attempts, "no more attempts than allowed");
  const bool waits = job.status == JobStatus::Runnable && !job.is_node();
  const auto waiting = world.state.waiting.find(job.queue);
  const GroupKey group = group_of(world.state, job);
  const bool listed = waiting != world.state.waiting.end() && waiting->second.contains(group) &&
                      waiting->second.at(group).jobs.contains(job.no);
  ASSERT(waits == listed, "runnable jobs, and only they, wait for a place");
  if (waits) ++tally.waiting[job.queue];
  if (is_active(job.status)) {
    if (!job.is_gang()) check_active(world, job, tally);
    if (!job.is_node()) count_active(job, tally);
  }
  const bool timed = job.status == JobStatus::Running && job.spec->timeout && !is_being_stopped(job);
  if (timed)
    ASSERT(world.timeouts.contains({job.started_at + *job.spec->timeout, job.no}),
           "a running job with a time-out is watched");
}

void check_array(const World& world, const Job& job, Tally& tally) {
  const ArrayState& array = *job.extra->array;
  std::array<std::uint32_t, kJobStatusCount> counts{};
  for (const Job& child : array.children) {
    ++counts[static_cast<std::size_t>(child.status)];
    ASSERT(child.parent == job.no && child.id == job.id && child.queue == job.queue,
           "a child belongs to its array");
    if (child.status == JobStatus::Pending) ASSERT(child.unmet + job.unmet > 0, "PENDING without a reason");
    check_job(world, child, tally);
  }
  ASSERT(counts == array.counts, "statusSummary is right");
  const bool ended = counts[static_cast<std::size_t>(JobStatus::Succeeded)] +
                         counts[static_cast<std::size_t>(JobStatus::Failed)] ==
                     array.children.size();
  ASSERT(ended == is_terminal(job.status), "an array ends with its last child");
}

// All nodes are placed or none; no attempt begins before the last one is over; nodes go on together.
void check_gang(const World& world, const Job& job, Tally& tally) {
  const NodePlan& plan = *job.spec->nodes;
  ASSERT(job.children().size() == plan.class_of.size(), "a node for each of the plan");
  std::size_t active = 0;
  for (const Job& node : job.children()) {
    ASSERT(node.is_node() && node.parent == job.no && node.id == job.id && node.queue == job.queue,
           "a node belongs to its job");
    ASSERT(node.spec->definition == job.spec->definition && node.spec->share == job.spec->share &&
               node.spec->node_class == plan.class_of[static_cast<std::size_t>(node.index)],
           "a node is what its job says");
    ASSERT(node.attempts_used == job.attempts_used, "an attempt is one of all nodes");
    if (is_active(node.status)) ++active;
    if (is_active(node.status)) ASSERT(node.stopping == job.stopping, "all are told to end, or none");
    if (!is_active(job.status) && !is_terminal(job.status))
      ASSERT(node.status == job.status, "nodes wait as their job does");
    check_job(world, node, tally);
  }
  ASSERT((active > 0) == is_active(job.status), "a job is active as long as some node is");
  if (!is_active(job.status)) return;
  const Job& main = job.children()[static_cast<std::size_t>(plan.main_node)];
  const Attempt& attempt = job.extra->attempts.back();
  ASSERT(attempt.node == main.extra->attempts.back().node, "the attempt is where the main node is");
  if (attempt.stopped_at)
    ASSERT(job.stopping, "whose end is known is being stopped");
  else
    ASSERT(is_active(main.status), "the end of the main node decides");
}

// What shares hold is what their jobs hold.
void check_shares(const World& world, Tally& tally) {
  for (const auto& [queue, shares] : world.state.shares) {
    ASSERT(world.state.queues.contains(queue), "shares go with their queue");
    for (const auto& [share, use] : shares) {
      const ShareUse& counted = tally.shares[queue][share];
      ASSERT(use.rate == counted.rate && use.active == counted.active && use.jobs == counted.jobs,
             "a share counts its jobs and what they hold");
      ASSERT((use.jobs == 0) == (use.idle_since.ms != 0), "a share without jobs knows since when");
      ASSERT(use.average >= 0, "nobody used less than nothing");
    }
  }
  for (const auto& [queue, shares] : tally.shares)
    for (const auto& [share, use] : shares)
      ASSERT(use.jobs == 0 || find_share(world.state, queue, share) != nullptr, "a share with jobs is known");
}

// No share holds more than its limits and what it may borrow; runs that nobody may stop borrow nothing, so
// that an owner can always get its own back. What was held when the shares were changed is excused.
void check_rights(const World& world, const Tally& tally) {
  static const QuotaBook kNothing;
  const auto of = [](const std::map<QueueNo, QuotaBook>& books, QueueNo queue) -> const QuotaBook& {
    const auto found = books.find(queue);
    return found == books.end() ? kNothing : found->second;
  };
  for (const auto& [queue, shares] : world.state.quota_shares)
    for (const auto& [name, share] : shares)
      for (const CapacityLimit& limit : share.limits) {
        const std::int64_t excused = of(world.quota_books_at_change, queue).of(name).of(limit.unit);
        const auto held = [&](const std::map<QueueNo, QuotaBook>& books) {
          return of(books, queue).of(name).of(limit.unit);
        };
        ASSERT(held(tally.books) <= std::max(excused, most_to_hold(shares, share, limit)),
               "a share holds no more than its limits and what it may borrow");
        ASSERT(held(tally.lasting) <= std::max(excused, limit.milli()),
               "runs that nobody may stop hold no more than the limits of their share");
      }
}

// The nodes that have connected are known by environment, and no others.
void check_nodes(const World& world) {
  std::map<std::string, std::map<std::string, const Node*>> expected;
  for (const auto& [name, node] : world.state.nodes) {
    ASSERT(node.name == name && (node.pool_slot != Node::kNoPoolSlot || !node.connected),
           "a connected node has a place in a pool");
    if (node.pool_slot != Node::kNoPoolSlot) expected[node.environment][name] = &node;
  }
  ASSERT(world.nodes_of.size() == expected.size(), "no environment without nodes");
  for (const auto& [environment, nodes] : world.nodes_of)
    ASSERT(std::ranges::equal(nodes, expected[environment],
                              [](const auto& one, const auto& other) {
                                return one.first == other.first && one.second == other.second;
                              }),
           "nodes are known by their environment");
}

// The books of quota shares say what runs; who is stopped for a job that still waits is in its claim; nodes
// keep room for claims only.
void check_quota(const World& world, const Tally& tally) {
  const State& state = world.state;
  for (const auto& [queue, book] : state.quota_books) {
    const auto counted = tally.books.find(queue);
    ASSERT(book == (counted == tally.books.end() ? QuotaBook{} : counted->second),
           "the book of a queue's quota shares is what runs");
  }
  for (const auto& [queue, book] : tally.books)
    ASSERT(state.quota_books.contains(queue), "a queue with runs of shares has a book");
  for (const auto& [queue, shares] : state.quota_shares) {
    ASSERT(state.queues.contains(queue) && !state.queues.at(queue).deleted,
           "quota shares go with their queue");
    ASSERT(!shares.empty(), "no queue with no quota shares");
  }
  for (const auto& [no, claim] : state.claims) {
    const Job* job = state.jobs.find(no);
    ASSERT(job != nullptr && (job->status == JobStatus::Runnable || is_moving(*job)),
           "a claim is for a job that waits, or that is moved");
    for (const JobNo victim : claim.victims) {
      const Job* run = state.jobs.find(victim);
      ASSERT(run != nullptr && is_active(run->status) && is_being_stopped(*run),
             "a claim names runs that are being stopped");
    }
    if (claim.node.empty()) continue;
    const auto node = state.nodes.find(claim.node);
    if (node == state.nodes.end())
      ASSERT(is_awaited(state, no, claim) || is_moving(*job),
             "only who is moved waits for a node that is away");
    else
      ASSERT(node->second.hold.job == no, "the node keeps what becomes free");
  }
  for (const auto& [name, node] : state.nodes)
    if (node.hold.job)
      ASSERT(state.claims.contains(node.hold.job) && state.claims.at(node.hold.job).node == name,
             "a node keeps room for a claim");
}

}  // namespace

void check_world(const World& world) {
  const State& state = world.state;
  Tally tally;
  const JobSet& all = state.jobs.all();
  for (auto no = all.first(); no; no = all.next_from(JobNo{no->value + 1})) {
    const Job& job = *state.jobs.find(*no);
    ASSERT(!job.is_child() && state.jobs.find(job.id) == &job, "found by its id");
    ASSERT(state.jobs.of(job.queue, job.status).contains(job.no), "listed under its status");
    ++tally.queue_jobs[job.queue];
    if (!is_terminal(job.status) && !job.spec->share.empty()) ++tally.shares[job.queue][job.spec->share].jobs;
    if (!is_terminal(job.status)) tally.live += 1 + job.children().size();
    check_job(world, job, tally);
    if (job.is_array())
      check_array(world, job, tally);
    else if (job.is_gang())
      check_gang(world, job, tally);
    else if (job.status == JobStatus::Pending)
      ASSERT(job.unmet > 0, "PENDING without a dependency");
  }
  ASSERT(tally.live == state.jobs.live(), "live jobs are counted");
  ASSERT(world.ended.empty(), "all ends are settled between events");
  for (const auto& [name, node] : state.nodes) {
    ASSERT(node.used == tally.used[name], "a node's use is what its jobs hold");
    std::ranges::sort(tally.runs[name]);
    ASSERT(node.runs == tally.runs[name], "a node's runs are the active jobs placed there");
    for (const NodeGpu& gpu : node.gpus) {
      check_gpu(state, gpu);
    }
  }
  check_nodes(world);
  for (const auto& [name, resource] : state.consumables)
    ASSERT(resource.in_use == tally.units[name], "units in use are counted");
  for (const auto& [no, spec] : state.specs)
    ASSERT(spec->jobs == tally.spec_jobs[no] && spec->jobs > 0, "specs live as long as their jobs");
  for (const auto& [no, queue] : state.queues) {
    ASSERT(queue.jobs == tally.queue_jobs[no], "a queue counts its jobs");
    ASSERT(queue.active == tally.active[no] && queue.used == tally.held[no], "a queue counts its runs");
  }
  for (const auto& [name, definition] : state.definitions)
    ASSERT(definition.active == tally.definitions[name], "a definition counts its runs");
  check_shares(world, tally);
  for (const auto& [no, waiting] : state.waiting) {
    std::size_t count = 0;
    for (const auto& [group, jobs] : waiting) {
      ASSERT(!jobs.jobs.empty(), "no empty shapes");
      count += jobs.jobs.size();
      ASSERT(world.pass_due || !jobs.reason.text.empty(), "whoever waits is told why");
    }
    ASSERT(count == tally.waiting[no], "waiting sets hold runnable jobs only");
  }
  check_quota(world, tally);
  check_rights(world, tally);
  check_failed_plans(world);
  check_kept(world);
  check_machines(world);
  check_provision(world);
}

}  // namespace stoker::core
