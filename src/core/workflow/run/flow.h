#pragma once
// The data flow of one state, step by step (amazon-states-language.md 2.3 and 2.8), as plain functions:
// the interpreter runs executions with them, TestState shows what they make of one state.
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/workflow/definition/definition.h"
#include "core/workflow/run/document.h"
#include "core/workflow/run/limits.h"

namespace stoker::workflow {

using asl::Evaluated;
using asl::Fault;

// The values between the steps, noted for TestState's inspectionData. What was not reached stays empty.
struct Trace {
  std::optional<Document> after_input_path, after_parameters, after_arguments;
  std::optional<Document> result, after_result_selector, after_result_path;
  std::optional<Document> after_items_path;
};

// Everything around a state's expressions that stays the same from field to field.
struct Surroundings {
  const asl::State& state;
  const Document& input;  // raw
  const json::Value* context = nullptr;
  const asl::Variables* variables = nullptr;
  Instant now{};
  std::function<std::uint64_t()> random{};
  const Limits* limits = nullptr;
  std::uint64_t* effort = nullptr;  // asl::Scope::effort
  Trace* trace = nullptr;           // null: nobody asks
};

using Assigned = std::vector<std::pair<std::string, Document>>;
// How a state is left.
struct Leaving {
  Document output;
  Assigned assigned;
  std::string next;  // "": the end
};
// An error in the words of Retry and Catch.
struct Raised {
  std::string error;
  std::optional<std::string> cause;  // as history shows it, with the sentence before it
  bool error_given = true;           // false: somebody failed without giving a name
  bool heartbeat = false;            // States.HeartbeatTimeout, which is shown as States.Timeout
};

// InputPath and Parameters, or Arguments: what the state works on. For a Map, Arguments and Parameters are
// none of its fields.
Evaluated<Document> effective_input(const Surroundings& around);
// ResultSelector, ResultPath and OutputPath, or Output; and Assign. Kinds without a result of their own
// (Wait, Succeed) give their effective input.
Evaluated<Leaving> leave(const Surroundings& around, const Document& result);
Evaluated<Leaving> leave_by_catcher(const Surroundings& around, std::size_t catcher, const Raised& raised);

// Choice: the rule that holds, and its way out. The index is that of the rule, -1 for Default.
struct Chosen {
  std::int64_t rule = -1;
  Leaving leaving;
};
Evaluated<Chosen> choose(const Surroundings& around);

// Wait: until when. `entered` is when the wait began.
Evaluated<Instant> wait_until(const Surroundings& around, Instant entered);

// Fail: its error and cause, where given.
struct Failure {
  std::optional<std::string> error, cause;
};
Evaluated<Failure> fail_with(const Surroundings& around);

// Task: what else it needs besides its input.
struct TaskTerms {
  std::optional<std::int64_t> timeout_s, heartbeat_s;
  std::string role;  // "": none
};
Evaluated<TaskTerms> task_terms(const Surroundings& around);

// Map: the items as an array. An object is iterated by its values; its keys stand beside them.
struct MapItems {
  json::Shared items;             // an array
  std::vector<std::string> keys;  // of an object; empty for an array
};
Evaluated<MapItems> map_items(const Surroundings& around);
// The input of one item's iteration. The context of `around` has Map.Item.
Evaluated<Document> map_item_input(const Surroundings& around, const Document& effective,
                                   const json::Value& item);
// A whole number of a Map; nothing when there is no such field.
Evaluated<std::optional<std::int64_t>> map_whole(const Surroundings& around,
                                                 const std::optional<asl::Setting>& setting,
                                                 std::string_view field);
// The same, and not below 0.
Evaluated<std::optional<std::int64_t>> map_integer(const Surroundings& around,
                                                   const std::optional<asl::Setting>& setting,
                                                   std::string_view field);
// MaxConcurrency, 0: none given.
Evaluated<std::int64_t> map_concurrency(const Surroundings& around);
struct Tolerance {
  std::optional<std::int64_t> count;
  std::optional<double> percentage;
};
Evaluated<Tolerance> map_tolerance(const Surroundings& around);

// "An error occurred while executing the state 'X' (entered at the event id #2). " before the cause where
// the fault wants it.
Raised raise(const Fault& fault, std::string_view state, std::uint64_t entered_event);

}  // namespace stoker::workflow
