#pragma once
// The context object, `$$` and `$states.context` (amazon-states-language.md 2.5). The order of its members is
// that of AWS.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "json/json.h"

namespace stoker::workflow {

struct ExecutionStart;

struct MapItem {
  std::int64_t index = 0;
  const json::Value* value = nullptr;
  const std::string* key = nullptr;     // items of an object
  const std::string* source = nullptr;  // "S3://..." or "STATE_DATA": distributed Maps
};

struct ContextParts {
  const ExecutionStart* execution = nullptr;
  Instant started_at;
  Instant redriven_at;  // 0: never
  std::int64_t redrive_count = 0;
  std::string_view state;
  Instant entered_at;
  std::optional<std::int64_t> retry_count{};  // states that can be retried: Task, Parallel, Map
  std::string_view token;                     // "": no task token can be had here
  const MapItem* item = nullptr;
};
json::Value context_object(const ContextParts& parts);
// Replaces what differs from state to state (State, Task, Map) in what context_object() made.
void set_state_parts(json::Object& context, const ContextParts& parts);

// "2024-02-29T12:34:56.789Z", as the context object and the aws-sdk integrations write instants.
std::string iso_instant(Instant at);

}  // namespace stoker::workflow
