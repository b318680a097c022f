// ListAllExecutions: executions of all state machines, the newest first.
#include "aws/page.h"
#include "aws/states/execution_view.h"
#include "aws/stoker/own.h"
#include "base/text.h"

namespace stoker::aws {
namespace {

constexpr std::string_view kList = "all-executions";
constexpr std::size_t kLinesMax = 1000;

}  // namespace

// Not those of map runs: ListExecutions has them under their run. A filter that matches little gives short
// pages and a token.
Result<json::Value> list_all_executions(const Place&, const json::Value& input, const core::State& state,
                                        Instant) {
  const Page page = TRY(read_page(input, kList, kLinesMax));
  const std::string_view status = json::get_string(input, "status");
  const auto& all = state.executions.all;
  auto from = all.end();
  if (!page.after.empty()) {
    const auto below = parse_int(page.after);
    if (!below || *below < 0) return fail(Code::InvalidArgument, "Invalid nextToken");
    from = all.lower_bound(core::ExecutionNo{static_cast<std::uint64_t>(*below)});
  }
  json::Array entries;
  std::uint64_t last = 0;
  auto it = std::make_reverse_iterator(from);
  for (std::size_t looked = 0; it != all.rend() && entries.size() < page.size && looked < kListScanMax;
       ++it, ++looked) {
    const core::ExecutionInfo& info = it->second;
    last = info.no.value;
    if (info.child || info.express()) continue;
    if (status.empty() || workflow::name(info.status) == status)
      entries.push_back(list_entry(state.machines.place, info));
  }
  json::Object out{{"executions", std::move(entries)}};
  if (it != all.rend()) out["nextToken"] = page_token(std::string(kList), std::to_string(last));
  return out;
}

}  // namespace stoker::aws
