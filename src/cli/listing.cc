#include "cli/listing.h"

#include <map>

namespace stoker::cli {
namespace {
constexpr std::size_t kListPage = 1000;
constexpr std::size_t kDescribePage = 100;  // what DescribeJobs takes at once
}  // namespace

Result<void> list_jobs(Api& api, const JobQuery& query, const std::function<bool(const json::Value&)>& take) {
  json::Object input{{"maxResults", kListPage}};
  if (!query.statuses.empty()) input["statuses"] = json::Array(query.statuses.begin(), query.statuses.end());
  if (!query.queue.empty()) input["jobQueue"] = query.queue;
  if (!query.array.empty()) input["arrayJobId"] = query.array;
  if (!query.nodes.empty()) input["multiNodeJobId"] = query.nodes;
  if (query.costs) input["costs"] = true;
  for (;;) {
    const json::Value page = TRY(api.own("ListAllJobs", input));
    for (const json::Value& job : json::get_array(page, "jobs"))
      if (!take(job)) return {};
    const std::string_view token = json::get_string(page, "nextToken");
    if (token.empty()) return {};
    input["nextToken"] = token;
  }
}

Result<std::vector<json::Value>> describe_jobs(Api& api, const std::vector<std::string>& ids) {
  std::vector<json::Value> out;
  for (std::size_t start = 0; start < ids.size(); start += kDescribePage) {
    json::Array page;
    for (std::size_t i = start; i < std::min(ids.size(), start + kDescribePage); ++i)
      page.emplace_back(ids[i]);
    const json::Value answer = TRY(api.batch("DescribeJobs", json::Object{{"jobs", page}}));
    std::map<std::string_view, const json::Value*> found;
    for (const json::Value& job : json::get_array(answer, "jobs"))
      found[json::get_string(job, "jobId")] = &job;
    for (const json::Value& id : page)
      if (const auto job = found.find(json::text(id)); job != found.end()) out.push_back(*job->second);
  }
  return out;
}

}  // namespace stoker::cli
