#include "aws/logs/logs.h"

#include "aws/page.h"
#include "base/text.h"

namespace stoker::aws {
namespace {

constexpr std::size_t kGroupsMax = 50;  // [M] DescribeLimit

json::Object group_json(const Place& place, const std::string& name) {
  return {{"logGroupName", name},
          {"metricFilterCount", 0},
          {"arn", log_group_arn(place, name) + ":*"},
          {"logGroupClass", "STANDARD"},
          {"logGroupArn", log_group_arn(place, name)}};
}

// A page of groups by name; `wanted` chooses, `emit` makes the entry.
template <class Wanted, class Emit>
Result<json::Value> list_groups(const json::Value& input, const core::State& state, Wanted wanted,
                                Emit emit) {
  json::Value paging = json::Object{};
  if (const json::Value* limit = json::find(input, "limit")) paging.get_object()["maxResults"] = *limit;
  if (const json::Value* token = json::find(input, "nextToken")) paging.get_object()["nextToken"] = *token;
  const Page page = TRY(read_page(paging, "groups", 1000));
  const std::size_t size = json::find(input, "limit") != nullptr ? page.size : kGroupsMax;
  const auto groups = log_groups(state);
  json::Array out;
  auto it = page.after.empty() ? groups.begin() : groups.upper_bound(page.after);
  std::string last;
  for (; it != groups.end() && out.size() < size; ++it) {
    last = *it;
    if (wanted(*it)) out.push_back(emit(*it));
  }
  json::Object result{{"logGroups", std::move(out)}};
  if (it != groups.end()) result["nextToken"] = page_token("groups", last);
  return result;
}

Result<json::Value> describe_log_groups(const Place& place, const json::Value& input,
                                        const core::State& state, Instant) {
  const std::string_view prefix = json::get_string(input, "logGroupNamePrefix");
  const std::string_view part = json::get_string(input, "logGroupNamePattern");
  if (!prefix.empty() && !part.empty()) {
    return fail(Code::InvalidArgument, "logGroupNamePrefix and logGroupNamePattern cannot be given together");
  }
  std::set<std::string> named;
  for (const json::Value& text : json::get_array(input, "logGroupIdentifiers"))
    named.insert(log_group_in(json::text(text)));
  return list_groups(
      input, state,
      [&](const std::string& group) {
        return group.starts_with(prefix) && group.find(part) != std::string::npos &&
               (named.empty() || named.contains(group));
      },
      [&](const std::string& group) { return group_json(place, group); });
}

Result<json::Value> list_log_groups(const Place& place, const json::Value& input, const core::State& state,
                                    Instant) {
  // One to five texts with '|' between them, '^' for the beginning.
  const auto patterns = split(json::get_string(input, "logGroupNamePattern"), '|');
  const auto matches = [&](const std::string& group) {
    return std::ranges::any_of(patterns, [&](std::string_view pattern) {
      return pattern.starts_with('^') ? group.starts_with(pattern.substr(1))
                                      : group.find(pattern) != std::string::npos;
    });
  };
  return list_groups(input, state, matches, [&](const std::string& group) {
    return json::Object{
        {"logGroupName", group}, {"logGroupArn", log_group_arn(place, group)}, {"logGroupClass", "STANDARD"}};
  });
}

// Groups have no tags here.
Result<json::Value> list_tags(const Place&, const json::Value& input, const core::State& state, Instant) {
  const std::string_view name = json::get_string(input, "logGroupName");
  const std::string group = log_group_in(name.empty() ? json::get_string(input, "resourceArn") : name);
  if (!log_groups(state).contains(group)) return std::unexpected(no_such_group());
  return json::Object{{"tags", json::Object{}}};
}

}  // namespace

std::optional<core::RunToken> token_in(std::string_view stream_name) {
  const std::string_view text = stream_name.substr(stream_name.rfind('/') + 1);
  const auto token = core::RunToken::parse(text);
  if (!token || token->str() != text) return std::nullopt;
  return token;
}

KnownStream find_stream(const core::State& state, const core::RunToken& token) {
  const core::Job* job = state.jobs.find(token.job);
  // A number can be another job's by now; the rest of the token tells.
  if (job == nullptr || token_of(*job, token.attempt) != token) return {KnownStream::Kind::Forgotten, {}};
  const std::size_t attempts = job->extra ? job->extra->attempts.size() : 0;
  if (token.attempt < 1 || static_cast<std::size_t>(token.attempt) > attempts)
    return {KnownStream::Kind::Never, {}};
  return {KnownStream::Kind::Known, log_place(*job->spec, token)};
}

std::set<std::string> log_groups(const core::State& state) {
  std::set<std::string> out{std::string(kJobLogGroup)};
  for (const auto& [name, definition] : state.definitions) {
    for (const auto& [revision, one] : definition.revisions) {
      const auto add = [&](const json::Value& properties) {
        const std::string_view group = log_group_of(properties);
        if (group != kJobLogGroup) out.emplace(group);
      };
      if (one->container.properties) add(*one->container.properties);
      if (const json::Value* nodes = json::find(*one->document, "nodeProperties"))
        for (const json::Value& range : json::get_array(*nodes, "nodeRangeProperties"))
          if (const json::Value* container = json::find(range, "container")) add(*container);
    }
  }
  return out;
}

Result<std::string> read_group(const json::Value& input) {
  const std::string_view name = json::get_string(input, "logGroupName");
  const std::string_view identifier = json::get_string(input, "logGroupIdentifier");
  if (name.empty() == identifier.empty()) {
    return fail(Code::InvalidArgument, "Exactly one of logGroupName and logGroupIdentifier must be given");
  }
  return log_group_in(name.empty() ? identifier : name);
}

json::Object event_json(const joblog::Event& event) {
  return {
      {"timestamp", event.time.ms}, {"message", to_valid_utf8(event.text)}, {"ingestionTime", event.time.ms}};
}

void add_logs(Handlers& handlers) {
  using enum OperationId;
  handlers[LogsDescribeLogGroups] = {.read = describe_log_groups};
  handlers[LogsListLogGroups] = {.read = list_log_groups};
  handlers[LogsListTagsForResource] = {.read = list_tags};
  handlers[LogsListTagsLogGroup] = {.read = list_tags};
  handlers[LogsGetLogEvents] = {.run = get_log_events};
  handlers[LogsFilterLogEvents] = {.run = filter_log_events};
  handlers[LogsDescribeLogStreams] = {.run = describe_log_streams};
}

}  // namespace stoker::aws
