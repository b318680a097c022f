#pragma once
// The handler of TestState.
#include "aws/operation.h"

namespace stoker::aws {

void add_test_state(Handlers& handlers);

}  // namespace stoker::aws
