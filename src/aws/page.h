#pragma once
// Pages of lists: maxResults and nextToken, and the names that lists filter by.
#include <string>
#include <string_view>

#include "base/result.h"
#include "json/json.h"

namespace stoker::aws {

// A call looks at no more entries than this. A filter that matches little gives short pages and a token.
inline constexpr std::size_t kListScanMax = 10'000;
inline constexpr std::size_t kPageMax = 100;  // [M] for all lists but ListJobs

struct Page {
  std::size_t size = kPageMax;
  std::string after;  // the key of the entry to go on behind, "" for the first page
};
// `list` tells the tokens of one list from those of others. InvalidArgument for a size outside 1 to
// `size_max` and for a token that is not ours.
Result<Page> read_page(const json::Value& input, std::string_view list, std::size_t size_max = kPageMax);
std::string page_token(std::string_view list, std::string_view key);

// Appends entries of a map in the order of its keys, from the page's beginning, and adds nextToken when there
// is more. `emit(value)` gives a json::Value, or null for an entry that is filtered out.
template <class Map, class Emit>
json::Value list_page(const Map& map, const Page& page, std::string_view list, std::string_view result_key,
                      Emit emit) {
  json::Array entries;
  json::Object out;
  std::size_t looked = 0;
  auto it = page.after.empty() ? map.begin() : map.upper_bound(page.after);
  for (; it != map.end() && entries.size() < page.size && looked < kListScanMax; ++it, ++looked) {
    json::Value entry = emit(it->second);
    if (!entry.is_null()) entries.push_back(std::move(entry));
  }
  out[result_key] = std::move(entries);
  if (it != map.end()) out["nextToken"] = page_token(list, std::prev(it)->first);
  return out;
}

// The whole name ignoring case, or its beginning where the pattern ends in '*'.
bool name_matches(std::string_view pattern, std::string_view name);

}  // namespace stoker::aws
