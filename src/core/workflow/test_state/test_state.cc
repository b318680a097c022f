#include "core/workflow/test_state/test_state.h"

#include "core/workflow/run/flow.h"
#include "core/workflow/run/retry.h"
#include "core/workflow/test_state/map_inspection.h"
#include "core/workflow/test_state/subject.h"

namespace stoker::workflow {
namespace {

constexpr std::string_view kThresholdExceeded = "States.ExceedToleratedFailureThreshold";

// RECORDED: in a test the cause stands alone, without the sentence that names the state and its event.
Raised raised_by(const Fault& fault) {
  return {.error = fault.error, .cause = fault.cause, .error_given = true};
}

class Test {
 public:
  Test(const TestStateRequest& request, const TestStateWorld& world, const Subject& subject)
      : request_(request),
        subject_(subject),
        around_{.state = *subject.state,
                .input = subject.input,
                .context = &subject.context,
                .variables = &subject.variables,
                .now = world.now,
                .random = world.random,
                .limits = &limits_,
                .effort = &effort_,
                .trace = &trace_} {}

  TestStateResult run() {
    std::visit([&](const auto& kind) { this->run_kind(kind); }, subject_.state->kind);
    inspect();
    return std::move(result_);
  }

 private:
  void run_kind(const asl::Pass& pass) {
    auto effective = effective_input(around_);
    if (!effective) return fail(raised_by(effective.error()));
    // RECORDED: with a Result nothing is said about the input, and without one there is no result.
    if (pass.result) trace_.after_input_path = trace_.after_parameters = std::nullopt;
    leave_with(leave(around_, pass.result ? Document(*pass.result) : *effective));
    if (!pass.result) trace_.result = std::nullopt;
  }

  void run_kind(const asl::Succeed&) { pass_through(); }

  void run_kind(const asl::Wait&) {
    // A test does not wait; but it says when the time cannot be read.
    if (const auto until = wait_until(around_, around_.now); !until) return fail(raised_by(until.error()));
    pass_through();
  }

  void run_kind(const asl::Choice&) {
    auto chosen = choose(around_);
    if (!chosen) return fail(raised_by(chosen.error()));
    leave_with(std::move(chosen->leaving));
  }

  void run_kind(const asl::Fail&) {
    // RECORDED, though a Fail has no InputPath.
    if (subject_.state->language == asl::Language::JsonPath) trace_.after_input_path = subject_.input;
    auto failure = fail_with(around_);
    if (!failure) return fail(raised_by(failure.error()));
    result_.status = TestStatus::Failed;
    result_.error = std::move(failure->error);
    result_.cause = std::move(failure->cause);
  }

  void run_kind(const asl::Task& task) {
    auto effective = effective_input(around_);
    if (!effective) return fail(raised_by(effective.error()));
    if (const auto terms = task_terms(around_); !terms) return fail(raised_by(terms.error()));
    if (!request_.mock) return fail(refused_call(task));
    work();
  }

  void run_kind(const asl::Parallel&) {
    auto effective = effective_input(around_);
    if (!effective) return fail(raised_by(effective.error()));
    work();
    // RECORDED: only what comes after the result is shown.
    trace_.after_input_path = trace_.after_parameters = trace_.after_arguments = trace_.result = std::nullopt;
  }

  void run_kind(const asl::Map&) {
    auto inspected = inspect_map(around_, subject_.reader_data, result_.inspection);
    if (!inspected) return fail(raised_by(inspected.error()));
    if (too_many_failed(*inspected))
      return fail({.error = std::string(kThresholdExceeded),
                   .cause = "The specified tolerated failure threshold was exceeded"});
    work();
    trace_.result = std::nullopt;
  }

  void pass_through() {
    auto effective = effective_input(around_);
    if (!effective) return fail(raised_by(effective.error()));
    trace_.after_parameters = std::nullopt;
    leave_with(leave(around_, *effective));
  }

  // The mock in place of what the state would do.
  void work() {
    if (subject_.mocked_result) return leave_with(leave(around_, *subject_.mocked_result));
    const Mock::ErrorOutput& mocked = *request_.mock->error_output;
    fail({.error = mocked.error, .cause = mocked.cause, .error_given = true});
  }

  // What a Task without a mock would call is not there.
  static Raised refused_call(const asl::Task& task) {
    return {.error = std::string(asl::kTaskFailed),
            .cause =
                "TestState calls no service: give the result or the error of " + task.resource + " as a mock",
            .error_given = true};
  }

  // RECORDED: without a tolerance in the definition the count of failures has no effect.
  [[nodiscard]] bool too_many_failed(const MapFacts& facts) const {
    if (!request_.map_iteration_failure_count || request_.mock->error_output) return false;
    const std::int64_t failed = *request_.map_iteration_failure_count;
    if (facts.tolerance.count && failed > *facts.tolerance.count) return true;
    if (!facts.tolerance.percentage || facts.items == 0) return false;
    return static_cast<double>(failed) * 100.0 >
           *facts.tolerance.percentage * static_cast<double>(facts.items);
  }

  void leave_with(Evaluated<Leaving> leaving) {
    if (!leaving) return fail(raised_by(leaving.error()));
    leave_with(*std::move(leaving));
  }

  void leave_with(Leaving leaving, TestStatus status = TestStatus::Succeeded) {
    result_.status = status;
    result_.output = leaving.output.text();
    result_.next_state = std::move(leaving.next);
    for (auto& [name, value] : leaving.assigned) assigned_.insert_or_assign(name, value.shared());
  }

  // Retry, then Catch, then the end.
  void fail(const Raised& raised) {
    result_.status = TestStatus::Failed;
    result_.error = raised.error;
    result_.cause = raised.cause;
    const asl::State& state = *subject_.state;
    const auto retrier = std::ranges::find_if(
        state.retry, [&](const asl::Retrier& one) { return takes(one.error_equals, raised.error); });
    if (retrier != state.retry.end()) {
      result_.inspection.retry_index = retrier - state.retry.begin();
      std::vector<std::int64_t> counters(state.retry.size(), request_.retrier_retry_count.value_or(0));
      if (const auto next = retry(state.retry, counters, raised.error, around_.random)) {
        result_.status = TestStatus::Retriable;
        result_.inspection.retry_backoff_interval_s = next->interval_s;
        return;
      }
    }
    const auto catcher = find_catcher(state.catchers, raised.error);
    if (!catcher) return;
    result_.inspection.catch_index = static_cast<std::int64_t>(*catcher);
    auto leaving = leave_by_catcher(around_, *catcher, raised);
    if (leaving) return leave_with(*std::move(leaving), TestStatus::CaughtError);
    const Raised second = raised_by(leaving.error());  // nothing takes the failure of a catcher
    result_.error = second.error;
    result_.cause = second.cause;
  }

  void inspect() {
    Inspection& out = result_.inspection;
    const auto show = [](const std::optional<Document>& value) {
      return value ? std::optional(value->text()) : std::nullopt;
    };
    out.input = subject_.input.text();
    out.after_input_path = show(trace_.after_input_path);
    out.after_parameters = show(trace_.after_parameters);
    out.after_arguments = show(trace_.after_arguments);
    out.result = show(trace_.result);
    out.after_result_selector = show(trace_.after_result_selector);
    out.after_result_path = show(trace_.after_result_path);
    asl::Variables variables = subject_.variables;
    for (const auto& [name, value] : assigned_) variables.insert_or_assign(name, value);
    if (variables.empty()) return;
    json::Object object;
    for (const auto& [name, value] : variables) object[name] = *value;
    out.variables = json::write(json::Value(std::move(object)));
  }

  const TestStateRequest& request_;
  const Subject& subject_;
  Limits limits_;
  Trace trace_;
  std::uint64_t effort_ = 0;
  Surroundings around_;
  asl::Variables assigned_;
  TestStateResult result_;
};

}  // namespace

Result<TestStateResult> test_state(const TestStateRequest& request, const TestStateWorld& world) {
  const Subject subject = TRY(read_subject(request, world));
  return Test(request, world, subject).run();
}

}  // namespace stoker::workflow
