#include "cli/execution_listing.h"

#include <algorithm>

#include "cli/execution_tree.h"
#include "cli/execution_view.h"

namespace stoker::cli {
namespace {

constexpr std::int64_t kListPage = 1000;
// An event may hold half a megabyte; and most looks at a history find little new.
constexpr std::int64_t kEventsPage = 200;
constexpr std::int64_t kNewEventsPage = 50;
constexpr std::size_t kCandidatesNamed = 4;

std::unexpected<Error> no_execution(std::string_view typed) {
  return fail(Code::NotFound, "no execution has the name '" + std::string(typed) +
                                  "' or one that begins so; 'stoker executions' lists them");
}

std::unexpected<Error> several(std::string_view typed, const std::vector<std::string>& names) {
  std::string text = "'" + std::string(typed) + "' is the beginning of several names:";
  for (std::size_t i = 0; i < std::min(names.size(), kCandidatesNamed); ++i) text += " " + names[i];
  if (names.size() > kCandidatesNamed) text += " and others";
  return fail(Code::InvalidArgument, std::move(text));
}

Result<void> each_machine(Api& api, const std::function<bool(const json::Value&)>& take) {
  json::Object input{{"maxResults", kListPage}};
  for (;;) {
    const json::Value page = TRY(api.states("ListStateMachines", input));
    for (const json::Value& machine : json::get_array(page, "stateMachines"))
      if (!take(machine)) return {};
    const std::string_view token = json::get_string(page, "nextToken");
    if (token.empty()) return {};
    input["nextToken"] = token;
  }
}

}  // namespace

Result<std::string> find_machine(Api& api, std::string_view typed) {
  if (typed.starts_with("arn:")) return std::string(typed);
  std::string arn;
  TRY(each_machine(api, [&](const json::Value& machine) {
    if (json::get_string(machine, "name") == typed) arn = json::get_string(machine, "stateMachineArn");
    return arn.empty();
  }));
  if (arn.empty()) return fail(Code::NotFound, "there is no state machine '" + std::string(typed) + "'");
  return arn;
}

Result<void> list_executions(Api& api, std::string_view machine_arn, std::string_view status,
                             const std::function<bool(const json::Value&)>& take) {
  json::Object input{{"stateMachineArn", machine_arn}, {"maxResults", kListPage}};
  if (!status.empty()) input["statusFilter"] = status;
  for (;;) {
    const json::Value page = TRY(api.states("ListExecutions", input));
    for (const json::Value& execution : json::get_array(page, "executions"))
      if (!take(execution)) return {};
    const std::string_view token = json::get_string(page, "nextToken");
    if (token.empty()) return {};
    input["nextToken"] = token;
  }
}

Result<void> list_all_executions(Api& api, std::string_view status,
                                 const std::function<bool(const json::Value&)>& take) {
  json::Object input{{"maxResults", kListPage}};
  if (!status.empty()) input["status"] = status;
  for (;;) {
    const json::Value page = TRY(api.own("ListAllExecutions", input));
    for (const json::Value& execution : json::get_array(page, "executions"))
      if (!take(execution)) return {};
    const std::string_view token = json::get_string(page, "nextToken");
    if (token.empty()) return {};
    input["nextToken"] = token;
  }
}

Result<std::string> find_execution(Api& api, std::string_view typed) {
  if (typed.starts_with("arn:")) return std::string(typed);
  if (typed.empty()) return no_execution(typed);
  // The first that is met is the newest.
  std::string named;
  std::string of_machine;
  std::string beginning;
  std::vector<std::string> names;  // that begin so
  std::size_t looked = 0;
  TRY(list_all_executions(api, {}, [&](const json::Value& execution) {
    const std::string arn(json::get_string(execution, "executionArn"));
    const std::string_view name = json::get_string(execution, "name");
    if (name == typed) named = arn;
    if (of_machine.empty() && machine_of_arn(json::get_string(execution, "stateMachineArn")) == typed)
      of_machine = arn;
    if (name.starts_with(typed)) {
      if (beginning.empty()) beginning = arn;
      if (std::ranges::find(names, name) == names.end() && names.size() <= kCandidatesNamed)
        names.emplace_back(name);
    }
    return named.empty() && ++looked < kExecutionsSearchedMax;
  }));
  if (!named.empty()) return named;
  if (!of_machine.empty()) return of_machine;
  if (names.size() > 1) return several(typed, names);
  if (beginning.empty()) return no_execution(typed);
  return beginning;
}

// From the end, since the API cannot begin in the middle. Events that come meanwhile only make pages overlap.
Result<std::vector<json::Value>> events_after(Api& api, std::string_view execution_arn, std::int64_t last) {
  json::Object input{{"executionArn", execution_arn},
                     {"reverseOrder", true},
                     {"maxResults", last == 0 ? kEventsPage : kNewEventsPage}};
  std::vector<json::Value> out;
  for (;;) {
    const json::Value page = TRY(api.states("GetExecutionHistory", input));
    bool met = false;
    for (const json::Value& event : json::get_array(page, "events")) {
      const bool known = json::get_int(event, "id") <= last;
      met = met || known;
      if (!known) out.push_back(event);
    }
    const std::string_view token = json::get_string(page, "nextToken");
    if (met || token.empty()) break;
    input["nextToken"] = token;
  }
  std::ranges::sort(out, {}, [](const json::Value& event) { return json::get_int(event, "id"); });
  const auto again =
      std::ranges::unique(out, {}, [](const json::Value& event) { return json::get_int(event, "id"); });
  out.erase(again.begin(), again.end());
  return out;
}

}  // namespace stoker::cli
