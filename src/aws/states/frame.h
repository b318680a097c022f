#pragma once
// What the operations of Step Functions share: the family list, pages, instants on the wire.
#include "aws/operation.h"
#include "aws/page.h"
#include "base/text.h"

namespace stoker::aws {

// One function a family, defined beside its operations.
void add_state_machines(Handlers& handlers);
void add_state_machine_versions(Handlers& handlers);
void add_state_machine_aliases(Handlers& handlers);
void add_activities(Handlers& handlers);
void add_states_tags(Handlers& handlers);
void add_executions(Handlers& handlers);
void add_execution_history(Handlers& handlers);
void add_tasks(Handlers& handlers);
void add_map_runs(Handlers& handlers);
void add_validation(Handlers& handlers);

// What all descriptions of a revision have.
json::Object revision_detail(const core::MachineRevision& revision, bool metadata_only);

// Seconds since the epoch with milliseconds, as the SDKs read them.
inline double wire_time(Instant at) {
  return static_cast<double>(at.ms) / 1000.0;
}

// maxResults (0 or absent: 100) and nextToken. `list` holds everything that a token must be used with again;
// any other token is InvalidToken.
Result<Page> read_states_page(const json::Value& input, std::string_view list);
// A page of a map by numbers, in their order.
template <class Map, class Emit>
json::Value list_numbered(const Map& map, const Page& page, std::string_view list,
                          std::string_view result_key, Emit emit) {
  using Key = typename Map::key_type;
  const auto after = static_cast<std::uint64_t>(parse_int(page.after).value_or(0));
  json::Array entries;
  json::Object out;
  auto it = map.upper_bound(Key{after});
  for (; it != map.end() && entries.size() < page.size; ++it) entries.push_back(emit(it->second));
  out[result_key] = std::move(entries);
  if (it != map.end()) out["nextToken"] = page_token(list, std::to_string(std::prev(it)->first.value));
  return out;
}

// Members of tags lists: [{"key", "value"}].
core::Tags read_tag_list(const json::Value& input);
json::Array tag_list(const core::Tags& tags);

// A member that is an object or list, taken as it is; null when absent.
json::Shared take_document(const json::Value& input, std::string_view member);

json::Value nothing(const Place&, const json::Value&, const core::Answer&);  // "{}"

}  // namespace stoker::aws
