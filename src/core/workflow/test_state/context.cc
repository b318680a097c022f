// The context object of a test: as given, or made up.
#include "core/workflow/run/context.h"

#include "base/ids.h"
#include "core/workflow/test_state/subject.h"

namespace stoker::workflow {
namespace {

enum class Kind : std::uint8_t { String, Integer, Anything };
struct Known {
  std::string_view part;
  std::string_view member;
  Kind kind = Kind::String;
};
constexpr Known kKnown[] = {
    {"Execution", "Id"},
    {"Execution", "Input", Kind::Anything},
    {"Execution", "Name"},
    {"Execution", "RoleArn"},
    {"Execution", "StartTime"},
    {"Execution", "RedriveCount", Kind::Integer},
    {"Execution", "RedriveTime"},
    {"State", "EnteredTime"},
    {"State", "Name"},
    {"State", "RetryCount", Kind::Integer},
    {"StateMachine", "Id"},
    {"StateMachine", "Name"},
    {"Task", "Token"},
};

std::unexpected<Error> invalid_context(const std::string& why) {
  return invalid_request("Invalid Context object provided: " + why);
}

Result<void> check_part(std::string_view part, const json::Value& value) {
  const bool known_part = std::ranges::any_of(kKnown, [&](const Known& known) { return known.part == part; });
  if (!known_part) return invalid_context("Field '" + std::string(part) + "' is not allowed");
  if (!value.is_object()) return invalid_context(std::string(part) + " must be an object");
  for (const auto& [key, member] : value.get_object()) {
    const std::string_view name{key.data(), key.size()};
    const auto* known = std::ranges::find_if(
        kKnown, [&](const Known& entry) { return entry.part == part && entry.member == name; });
    if (known == std::end(kKnown)) return invalid_context("Field '" + std::string(name) + "' is not allowed");
    const std::string path = std::string(part) + "." + std::string(name);
    if (known->kind == Kind::String && !member.is_string())
      return invalid_context(path + " must be a string");
    if (known->kind == Kind::Integer && !member.is_int64())
      return invalid_context(path + " must be an integer");
  }
  return {};
}

bool takes_token(const asl::State& state) {
  const auto* task = std::get_if<asl::Task>(&state.kind);
  return task != nullptr && read_resource(task->resource).pattern != Pattern::RequestResponse;
}

Result<json::Value> check_given(const std::string& text, const asl::State& state) {
  constexpr std::size_t kDepthMax = 64;
  auto context = json::parse(text, {.depth_max = kDepthMax});
  if (!context || !context->is_object()) return invalid_context("it must be a valid JSON object");
  for (const auto& [key, value] : context->get_object()) {
    const std::string_view part{key.data(), key.size()};
    if (part == "Map") return invalid_context("'Map' field is not supported when mocking a Context object");
    TRY(check_part(part, value));
    if (part == "Task" && !takes_token(state))
      return invalid_context(
          "Context object contains 'Task' when state is not a Task state with a '.sync' or "
          "'.waitForTaskToken' service integration pattern");
  }
  return context;
}

std::string new_uuid(const TestStateWorld& world) {
  const std::uint64_t high = world.random();
  return Uuid::from_random(high, world.random()).str();
}

// RECORDED: the members, their order, an express execution of a machine that never was, and a retry count
// only where there can be retries.
json::Value make_up(const TestStateRequest& request, const TestStateWorld& world, const asl::State& state,
                    const Document& input) {
  const std::string machine = new_uuid(world);
  const std::string name = new_uuid(world);
  const std::string arn = "arn:" + world.partition + ":states:" + world.region + ":" + world.account + ":";
  const std::string now = iso_instant(world.now);

  json::Object execution;
  execution["Id"] = arn + "express:" + machine + ":" + name;
  execution["Input"] = input.value();
  execution["Name"] = name;
  execution["RoleArn"] = request.role_arn.empty() ? json::Value(nullptr) : json::Value(request.role_arn);
  execution["StartTime"] = now;
  json::Object entered;
  entered["Name"] = kTestedName;
  entered["EnteredTime"] = now;
  const bool retried = std::holds_alternative<asl::Task>(state.kind) ||
                       std::holds_alternative<asl::Map>(state.kind) ||
                       std::holds_alternative<asl::Parallel>(state.kind);
  if (retried) entered["RetryCount"] = request.retrier_retry_count.value_or(0);

  json::Object context;
  context["Execution"] = std::move(execution);
  context["StateMachine"] = json::Object{{"Id", arn + "stateMachine:" + machine}, {"Name", machine}};
  context["State"] = std::move(entered);
  if (takes_token(state)) context["Task"] = json::Object{{"Token", new_uuid(world)}};
  return context;
}

}  // namespace

Result<json::Value> read_context(const TestStateRequest& request, const TestStateWorld& world,
                                 const asl::State& state, const Document& input) {
  if (request.context) return check_given(*request.context, state);
  return make_up(request, world, state, input);
}

}  // namespace stoker::workflow
