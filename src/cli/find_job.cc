#include "cli/find_job.h"

#include "base/ids.h"
#include "base/text.h"
#include "cli/job_view.h"
#include "cli/listing.h"

namespace stoker::cli {
namespace {

constexpr std::size_t kShortId = 8;
constexpr std::size_t kCandidatesNamed = 4;

bool could_begin_id(std::string_view text) {
  for (const char c : text)
    if (hex_digit(c) < 0 && c != '-') return false;
  return !text.empty() && text.size() <= 36;
}

std::unexpected<Error> several(std::string_view typed, const std::vector<std::string>& ids) {
  std::string text = "'" + std::string(typed) + "' is the beginning of several ids:";
  for (std::size_t i = 0; i < std::min(ids.size(), kCandidatesNamed); ++i) text += " " + ids[i];
  if (ids.size() > kCandidatesNamed) text += " and others";
  return fail(Code::InvalidArgument, std::move(text));
}

std::unexpected<Error> no_job(std::string_view typed) {
  return fail(Code::NotFound,
              "no job has the id or the name '" + std::string(typed) + "'; 'stoker jobs --all' lists them");
}

}  // namespace

Result<std::string> find_job(Api& api, std::string_view typed) {
  const std::size_t colon = std::min(typed.find_first_of(":#"), typed.size());
  const std::string base(typed.substr(0, colon));
  const std::string index(typed.substr(colon));
  if (base.empty()) return no_job(typed);
  if (const auto whole = Uuid::parse(base)) return whole->str() + index;

  const std::string beginning = to_lower(base);
  std::string named;                  // the newest job of that name
  std::vector<std::string> starting;  // ids that begin so
  std::size_t looked = 0;
  TRY(list_jobs(api, {}, [&](const json::Value& job) {
    const std::string_view id = json::get_string(job, "jobId");
    if (named.empty() && json::get_string(job, "jobName") == base) named = id;
    if (could_begin_id(beginning) && id.starts_with(beginning)) starting.emplace_back(id);
    const bool settled = !named.empty() && (!could_begin_id(beginning) || beginning.size() < kShortId);
    return !settled && ++looked < kJobsSearchedMax;
  }));
  const bool name_first = base.size() < kShortId;
  if (name_first && !named.empty()) return named + index;
  if (starting.size() > 1) return several(base, starting);
  if (starting.size() == 1) return starting.front() + index;
  if (!named.empty()) return named + index;
  return no_job(typed);
}

Result<json::Value> describe_job(Api& api, std::string_view id) {
  auto found = TRY(describe_jobs(api, {std::string(id)}));
  if (found.empty()) return no_job(id);
  return std::move(found.front());
}

}  // namespace stoker::cli
