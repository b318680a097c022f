#include "cli/log_tail.h"

namespace stoker::cli {

Result<std::size_t> LogTail::pump(const std::function<void(const json::Value& event)>& take) {
  std::size_t count = 0;
  for (;;) {
    json::Object input{{"logGroupName", kLogGroup}, {"logStreamName", stream_}, {"startFromHead", true}};
    if (!token_.empty()) {
      input["nextToken"] = token_;
    } else if (last_ > 0) {
      input["startFromHead"] = false;
      input["limit"] = last_;
    }
    const json::Value page = TRY(api_->logs("GetLogEvents", input));
    const json::Array& events = json::get_array(page, "events");
    for (const json::Value& event : events) take(event);
    count += events.size();
    const std::string_view next = json::get_string(page, "nextForwardToken");
    // The end: the token that was given comes back.
    const bool end = next.empty() || next == token_ || events.empty();
    if (!next.empty()) token_ = next;
    if (end) return count;
  }
}

}  // namespace stoker::cli
