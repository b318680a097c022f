#include "core/schedule/pass.h"

#include <algorithm>

#include "core/job/life.h"
#include "core/job/runs.h"
#include "core/schedule/gate.h"
#include "core/schedule/kept.h"
#include "core/schedule/order.h"
#include "core/schedule/place.h"
#include "core/schedule/places.h"
#include "core/schedule/time_limits.h"

namespace stoker::core {
namespace {

class Pass {
 public:
  Pass(World& world, Instant now, Actions& out) : world_(world), now_(now), out_(out), kept_(world, now) {}

  void run() {
    // 1. Queues by priority, then by name.
    std::vector<const JobQueue*> queues;
    for (const auto& [no, waiting] : world_.state.waiting)
      if (!waiting.empty()) queues.push_back(&world_.state.queues.at(no));
    std::ranges::sort(queues, [](const JobQueue* a, const JobQueue* b) {
      return a->priority != b->priority ? a->priority > b->priority : a->name < b->name;
    });
    for (const JobQueue* queue : queues) run_queue(*queue);
  }

 private:
  void run_queue(const JobQueue& queue) {
    const QueueTurn turn = turn_of(world_, queue, now_);
    Order order(world_.state, queue, now_);
    // 2. Who is next.
    while (const auto next = order.next()) {
      const Contender contender{.turn = turn,
                                .group = *next->group,
                                .shape = world_.state.shape(next->group->shape),
                                .job = next->job};
      // 3. May it, and where? What does not fit for one of a group does not fit for the others.
      const PlaceSearch place = try_to_place(contender);
      if (place.node == nullptr) {
        order.pass_over();
        continue;
      }
      // 4. It starts.
      order.take();
      if (place.lent) kept_.lend(place.node->environment, contender);
      start(*world_.state.jobs.find(next->job), place);
      if (place.lent) kept_.lent(place.node->environment);
    }
  }

  // No place: the group's reason says why.
  PlaceSearch try_to_place(const Contender& contender) {
    std::optional<Hold> hold = find_hold(world_, contender);
    if (!hold) hold = kept_.hold_for_units(contender);
    PlaceSearch place;
    if (!hold) {
      place = find_place(world_, kept_, contender);
      if (place.node != nullptr) return place;
      hold = describe_findings(world_.state, contender, place.findings);
    }
    WaitReason& reason = world_.state.waiting.at(contender.turn.queue.no).at(contender.group).reason;
    if (reason.kind != hold->kind) reason.since = now_;
    reason.kind = hold->kind;
    reason.text = std::move(hold->text);
    reason.behind = hold->behind;
    return place;
  }

  void start(Job& job, const PlaceSearch& place) {
    const ShapeNo shape = job.spec->shape;
    std::vector<std::string> gpus = place.pool->devices(*place.node, shape, world_.state.shape(shape));
    become_starting(world_, job, *place.node, std::move(gpus), now_);
    out_.push_back(start_run(world_, job));
  }

  World& world_;
  Instant now_;
  Actions& out_;
  Kept kept_;
};

}  // namespace

void run_pass(World& world, Instant now, Actions& out) {
  world.pass_due = false;
  refresh_workload(world);
  Pass(world, now, out).run();
  cancel_stuck_heads(world, now);
  settle(world, now);
}

}  // namespace stoker::core
