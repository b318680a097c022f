// Seeded walks of three teams with quota shares: jobs, some with several nodes, come, end and are stopped;
// shares change. After every turn the invariants hold, of which one is that no share holds more than its
// limits and what it may borrow. When all that was told to end has ended, which takes few rounds, nobody
// waits for what is its own.
#include <sstream>

#include <gtest/gtest.h>

#include "base/testing/walks.h"
#include "core/testing/driver.h"

namespace stoker::core {
namespace {

using testing::Driver;

constexpr std::int64_t kGpus = 8;
// One node makes room for one job at a time. A GPU can change hands when its owner comes, and inside a share
// once for each of the higher priorities.
constexpr int kPriorities = 3;
constexpr int kRoundsMax = 2 * kPriorities * kGpus;

class Walk {
 public:
  // Of large jobs one node has them all, so that no room is lost between nodes. Nodes of multi-node jobs are
  // small.
  explicit Walk(std::uint64_t seed)
      : rng_(seed), nodes_(rng_.chance(1, 2) ? 1 : 4), shares_change_(rng_.chance(1, 2)) {
    d_.ids = Rng(seed ^ 0xabcdef);
    for (int i = 0; i < nodes_; ++i)
      d_.connect("n" + std::to_string(i),
                 {.cpus_milli = 64'000, .memory_mib = 64'000, .gpus = kGpus / nodes_});
    std::vector<std::string> names = {
        d_.define_gang("gang", 2, {.cpus_milli = 1000, .memory_mib = 100, .gpus = 1})};
    for (const int gpus : {1, 2, 4})
      names.push_back(
          d_.define("g" + std::to_string(gpus), {.cpus_milli = 1000, .memory_mib = 100, .gpus = gpus}));
    for (const std::string& name : names)
      EXPECT_TRUE(d_.ask(RegisterJobDefinition{
          "fixed" + name, d_.state().find_definition(name)->document, {{"stoker:preemptible", "false"}}}));
    std::int64_t left = kGpus;
    for (const char* name : kShares) {
      CreateQuotaShare share;
      share.name = name;
      share.queue = "default";
      limits_[name] = static_cast<std::int64_t>(rng_.below(static_cast<std::uint64_t>(left + 1)));
      left -= limits_[name];
      share.limits = {{.max = limits_[name], .given = "GPU", .unit = {}}};
      share.sharing = any_sharing();
      share.preempts_inside = rng_.chance(1, 2);
      EXPECT_TRUE(d_.ask(share));
    }
  }

  void run(int turns) {
    for (int i = 0; i < turns; ++i) {
      step();
      take_news();
      d_.check();
      if (rng_.chance(1, 3)) settle();
      if (::testing::Test::HasFailure()) return;
    }
  }
  [[nodiscard]] std::string transcript() const { return transcript_.str(); }
  [[nodiscard]] int stopped() const { return stopped_; }
  [[nodiscard]] int claims() const { return claims_; }
  [[nodiscard]] int in_vain() const { return in_vain_; }

 private:
  static constexpr const char* kShares[] = {"a", "b", "c"};

  QuotaSharing any_sharing() {
    const auto strategy = static_cast<QuotaSharing::Strategy>(rng_.below(3));
    if (strategy != QuotaSharing::Strategy::LendAndBorrow || rng_.chance(1, 2)) return {strategy, -1};
    return {strategy, static_cast<std::int64_t>(rng_.below(3)) * 100};
  }

  void step() {
    const std::uint64_t kind = rng_.below(10);
    transcript_ << kind << ' ';
    if (kind < 5) return submit();
    if (kind < 8) return finish();
    if (kind == 8) return d_.advance(seconds(static_cast<std::int64_t>(rng_.below(300))));
    if (shares_change_) change();
  }

  void submit() {
    const std::string share = kShares[rng_.below(3)];
    // Where limits are lowered, what cannot be stopped may stay beyond them.
    const std::string fixed = !shares_change_ && rng_.chance(1, 5) ? "fixed" : "";
    const std::string rest = R"("shareIdentifier":")" + share + R"(","schedulingPriorityOverride":)" +
                             std::to_string(rng_.below(kPriorities)) + "}";
    if (rng_.chance(1, 4)) {
      const std::string nodes = std::to_string(1 + rng_.below(4));
      d_.submit("w", fixed + "gang", 0, {}, R"({"nodeOverrides":{"numNodes":)" + nodes + "}," + rest);
      return;
    }
    const std::string gpus = nodes_ > 1 ? "1" : std::to_string(1 << rng_.below(3));
    d_.submit("j", fixed + "g" + gpus, 0, {}, "{" + rest);
  }

  // What one share gives up another gets: together they never have a right to more than there is.
  void change() {
    const std::string from = kShares[rng_.below(3)], to = kShares[rng_.below(3)];
    const auto moved = static_cast<std::int64_t>(rng_.below(static_cast<std::uint64_t>(limits_[from] + 1)));
    limits_[from] -= moved;
    limits_[to] += moved;
    for (const std::string& name : {from, to}) {
      UpdateQuotaShare update;
      update.queue = "default";
      update.name = name;
      update.limits = {{.max = limits_[name], .given = "GPU", .unit = {}}};
      if (rng_.chance(1, 2)) update.sharing = any_sharing();
      if (rng_.chance(1, 4)) update.preempts_inside = rng_.chance(1, 2);
      EXPECT_TRUE(d_.ask(update));
    }
  }

  void finish() {
    if (runs_.empty()) return;
    end(*std::next(runs_.begin(), static_cast<std::ptrdiff_t>(rng_.below(runs_.size()))), 0);
  }
  void end(const std::pair<const std::string, std::string>& run, int code) {
    const auto [text, node] = run;
    runs_.erase(text);
    stops_.erase(text);
    d_.event(RunEnded{.node = node,
                      .token = *RunToken::parse(text),
                      .started_at = d_.now,
                      .at = d_.now,
                      .exit_code = code,
                      .reason = {}});
  }

  void take_news() {
    for (const StartRun& start : std::exchange(d_.starts, {})) {
      transcript_ << "start " << start.token.str() << " on " << start.node << '\n';
      runs_[start.token.str()] = start.node;
      if (rng_.chance(3, 4)) d_.event(RunStarted{start.token, d_.now});
    }
    for (const StopRun& stop : std::exchange(d_.stops, {})) {
      transcript_ << "stop " << stop.token.str() << '\n';
      if (runs_.contains(stop.token.str())) stops_.insert(stop.token.str());
    }
    stopped_ += static_cast<int>(stops_.size());
    watch_claims();
    d_.forgets.clear();
  }

  // Multi-node jobs for which others were stopped start when those have ended. In vain it is when
  // the share has no right any more to so much: its limits were lowered, or it would have borrowed and the
  // lender has come for its own. Nothing else may be the cause.
  void watch_claims() {
    std::set<JobNo> now;
    for (const auto& [no, claim] : d_.state().claims)
      if (d_.state().jobs.find(no)->is_gang()) now.insert(no);
    for (const JobNo no : claimers_) {
      const Job& job = *d_.state().jobs.find(no);
      if (now.contains(no) || is_active(job.status)) continue;
      if (!would_borrow(job)) ++in_vain_;
    }
    for (const JobNo no : now) claims_ += claimers_.contains(no) ? 0 : 1;
    claimers_ = std::move(now);
  }

  [[nodiscard]] bool would_borrow(const Job& job) const {
    const auto book = d_.state().quota_books.find(job.queue);
    const std::int64_t held = book == d_.state().quota_books.end() ? 0 : book->second.of(job.spec->share).gpu;
    return held + job.spec->container.resources.all_gpu_milli() >
           limits_.at(job.spec->share) * Resources::kGpuMilli;
  }

  // Whoever was told to end does.
  void settle() {
    for (int round = 0; !stops_.empty(); ++round) {
      if (round == kRoundsMax) {
        ADD_FAILURE() << "jobs are stopped for ever";
        return;
      }
      for (const std::string& text : std::set(stops_)) end(*runs_.find(text), 143);
      take_news();
      d_.check();
    }
    for (const char* share : kShares) check_has_its_own(share);
  }

  // Its first job would wait for what others hold beyond their limits, or for room that is there.
  void check_has_its_own(const std::string& share) {
    const JobQueue& queue = *d_.state().find_queue("default");
    const auto waiting = d_.state().waiting.find(queue.no);
    if (waiting == d_.state().waiting.end()) return;
    const Job* first = nullptr;
    for (const auto& [group, jobs] : waiting->second) {
      if (group.share != share) continue;
      const Job& job = *d_.state().jobs.find(*jobs.jobs.first());
      if (first == nullptr || job.spec->scheduling_priority > first->spec->scheduling_priority ||
          (job.spec->scheduling_priority == first->spec->scheduling_priority && job.no < first->no))
        first = &job;
    }
    if (first == nullptr) return;
    EXPECT_TRUE(would_borrow(*first)) << "job " << first->public_id() << " of share " << share
                                      << " waits for its own: " << find_wait_reason(d_.state(), *first)->text;
  }

  Rng rng_;
  Driver d_;
  int nodes_;
  bool shares_change_;
  std::map<std::string, std::int64_t> limits_;
  std::map<std::string, std::string> runs_;  // token, node
  std::set<std::string> stops_;              // those that were told to end
  int stopped_ = 0;
  std::set<JobNo> claimers_;  // multi-node jobs
  int claims_ = 0;            // of theirs, so far
  int in_vain_ = 0;           // of these, though the share has a right to so much
  std::ostringstream transcript_;
};

TEST(QuotaWalk, no_share_has_more_than_it_may_and_lenders_get_their_own_back) {
  const stoker::testing::WalkSeeds seeds = stoker::testing::walk_seeds(25);
  int stopped = 0, claims = 0;
  stoker::testing::walk_each("quota", seeds, [&](std::uint64_t seed) {
    Walk one(seed);
    one.run(150);
    stopped += one.stopped();
    claims += one.claims();
    EXPECT_EQ(one.in_vain(), 0) << "room is made in vain for multi-node jobs";
  });
  EXPECT_GE(stopped, static_cast<int>(seeds.count())) << "a walk in which nobody takes back anything";
  EXPECT_GE(claims, static_cast<int>(seeds.count()) / 2) << "a walk without multi-node jobs that take back";
}

// A gang that counts on runs that are being stopped for somebody else, who has started in another place.
TEST(QuotaWalk, what_once_was_made_room_for_in_vain) {
  Walk one(182);
  one.run(150);
  EXPECT_EQ(one.in_vain(), 0);
  EXPECT_GT(one.claims(), 0);
}

// A gang that needs fewer of the machines that were kept for it leaves the others to the next.
TEST(QuotaWalk, what_once_was_kept_for_two) {
  Walk(457).run(150);
}

TEST(QuotaWalk, the_same_seed_gives_the_same_transcript) {
  stoker::testing::expect_reproducible<Walk>();
}

}  // namespace
}  // namespace stoker::core
