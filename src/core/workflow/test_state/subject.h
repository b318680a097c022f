#pragma once
// A request that makes sense: everything in it parsed and checked.
#include <memory>
#include <optional>

#include "core/workflow/definition/definition.h"
#include "core/workflow/run/document.h"
#include "core/workflow/run/resource.h"
#include "core/workflow/test_state/test_state.h"

namespace stoker::workflow {

// The name that AWS gives the state under test, whatever it is called in its machine.
inline constexpr std::string_view kTestedName = "StateName";

struct Subject {
  std::shared_ptr<const asl::State> state;  // keeps the machine around it alive
  Document input;
  asl::Variables variables;
  json::Value context;
  std::optional<Document> mocked_result;
  std::optional<std::string> reader_data;  // what an ItemReader would have read, as it lies there
};

Result<Subject> read_subject(const TestStateRequest& request, const TestStateWorld& world);

// The context object of the request, or one made up.
Result<json::Value> read_context(const TestStateRequest& request, const TestStateWorld& world,
                                 const asl::State& state, const Document& input);

// What a mock may be for a state of this kind.
Result<void> check_mock(const TestStateRequest& request, const TestStateWorld& world, const asl::State& state,
                        const std::optional<Document>& mocked_result);

std::unexpected<Error> invalid_request(std::string message);  // ValidationException

}  // namespace stoker::workflow
