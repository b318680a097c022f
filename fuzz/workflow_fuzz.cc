// A whole execution: a definition, a line "----", and its input. Whatever is accepted runs within the bounds
// of a turn, keeps its invariants, comes back from its records, and ends when its work fails.
#include "base/assert.h"
#include "core/workflow/definition/read.h"
#include "core/workflow/run/execution.h"
#include "fuzz.h"

namespace {

using namespace stoker;
using namespace stoker::workflow;

constexpr int kTurnsMax = 300;

class Run {
 public:
  Run(std::shared_ptr<const Program> program, Document input) : program_(std::move(program)) {
    limits_.events_max = 500;
    limits_.threads_max = 200;
    limits_.steps_per_turn = 100;
    limits_.map_run_items_max = 1000;
    ExecutionStart start;
    start.no = 1;
    start.arn = "arn:aws:states:us-east-1:000000000000:execution:m:x";
    start.name = "x";
    start.machine_arn = "arn:aws:states:us-east-1:000000000000:stateMachine:m";
    start.machine_name = "m";
    start.input = std::move(input);
    execution_.emplace(program_, limits_, std::move(start), now_, effects_);
  }

  void to_the_end() {
    for (int turn = 0; turn < kTurnsMax && execution_->status() == Status::Running; ++turn) {
      end_turn();
      if (const auto due = execution_->next_due()) {
        now_ = std::max(now_, *due);
        tell(TimerDue{});
      }
      for (Effect& effect : std::exchange(effects_, {})) answer(effect, turn % 2 == 0);
    }
    if (execution_->status() == Status::Running) tell(Stop{});
    ASSERT(execution_->status() != Status::Running);
    end_turn();
  }

 private:
  void tell(const News& news) { execution_->apply(now_, news, effects_); }

  void end_turn() {
    execution_->check_invariants();
    apply(records_, execution_->take_changes());
    ASSERT(records_ == execution_->snapshot(), "the changes are not all of the change");
    if (execution_->status() != Status::Running) return;
    const auto again = Execution::load(program_, limits_, records_);
    ASSERT(again.has_value(), again ? "" : again.error().message);
    ASSERT(again->snapshot() == records_, "the records do not give the state back");
  }

  void answer(const Effect& effect, bool good) {
    if (const auto* task = std::get_if<StartTask>(&effect)) {
      if (good) return tell(TaskSucceeded{task->token, Document(json::Value(json::Object{{"a", 1}}))});
      tell(TaskFailed{.token = task->token, .error = "E", .cause = "C"});
    } else if (const auto* child = std::get_if<StartChild>(&effect)) {
      tell(ChildEnded{
          .child = child->child, .status = good ? Status::Succeeded : Status::Failed, .output = "1"});
    } else if (const auto* read = std::get_if<ReadItems>(&effect)) {
      tell(ItemsRead{.token = read->token, .items = std::make_shared<const json::Value>(json::Array{1, 2})});
    } else if (const auto* write = std::get_if<WriteResults>(&effect)) {
      tell(ResultsWritten{.token = write->token,
                          .output = std::make_shared<const json::Value>(json::Object{})});
    }
  }

  std::shared_ptr<const Program> program_;
  Limits limits_;
  Instant now_{1'772'368'245'678};
  Effects effects_;
  std::optional<Execution> execution_;
  Snapshot records_;
};

}  // namespace

void fuzz_one(std::string_view bytes) {
  constexpr std::string_view kLine = "\n----\n";
  const std::size_t cut = std::min(bytes.find(kLine), bytes.size());
  const asl::ReadDefinition read = asl::read_definition(bytes.substr(0, cut));
  if (read.definition == nullptr) return;
  auto input = Document::parse(std::string(bytes.substr(std::min(bytes.size(), cut + kLine.size()))));
  Run(Program::create(read.definition), input ? *std::move(input) : Document()).to_the_end();
}
