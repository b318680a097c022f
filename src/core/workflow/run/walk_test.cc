// Seeded walks: random definitions, random news in random order, now and then a stop, a redrive or a reload.
// After every turn the invariants hold, and a twin that is reloaded from its records after each turn has
// written the same history.
#include <map>
#include <memory>
#include <set>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "base/testing/walks.h"
#include "core/workflow/run/testing/author.h"
#include "core/workflow/run/testing/driver.h"

namespace stoker::workflow {
namespace {

using testing::Author;
using testing::Driver;

// A walk of the whole core is worth so many of these.
constexpr std::int64_t kWorth = 20;
constexpr std::int64_t kUsual = 15;

// What happens, to both twins alike.
class Walk {
 public:
  explicit Walk(std::uint64_t seed) : rng_(seed) {
    definition_ = Author(rng_).definition();
    Limits limits;
    if (rng_.chance(1, 4)) limits.steps_per_turn = 1 + rng_.below(4);
    if (rng_.chance(1, 6)) limits.events_max = 10 + rng_.below(60);
    if (rng_.chance(1, 6)) limits.payload_bytes_max = 30 + rng_.below(100);
    if (rng_.chance(1, 6)) limits.threads_max = 2 + rng_.below(4);
    const auto program = Driver::program(definition_);
    plain_ = std::make_unique<Driver>(program, limits);
    twin_ = std::make_unique<Driver>(program, limits);
    twin_->reload_after_each_turn = true;
    ExecutionStart start;
    start.seed = seed + 1;
    plain_->start("{\"x\":[1]}", start);
    twin_->start("{\"x\":[1]}", start);
  }

  void run() {
    constexpr int kNews = 400;
    for (int i = 0; i < kNews && !::testing::Test::HasFailure(); ++i) {
      const bool over = plain_->execution().status() != Status::Running;
      if (over && (redrives_ >= 2 || !rng_.chance(1, 2))) break;
      if (over) {
        ++redrives_;
        tell(Redrive{});
        if (plain_->execution().status() != Status::Running) break;  // refused, or over again
      } else {
        something(i);
      }
      check();
    }
    // Whatever came before, good news brings it to an end.
    for (int i = 0; plain_->execution().status() == Status::Running && i < 2000; ++i) good_news();
    check();
    check_end();
  }

  [[nodiscard]] const std::string& definition() const { return definition_; }
  [[nodiscard]] const std::vector<HistoryEvent>& history() const { return plain_->history; }

 private:
  void tell(const News& news) {
    const Heard heard = plain_->tell(news);
    EXPECT_EQ(heard, twin_->tell(news));
  }
  void advance(Duration by) {
    plain_->advance(by);
    twin_->advance(by);
  }

  void something(int i) {
    const std::uint64_t what = rng_.below(20);
    if (what == 0 && i > 10) return tell(Stop{"S", std::nullopt});
    if (what <= 4) return advance(milliseconds(static_cast<std::int64_t>(rng_.below(4000))));
    if (what <= 6 && !past_.empty()) return tell(TaskSucceeded{past_[rng_.below(past_.size())], Document()});
    if (what <= 9 && !plain_->running_children.empty()) return child(rng_.chance(1, 3));
    about_a_task();
  }

  void about_a_task() {
    if (plain_->open_tasks.empty()) return advance(milliseconds(500));
    auto at = plain_->open_tasks.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(rng_.below(plain_->open_tasks.size())));
    const TaskToken token = at->first;
    const char* const error = rng_.chance(1, 2) ? "A" : "B";
    switch (rng_.below(8)) {
      case 0:
        return tell(TaskStarted{token, "w"});
      case 1:
        return tell(TaskSubmitted{token, Document(json::Value("submitted"))});
      case 2:
        return tell(TaskHeartbeat{token});
      case 3:
        forget(token);
        return tell(TaskFailed{token, error, std::nullopt});
      case 4:
        forget(token);
        return tell(TaskFailed{token, std::nullopt, "why", TaskFailed::Stage::Submit});
      case 5:
        if (rng_.chance(1, 4)) {
          forget(token);
          return tell(TaskFailed{token, std::nullopt, "shape", TaskFailed::Stage::Data});
        }
        return advance(seconds(1));
      default:
        forget(token);
        return tell(TaskSucceeded{token, Document(json::Value(json::Array{1, "r"}))});
    }
  }

  void child(bool fails) {
    auto at = plain_->running_children.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(rng_.below(plain_->running_children.size())));
    ChildEnded news{.child = at->second.child};
    plain_->running_children.erase(at);
    news.status = fails ? Status::Failed : Status::Succeeded;
    if (fails) news.error = "A";
    if (!fails) news.output = "\"child\"";
    tell(news);
  }

  void good_news() {
    if (!plain_->open_tasks.empty()) {
      const TaskToken token = plain_->open_tasks.begin()->first;
      forget(token);
      return tell(TaskSucceeded{token, Document(json::Value(1))});
    }
    if (!plain_->running_children.empty()) return child(false);
    advance(seconds(5));
  }

  void forget(const TaskToken& token) {
    plain_->open_tasks.erase(token);
    past_.push_back(token);
  }

  void check() {
    ASSERT_EQ(plain_->history.size(), twin_->history.size());
    for (; checked_ < plain_->history.size(); ++checked_) {
      const HistoryEvent& event = plain_->history[checked_];
      ASSERT_EQ(event, twin_->history[checked_]);
      ASSERT_EQ(event.id, checked_ + 1) << "ids have a gap";
      ASSERT_LT(event.previous, event.id) << "previousEventId is no tree";
      ASSERT_TRUE(event.details.empty() || json::parse(event.details).has_value());
      check_exit(event);
    }
    ASSERT_EQ(plain_->records(), twin_->records());
  }

  // Every Exited ends one Entered of its state that nothing else ended: the nearest one up its chain.
  void check_exit(const HistoryEvent& event) {
    if (!name(event.type).ends_with("StateExited")) return;
    const auto state = [](const HistoryEvent& e) {
      return std::string(json::get_string(json::parse(e.details).value(), "name"));
    };
    const std::string wanted = state(event);
    for (std::uint64_t at = event.previous; at != 0; at = plain_->history[at - 1].previous) {
      const HistoryEvent& before = plain_->history[at - 1];
      // What a redrive goes on with was entered before it, in a chain of its own.
      if (before.type == EventType::ExecutionRedriven) return;
      if (!name(before.type).ends_with("StateEntered") || state(before) != wanted) continue;
      EXPECT_TRUE(ended_.insert(before.id).second)
          << "state " << wanted << " entered at " << before.id << " ended twice";
      return;
    }
    ADD_FAILURE() << "state " << wanted << " was never entered";
  }

  void check_end() {
    ASSERT_NE(plain_->execution().status(), Status::Running) << "it never ends";
    // Every task that was asked for is answered or cancelled, every child ended or stopped.
    std::set<TaskToken> open;
    int ends = 0;
    for (const Effect& effect : plain_->effects) {
      if (const auto* start = std::get_if<StartTask>(&effect)) {
        EXPECT_TRUE(open.insert(start->token).second) << "a token was used twice";
      }
      if (const auto* cancel = std::get_if<CancelTask>(&effect)) open.erase(cancel->token);
      if (std::holds_alternative<Ended>(effect)) ++ends;
    }
    for (const TaskToken& token : past_) open.erase(token);
    EXPECT_TRUE(open.empty()) << open.size() << " tasks are forgotten";
    EXPECT_EQ(ends, 1 + plain_->execution().redrive_count());
    EXPECT_TRUE(plain_->running_children.empty()) << "a child of a map run is forgotten";
  }

  Rng rng_;
  std::string definition_;
  std::unique_ptr<Driver> plain_, twin_;
  std::vector<TaskToken> past_;
  std::set<std::uint64_t> ended_;
  std::size_t checked_ = 0;
  int redrives_ = 0;
};

TEST(WorkflowWalk, random_definitions_and_news_keep_the_invariants) {
  std::map<EventType, int> seen;
  const stoker::testing::WalkSeeds asked = stoker::testing::walk_seeds(kUsual);
  for (std::int64_t seed = (asked.first - 1) * kWorth; seed < asked.last * kWorth; ++seed) {
    Walk walk(static_cast<std::uint64_t>(seed));
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + walk.definition());
    walk.run();
    if (HasFailure()) return;
    for (const HistoryEvent& event : walk.history()) ++seen[event.type];
  }
  // The walks went everywhere: all types but those that are never written (...ScheduleFailed and the like).
  if (asked.last - asked.first + 1 >= kUsual) {
    EXPECT_EQ(seen.size(), kEventTypeCount - 4);
  }
}

}  // namespace
}  // namespace stoker::workflow
