#include "core/schedule/pass.h"

#include "core/job/life.h"
#include "core/job/runs.h"
#include "core/schedule/gang_place.h"
#include "core/schedule/gate.h"
#include "core/schedule/kept.h"
#include "core/schedule/order.h"
#include "core/schedule/place.h"
#include "core/schedule/places.h"
#include "core/schedule/preempt/preempt.h"
#include "core/schedule/preempt/turn.h"
#include "core/schedule/quota/gate.h"
#include "core/schedule/time_limits.h"

namespace stoker::core {
namespace {

// After a restart agents try to connect once a second.
constexpr Duration kNodesBack = seconds(10);

class Pass {
 public:
  Pass(World& world, Instant now, Actions& out) : world_(world), now_(now), out_(out), kept_(world, now) {}

  void run() {
    // 0. Jobs for which others were stopped.
    start_claimers(world_, now_,
                   {.job =
                        [&](const Contender& contender, const PlaceSearch& place) {
                          if (kept_.hold_for_units(contender)) return false;
                          start(*world_.state.jobs.find(contender.job), place);
                          return true;
                        },
                    .gang = [&](const Contender& contender) { return start_or_keep(contender); }});
    // 1. One queue after the other.
    for (const JobQueue* queue : queues_in_order(world_.state, now_)) run_queue(*queue);
  }

 private:
  void run_queue(const JobQueue& queue) {
    const QueueTurn turn = turn_of(world_, queue, now_);
    walk(turn, QuotaRight::Own);
    if (turn.quota_shares == nullptr) return;
    // What those who have a right to it leave goes to those who borrow.
    walk(turn, QuotaRight::Borrow);
    preempt_in(world_, turn, now_, out_);
    kept_.look_again();
    keep_for_claims(turn);
  }

  // The machines on which others are being stopped now for multi-node jobs.
  void keep_for_claims(const QueueTurn& turn) {
    for (const auto& [no, claim] : world_.state.claims) {
      const Job& job = *world_.state.jobs.find(no);
      if (job.queue != turn.queue.no || !job.is_gang() || job.status != JobStatus::Runnable) continue;
      kept_.give_up(no);
      const GroupKey group = group_of(world_.state, job);
      keep_for_claim(world_, kept_, contender_of(world_.state, turn, group, no, QuotaRight::Borrow));
    }
  }

  void walk(const QueueTurn& turn, QuotaRight right) {
    Order order(world_.state, turn.queue, now_);
    QuotaQueues queues;
    // 2. Who is next.
    while (const auto next = order.next()) {
      if (has_room_coming(world_.state, next->job)) {
        tell_room_coming(turn.queue.no, *next->group, next->job);
        order.take();
        continue;
      }
      const Contender contender = contender_of(world_.state, turn, *next->group, next->job, right);
      // 3. May it, and where? What does not fit for one of a group does not fit for the others.
      if (contender.shape.is_gang()) {
        std::vector<RunPlace> places = try_to_place_gang(contender, queues);
        if (places.empty()) {
          order.pass_over();
          continue;
        }
        order.take();
        start(*world_.state.jobs.find(next->job), std::move(places));
        continue;
      }
      const PlaceSearch place = try_to_place(contender, queues);
      if (place.node == nullptr) {
        order.pass_over();
        continue;
      }
      // 4. It starts.
      order.take();
      if (place.lent) kept_.lend(*place.node, contender);
      start(*world_.state.jobs.find(next->job), place);
      if (place.lent) kept_.lent(*place.node);
    }
  }

  // After a restart nobody has told its group anything yet.
  void tell_room_coming(QueueNo queue, const GroupKey& group, JobNo job) {
    WaitReason& reason = world_.state.waiting.at(queue).at(group).reason;
    if (!reason.text.empty()) return;
    reason.kind = WaitKind::Quota;
    reason.text = claim_text(world_.state, world_.state.claims.at(job));
    reason.since = now_;
  }

  // What forbids it to start anywhere. What can never be is told before what is only not yet.
  std::optional<Hold> find_hold_of(const Contender& contender, QuotaQueues& queues) {
    if (std::optional<Hold> never = find_never_units(world_.state, contender)) return never;
    std::optional<Hold> hold = queues.held(world_.state, contender);
    const bool waits_its_turn = hold.has_value();
    if (!hold) hold = kept_.hold_for_reservation(contender);
    if (!hold) hold = find_hold(world_, contender);
    if (hold && hold->kind == WaitKind::Reservation) kept_.note_reservation(contender);
    if (!hold) hold = kept_.hold_for_units(contender);
    if (!hold) return std::nullopt;
    const QuotaVerdict verdict = quota_verdict(world_.state, contender);
    if (waits_its_turn && verdict.never) hold = held_by_quota(world_, contender);
    if (hold->kind == WaitKind::Quota) queues.note_refused(contender, verdict);
    if (!contender.shape.is_gang() && !verdict.never)
      if (std::optional<Hold> never = find_never(world_, kept_, contender)) hold = std::move(never);
    return hold;
  }

  // No place: the group's reason says why.
  PlaceSearch try_to_place(const Contender& contender, QuotaQueues& queues) {
    std::optional<Hold> hold = find_hold_of(contender, queues);
    PlaceSearch place;
    if (!hold) {
      place = find_place(world_, kept_, contender);
      if (place.node != nullptr && allows_place(world_.state, contender, *place.node)) return place;
      if (place.node != nullptr) hold = part_of_machine_text(contender, *place.node);
      place.node = nullptr;
      if (!hold)
        hold = describe_findings(world_.state, contender, world_.state.shape(place.shape), place.findings);
    }
    tell(contender, std::move(*hold));
    return place;
  }

  std::vector<RunPlace> try_to_place_gang(const Contender& contender, QuotaQueues& queues) {
    std::optional<Hold> hold = find_hold_of(contender, queues);
    if (!hold) {
      GangSearch search = find_gang_places(world_, kept_, contender);
      if (!search.places.empty()) return std::move(search.places);
      hold = std::move(search.hold);
    }
    tell(contender, std::move(*hold));
    return {};
  }

  // A multi-node job with a claim. It goes before all others, so that what has become free for it is kept for
  // it from the first walk on until the last of those ends that are being stopped for it.
  bool start_or_keep(const Contender& contender) {
    QuotaQueues queues;
    std::vector<RunPlace> places = try_to_place_gang(contender, queues);
    if (!places.empty()) {
      start(*world_.state.jobs.find(contender.job), std::move(places));
      return true;
    }
    if (!world_.state.claims.at(contender.job).victims.empty()) keep_for_claim(world_, kept_, contender);
    return false;
  }

  void tell(const Contender& contender, Hold hold) {
    // Of the first of two walks nothing is told: the second one looks again.
    if (contender.turn.quota_shares != nullptr && contender.right == QuotaRight::Own) return;
    WaitReason& reason = world_.state.waiting.at(contender.turn.queue.no).at(contender.group).reason;
    if (reason.kind != hold.kind) reason.since = now_;
    reason.kind = hold.kind;
    reason.text = std::move(hold.text);
    reason.behind = hold.behind;
    reason.for_machines = hold.for_machines;
  }

  void start(Job& gang, std::vector<RunPlace> places) {
    keep_no_more(world_, gang.no);
    become_starting(world_, gang, std::move(places), now_);
    for (const Job& node : gang.children()) out_.push_back(start_run(world_, node));
  }

  void start(Job& job, const PlaceSearch& place) {
    keep_no_more(world_, job.no);
    std::vector<std::string> gpus =
        place.pool->devices(*place.node, place.shape, world_.state.shape(place.shape));
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
  if (std::exchange(world.was_loaded, false)) world.nodes_back_by = now + kNodesBack;
  refresh_workload(world);
  Pass(world, now, out).run();
  cancel_stuck_heads(world, now);
  settle(world, now);
}

}  // namespace stoker::core
