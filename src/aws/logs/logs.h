#pragma once
// What the operations of CloudWatch Logs share. The state knows which streams there are and what they are
// called; the log store, on a thread of its own, has what is in them.
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "aws/batch/job_view.h"
#include "aws/operation.h"
#include "joblog/store.h"

namespace stoker::aws {

// The token at the end of a stream's name.
std::optional<core::RunToken> token_in(std::string_view stream_name);

// Where the output of that attempt is. Nothing when the job is forgotten or never had that attempt.
struct KnownStream {
  enum class Kind : std::uint8_t { Known, Forgotten, Never } kind = Kind::Never;
  LogPlace place;  // Known only
};
KnownStream find_stream(const core::State& state, const core::RunToken& token);

// Every group that a stream can be in.
std::set<std::string> log_groups(const core::State& state);

// logGroupName or logGroupIdentifier; InvalidArgument when both or neither is given.
Result<std::string> read_group(const json::Value& input);

inline Error no_such_group() {
  return {Code::NotFound, "The specified log group does not exist."};
}
inline Error no_such_stream() {
  return {Code::NotFound, "The specified log stream does not exist."};
}

void get_log_events(const Place& place, json::Value input, Backend& backend, Completion done);
void filter_log_events(const Place& place, json::Value input, Backend& backend, Completion done);
void describe_log_streams(const Place& place, json::Value input, Backend& backend, Completion done);

// Lines of output are bytes; messages are text.
json::Object event_json(const joblog::Event& event);

}  // namespace stoker::aws
