#include "cli/testing/fake_server.h"

#include "base/assert.h"
#include "base/text.h"

namespace stoker::cli::testing {
namespace {

json::Value define(Script& script, const json::Value& input) {
  json::Object made = input.as_object();
  made["revision"] = script.definitions.size() + 1;
  made["status"] = "ACTIVE";
  script.definitions.push_back(made);
  return json::Object{{"jobDefinitionName", json::get_string(input, "jobDefinitionName")},
                      {"revision", made["revision"]}};
}

json::Value find_definitions(const Script& script, const json::Value& input) {
  json::Array found;
  for (const json::Value& definition : script.definitions)
    if (json::get_string(definition, "jobDefinitionName") == json::get_string(input, "jobDefinitionName"))
      found.push_back(definition);
  return json::Object{{"jobDefinitions", found}};
}

json::Value describe(Script& script, const json::Value& input) {
  json::Array found;
  for (const json::Value& id : json::get_array(input, "jobs")) {
    const auto job = script.jobs.find(std::string(json::text(id)));
    if (job == script.jobs.end() || job->second.empty()) continue;
    found.push_back(job->second.front());
    if (job->second.size() > 1) job->second.erase(job->second.begin());
  }
  return json::Object{{"jobs", found}};
}

// Tokens are positions.
json::Value events(const Script& script, const json::Value& input) {
  const auto stream = script.streams.find(std::string(json::get_string(input, "logStreamName")));
  const std::vector<std::string> none;
  const auto& lines = stream == script.streams.end() ? none : stream->second;
  std::size_t at = static_cast<std::size_t>(parse_int(json::get_string(input, "nextToken")).value_or(0));
  const auto limit = json::get_int(input, "limit");
  if (limit > 0 && lines.size() > static_cast<std::size_t>(limit))
    at = lines.size() - static_cast<std::size_t>(limit);
  json::Array out;
  constexpr std::size_t kPage = 2;
  const std::size_t end = limit > 0 ? lines.size() : std::min(lines.size(), at + kPage);
  for (; at < end; ++at) out.push_back(json::Object{{"timestamp", 1000 * at}, {"message", lines[at]}});
  return json::Object{{"events", out}, {"nextForwardToken", std::to_string(at)}};
}

json::Value list(const Script& script, const json::Value& input) {
  json::Array out;
  const json::Array& statuses = json::get_array(input, "statuses");
  for (const json::Value& line : script.lines) {
    const std::string_view status = json::get_string(line, "status");
    const bool wanted = statuses.empty() || std::ranges::any_of(statuses, [&](const json::Value& s) {
                          return json::text(s) == status;
                        });
    if (wanted) out.push_back(line);
  }
  return json::Object{{"jobs", out}};
}

// Tokens are positions here, too.
json::Value events_of_execution(Script& script, const json::Value& input) {
  if (script.histories.empty()) return json::Object{};
  constexpr std::size_t kPage = 3;
  // A look begins without a token.
  if (json::get_string(input, "nextToken").empty())
    script.history_looks = std::min(script.history_looks + 1, script.histories.size());
  json::Array all = script.histories[script.history_looks - 1];
  if (json::get_bool(input, "reverseOrder")) std::ranges::reverse(all);
  const auto at = static_cast<std::size_t>(parse_int(json::get_string(input, "nextToken")).value_or(0));
  const std::size_t end = std::min(all.size(), at + kPage);
  json::Object out{{"events", json::Array(all.begin() + static_cast<std::ptrdiff_t>(std::min(at, end)),
                                          all.begin() + static_cast<std::ptrdiff_t>(end))}};
  if (end < all.size()) out["nextToken"] = std::to_string(end);
  return out;
}

}  // namespace

FakeServer::FakeServer() {
  net::ServerHandlers handlers;
  handlers.on_request = [this](net::Request request, net::Reply reply) { reply(answer(request)); };
  handlers.malformed = [](int status, std::string_view) { return net::Response{.status = status}; };
  auto started = net::Server::start({.listen = "127.0.0.1:0"}, std::move(handlers));
  ASSERT(started.has_value(), "a free port of loopback");
  server_ = std::move(*started);
}

FakeServer::~FakeServer() = default;

net::Response FakeServer::answer(const net::Request& request) {
  const std::string_view target = request.header("X-Amz-Target");
  const std::string operation = to_lower(target.empty() ? request.target.substr(request.target.rfind('/') + 1)
                                                        : target.substr(target.rfind('.') + 1));
  const json::Value input = json::parse(request.body).value_or(json::Object{});
  return script_.with([&](Script& script) -> net::Response {
    script.calls.push_back({operation, input});
    if (const auto refusal = script.refusals.find(operation); refusal != script.refusals.end())
      return {.status = refusal->second.first,
              .body = json::write(json::Object{{"__type", script.refusal_names[operation]},
                                               {"message", refusal->second.second}})};
    if (const auto failure = script.failures.find(operation);
        failure != script.failures.end() && failure->second-- > 0)
      return {.status = 503, .body = R"({"message":"not now"})"};
    json::Value out = json::Object{};
    if (const auto fixed = script.answers.find(operation); fixed != script.answers.end())
      out = fixed->second;
    else if (operation == "registerjobdefinition")
      out = define(script, input);
    else if (operation == "describejobdefinitions")
      out = find_definitions(script, input);
    else if (operation == "submitjob")
      out = json::Object{{"jobId", script.submitted_id}, {"jobName", json::get_string(input, "jobName")}};
    else if (operation == "describejobs")
      out = describe(script, input);
    else if (operation == "getlogevents")
      out = events(script, input);
    else if (operation == "getexecutionhistory")
      out = events_of_execution(script, input);
    else if (operation == "listalljobs")
      out = list(script, input);
    return {.body = json::write(out)};
  });
}

std::vector<json::Value> FakeServer::inputs(std::string_view operation) {
  return change([&](Script& script) {
    std::vector<json::Value> out;
    for (const Call& call : script.calls)
      if (call.operation == operation) out.push_back(call.input);
    return out;
  });
}

json::Value job_detail(std::string_view id, std::string_view status, std::string_view more) {
  json::Object out{{"jobId", id},
                   {"jobName", "train"},
                   {"jobQueue", "arn:aws:batch:us-east-1:000000000000:job-queue/default"},
                   {"status", status},
                   {"createdAt", 1'000'000}};
  const auto rest = json::parse(more);
  ASSERT(rest && rest->is_object(), "members as JSON");
  for (const auto& member : rest->get_object()) out[member.key()] = member.value();
  return out;
}

}  // namespace stoker::cli::testing
