#include "core/workflow/definition/state.h"

#include "core/workflow/definition/retry_catch.h"
#include "core/workflow/definition/values.h"

namespace stoker::asl {
namespace {

constexpr std::uint16_t kWork = kTask | kParallel | kMap;

constexpr Field kFields[] = {
    {.name = "Type", .forms = kString, .required = true},
    {.name = "Comment", .forms = kString},
    {.name = "QueryLanguage", .forms = kString},
    {.name = "End", .forms = kBoolean, .states = kWork | kPass | kWait},
    {.name = "Next", .forms = kString, .states = kWork | kPass | kWait},
    {.name = "InputPath", .forms = kString | kNull, .states = kAnyState & ~kFail, .languages = kJsonPathOnly},
    {.name = "OutputPath",
     .forms = kString | kNull,
     .states = kAnyState & ~kFail,
     .languages = kJsonPathOnly},
    {.name = "Parameters", .states = kTask | kParallel | kPass, .languages = kJsonPathOnly},
    {.name = "ResultPath", .forms = kString | kNull, .states = kWork | kPass, .languages = kJsonPathOnly},
    {.name = "ResultSelector", .forms = kObject, .states = kWork, .languages = kJsonPathOnly},
    {.name = "Arguments", .states = kTask | kParallel, .languages = kJsonataOnly},
    {.name = "Output", .states = kAnyState & ~kFail, .languages = kJsonataOnly},
    {.name = "Assign", .forms = kObject, .states = kWork | kPass | kWait | kChoice},
    {.name = "Retry", .forms = kArray, .states = kWork},
    {.name = "Catch", .forms = kArray, .states = kWork},
    // Task
    {.name = "Resource", .forms = kString, .states = kTask, .required = true},
    {.name = "Credentials", .forms = kObject, .states = kTask},
    {.name = "TimeoutSeconds", .forms = kInteger | kExpression, .states = kTask},
    {.name = "TimeoutSecondsPath",
     .forms = kString,
     .states = kTask,
     .languages = kJsonPathOnly,
     .twin = "TimeoutSeconds"},
    {.name = "HeartbeatSeconds", .forms = kInteger | kExpression, .states = kTask},
    {.name = "HeartbeatSecondsPath",
     .forms = kString,
     .states = kTask,
     .languages = kJsonPathOnly,
     .twin = "HeartbeatSeconds"},
    // Pass
    {.name = "Result", .states = kPass, .languages = kJsonPathOnly},
    // Wait
    {.name = "Seconds", .forms = kInteger | kExpression, .states = kWait},
    {.name = "SecondsPath", .forms = kString, .states = kWait, .languages = kJsonPathOnly},
    {.name = "Timestamp", .forms = kString, .states = kWait},
    {.name = "TimestampPath", .forms = kString, .states = kWait, .languages = kJsonPathOnly},
    // Fail
    {.name = "Error", .forms = kString, .states = kFail},
    {.name = "ErrorPath", .forms = kString, .states = kFail, .languages = kJsonPathOnly, .twin = "Error"},
    {.name = "Cause", .forms = kString, .states = kFail},
    {.name = "CausePath", .forms = kString, .states = kFail, .languages = kJsonPathOnly, .twin = "Cause"},
    // Choice
    {.name = "Choices", .forms = kArray, .states = kChoice, .required = true},
    {.name = "Default", .forms = kString, .states = kChoice},
    // Parallel
    {.name = "Branches", .forms = kArray, .states = kParallel, .required = true},
    // Map
    {.name = "ItemProcessor", .forms = kObject, .states = kMap},
    {.name = "Iterator", .forms = kObject, .states = kMap, .twin = "ItemProcessor"},
    {.name = "Items", .forms = kArray | kObject | kExpression, .states = kMap, .languages = kJsonataOnly},
    {.name = "ItemsPath", .forms = kString, .states = kMap, .languages = kJsonPathOnly},
    {.name = "ItemSelector", .forms = kAny, .states = kMap},
    {.name = "Parameters", .states = kMap, .languages = kJsonPathOnly, .twin = "ItemSelector"},
    {.name = "MaxConcurrency", .forms = kInteger | kExpression, .states = kMap},
    {.name = "MaxConcurrencyPath",
     .forms = kString,
     .states = kMap,
     .languages = kJsonPathOnly,
     .twin = "MaxConcurrency"},
    {.name = "ToleratedFailureCount", .forms = kInteger | kExpression, .states = kMap},
    {.name = "ToleratedFailureCountPath",
     .forms = kString,
     .states = kMap,
     .languages = kJsonPathOnly,
     .twin = "ToleratedFailureCount"},
    {.name = "ToleratedFailurePercentage", .forms = kNumber | kExpression, .states = kMap},
    {.name = "ToleratedFailurePercentagePath",
     .forms = kString,
     .states = kMap,
     .languages = kJsonPathOnly,
     .twin = "ToleratedFailurePercentage"},
    {.name = "Label", .forms = kString, .states = kMap},
    {.name = "ItemReader", .forms = kObject, .states = kMap},
    {.name = "ItemBatcher", .forms = kObject, .states = kMap},
    {.name = "ResultWriter", .forms = kObject, .states = kMap},
};

constexpr std::pair<std::string_view, StateTypes> kTypes[] = {
    {"Task", kTask}, {"Wait", kWait},     {"Pass", kPass},         {"Succeed", kSucceed},
    {"Fail", kFail}, {"Choice", kChoice}, {"Parallel", kParallel}, {"Map", kMap}};

std::optional<StateTypes> read_type(const json::Value& state, const Where& where, Diagnosis& diagnosis) {
  const json::Value* type = json::find(state, "Type");
  if (type == nullptr) {
    diagnosis.schema("These fields are required: [Type]", where);
    return std::nullopt;
  }
  for (const auto& [name, bit] : kTypes)
    if (json::text(*type) == name) return bit;
  diagnosis.schema(
      type->is_string()
          ? "The field 'Type' should have one of these values: [Task, Wait, Pass, Succeed, Fail, "
            "Choice, Parallel, Map]"
          : "Expected value of type [STRING]",
      where.member("Type"));
  return std::nullopt;
}

Language read_language(const json::Value& state, const Where& where, Reading& reading) {
  const json::Value* value = json::find(state, "QueryLanguage");
  if (value == nullptr || !value->is_string()) return reading.language;
  if (json::text(*value) == "JSONata") return Language::Jsonata;
  if (json::text(*value) != "JSONPath")
    reading.diagnosis.schema("Value should be one of the following: [JSONPath, JSONata]",
                             where.member("QueryLanguage"));
  else if (reading.language == Language::Jsonata)
    reading.diagnosis.schema(
        "'QueryLanguage' can not be 'JSONPath' if set to 'JSONata' for whole state machine", where);
  return reading.language;
}

Kind read_kind(const Fields& fields, StateTypes type, std::string_view name, Reading& reading,
               std::vector<Transition>& transitions) {
  switch (type) {
    case kTask:
      return read_task(fields, reading);
    case kWait:
      return read_wait(fields, reading);
    case kPass:
      return read_pass(fields, reading);
    case kFail:
      return read_fail(fields, reading);
    case kChoice:
      return read_choice(fields, name, reading, transitions);
    case kParallel:
      return read_parallel(fields, reading);
    case kMap:
      return read_map(fields, reading);
    case kSucceed:
    case kAnyState:
      break;
  }
  return Succeed{};
}

// Next or End, where the type has them.
void read_way_out(const Fields& fields, StateTypes type, State& state, Reading& reading,
                  std::vector<Transition>& transitions) {
  if (type == kSucceed || type == kFail) return transitions.push_back({state.name, "", "", fields.where()});
  if (type == kChoice) return;
  const json::Value* end = fields.get("End");
  const bool ends = end != nullptr && end->get_bool();
  const bool goes_on = fields.has("Next");
  if (ends && goes_on)
    reading.diagnosis.schema("Only one of these fields is allowed: [Next, End]", fields.where());
  else if (!ends && !goes_on && !(reading.alone && reading.nesting == 0))
    reading.diagnosis.schema("One of these fields is required: [Next, End]", fields.where());
  state.next = fields.string("Next");
  if (goes_on) transitions.push_back({state.name, state.next, "Next", fields.at("Next")});
  if (ends) transitions.push_back({state.name, "", "End", fields.at("End")});
}

void read_data_flow(const Fields& fields, StateTypes type, State& state, Diagnosis& diagnosis) {
  const StatesMembers members{.result = (type & kWork) != 0, .error_output = false};
  state.input_path = read_selector(fields, "InputPath", diagnosis);
  if (type != kMap) state.parameters = read_payload(fields, "Parameters", {}, diagnosis);
  state.arguments = read_payload(fields, "Arguments", {}, diagnosis);
  state.result_selector = read_payload(fields, "ResultSelector", {}, diagnosis);
  state.result_path = read_result_path(fields, diagnosis);
  state.output_path = read_selector(fields, "OutputPath", diagnosis);
  state.assign = read_assign(fields, members, diagnosis);
  state.output = read_payload(fields, "Output", members, diagnosis);
}

}  // namespace

std::optional<State> read_state(const json::Value& value, std::string_view name, const Where& where,
                                Reading& reading, std::vector<Transition>& transitions) {
  if (!value.is_object()) {
    reading.diagnosis.schema("Expected value of type [OBJECT]", where);
    return std::nullopt;
  }
  const auto type = read_type(value, where, reading.diagnosis);
  if (!type) return std::nullopt;
  State state;
  state.name = name;
  state.language = read_language(value, where, reading);
  const auto fields = read_fields(value, kFields, *type, state.language, where, reading.diagnosis);
  if (!fields) return std::nullopt;
  read_data_flow(*fields, *type, state, reading.diagnosis);
  state.kind = read_kind(*fields, *type, name, reading, transitions);
  state.retry = read_retry(*fields, reading.diagnosis);
  state.catchers = read_catch(*fields, name, transitions, reading.diagnosis);
  read_way_out(*fields, *type, state, reading, transitions);
  return state;
}

}  // namespace stoker::asl
