#include "core/workflow/run/interpreter.h"

namespace stoker::workflow {
namespace {

bool is_end(EventType type) {
  return type == EventType::ExecutionSucceeded || type == EventType::ExecutionFailed ||
         type == EventType::ExecutionAborted || type == EventType::ExecutionTimedOut;
}

}  // namespace

void Interpreter::write(EventType type, std::uint64_t previous, std::string details) {
  pay(details.size() / s_.limits.event_bytes_per_step);
  s_.history.push_back({.execution = s_.start.no,
                        .id = s_.next_event++,
                        .previous = previous,
                        .type = type,
                        .at = now_,
                        .details = std::move(details)});
  s_.changed = true;
}

std::uint64_t Interpreter::append(EventType type, std::uint64_t previous, std::string details) {
  if (over()) return s_.next_event - 1;
  if (s_.next_event >= s_.limits.events_max && !is_end(type)) {
    // RECORDED: event 25,000 is the ExecutionFailed.
    end(Status::Failed, std::string(asl::kRuntime),
        "The execution reached the maximum number of history events (" +
            std::to_string(s_.limits.events_max) + ").",
        s_.next_event - 1, now_);
    return s_.next_event - 1;
  }
  write(type, previous, std::move(details));
  return s_.next_event - 1;
}

std::uint64_t Interpreter::chain(Thread& thread, EventType type, std::string details) {
  thread.last = append(type, thread.last, std::move(details));
  touch(thread);
  return thread.last;
}

}  // namespace stoker::workflow
