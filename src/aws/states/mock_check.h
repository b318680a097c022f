#pragma once
// Whether a mock of TestState is what the API that it stands for could answer.
#include <optional>
#include <string>

#include "core/workflow/test_state/test_state.h"

namespace stoker::aws {

// See workflow::CheckResponse. Members that the API does not have, and APIs that no table has, pass.
std::optional<std::string> check_mocked_response(const workflow::MockedCall& call, const json::Value& result,
                                                 workflow::Strictness strictness);

}  // namespace stoker::aws
