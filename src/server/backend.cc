#include "server/backend.h"

#include "rt/clock.h"

namespace stoker::server {
Instant ServerBackend::now() {
  return rt::now();
}
Uuid ServerBackend::new_uuid() {
  return rt::new_uuid();
}
}  // namespace stoker::server
