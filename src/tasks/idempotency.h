#pragma once
// "Idempotency-Key": by it a receiver can tell that a request came before. It is a digest of the task's
// token, because whoever has the token may end the task.
#include <string_view>

#include "net/http.h"

namespace stoker::tasks {

net::Header idempotency_key(std::string_view token);

}  // namespace stoker::tasks
