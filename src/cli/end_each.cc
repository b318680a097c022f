#include "cli/end_each.h"

#include "cli/exit.h"
#include "json/json.h"

namespace stoker::cli {

int end_each(Context& context, std::span<const std::string> names, bool as_json, std::string_view id_member,
             const std::function<Result<EndedOne>(const std::string& name)>& end) {
  int status = kOk;
  json::Array results;
  for (const std::string& name : names) {
    const auto ended = end(name);
    if (!ended) {
      const int fault = complain(context, ended.error());
      if (fault == kNoServer) return fault;
      if (status == kOk) status = fault;
      continue;
    }
    if (as_json)
      results.push_back(json::Object{{id_member, ended->id}, {"result", ended->result}});
    else
      context.out.write(ended->shown + " " + ended->result + "\n");
  }
  if (as_json) context.out.write(json::write_pretty(results) + "\n");
  return status;
}

std::string done_by_user(const Context& context, std::string_view done) {
  const std::string_view user = context.variable("USER");
  return std::string(done) + " by " + std::string(user.empty() ? "its user" : user);
}

}  // namespace stoker::cli
