#pragma once
// Executions, state machines and histories from the server, page by page.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/api.h"

namespace stoker::cli {

// The ARN of the state machine of that name; `typed` may be an ARN as well. NotFound when there is none.
Result<std::string> find_machine(Api& api, std::string_view typed);

// The executions of one state machine, newest first, until `take` returns false. `status` "": any.
Result<void> list_executions(Api& api, std::string_view machine_arn, std::string_view status,
                             const std::function<bool(const json::Value&)>& take);

// Those of all state machines, likewise.
Result<void> list_all_executions(Api& api, std::string_view status,
                                 const std::function<bool(const json::Value&)>& take);

// From what a person types to the ARN of an execution: that ARN, the name of an execution (the newest of that
// name), the name of a state machine (its newest execution), or the unique beginning of a name. Looks at the
// newest kExecutionsSearchedMax executions. NotFound when none fits; InvalidArgument names
// the candidates when several names begin so.
Result<std::string> find_execution(Api& api, std::string_view typed);
inline constexpr std::size_t kExecutionsSearchedMax = 100'000;

// The events after `last`, in the order of their ids.
Result<std::vector<json::Value>> events_after(Api& api, std::string_view execution_arn, std::int64_t last);

}  // namespace stoker::cli
