#pragma once
// From what a person types to a job.
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/api.h"

namespace stoker::cli {

// `typed` is an id, the unique beginning of an id, or the name of a job (the newest of that name), each with
// ":INDEX" where a child of an array is meant. A name that looks like the beginning of an id goes first when
// it is shorter than the eight characters that tables show. Looks at the newest kJobsSearchedMax jobs.
// NotFound when no job fits; InvalidArgument names the candidates when several ids do.
Result<std::string> find_job(Api& api, std::string_view typed);
inline constexpr std::size_t kJobsSearchedMax = 200'000;

// The JobDetail of one id. NotFound when the server does not know it.
Result<json::Value> describe_job(Api& api, std::string_view id);

}  // namespace stoker::cli
