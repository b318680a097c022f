#include "tasks/idempotency.h"

#include "aws/sigv4.h"

namespace stoker::tasks {

net::Header idempotency_key(std::string_view token) {
  return {.name = "Idempotency-Key", .value = aws::sha256_hex(token)};
}

}  // namespace stoker::tasks
