#include "core/workflow/run/records.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace stoker::workflow {
namespace {

template <class Record, class Key>
void upsert(std::vector<Record>& all, std::vector<Record> changed, Key key) {
  for (Record& record : changed) {
    const auto at = std::ranges::lower_bound(all, key(record), {}, key);
    if (at != all.end() && key(*at) == key(record))
      *at = std::move(record);
    else
      all.insert(at, std::move(record));
  }
}

}  // namespace

std::string_view name(Status status) {
  constexpr std::array<std::string_view, 6> kNames = {"RUNNING",   "SUCCEEDED", "FAILED",
                                                      "TIMED_OUT", "ABORTED",   "PENDING_REDRIVE"};
  return kNames[static_cast<std::size_t>(status)];
}

bool Changes::empty() const {
  return !execution && payloads.empty() && threads.empty() && map_runs.empty() && map_children.empty() &&
         map_results.empty() && removed_threads.empty() && settled_runs.empty() && history.empty();
}

void apply(Snapshot& snapshot, Changes changes) {
  if (changes.execution) snapshot.execution = *std::move(changes.execution);
  for (const std::uint64_t thread : changes.removed_threads)
    std::erase_if(snapshot.threads, [&](const ThreadRecord& r) { return r.thread == thread; });
  for (const std::uint64_t run : changes.settled_runs) {
    std::erase_if(snapshot.payloads, [&](const PayloadRecord& r) { return r.run == run; });
    std::erase_if(snapshot.map_children, [&](const MapChildRecord& r) { return r.run == run; });
  }
  upsert(snapshot.payloads, std::move(changes.payloads), [](const PayloadRecord& r) { return r.run; });
  upsert(snapshot.threads, std::move(changes.threads), [](const ThreadRecord& r) { return r.thread; });
  upsert(snapshot.map_runs, std::move(changes.map_runs), [](const MapRunRecord& r) { return r.run; });
  upsert(snapshot.map_children, std::move(changes.map_children),
         [](const MapChildRecord& r) { return std::tuple(r.run, r.index); });
}

}  // namespace stoker::workflow
