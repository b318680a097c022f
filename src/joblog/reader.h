#pragma once
// Reading a log while it is written: forwards, backwards, from a time. Every call looks at the directory anew
// and keeps nothing open, so that readers need no lock against the writer and see what it has dropped
// meanwhile; each call's work is bounded by its limits and one segment.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "joblog/format.h"

namespace stoker::joblog {

// A place between two events: an offset in the stream. As text for the tokens of an API: hex digits.
struct Position {
  std::uint64_t offset = 0;
  auto operator<=>(const Position&) const = default;
  [[nodiscard]] std::string str() const;
  static std::optional<Position> parse(std::string_view text);
};

struct Event {
  Instant time;
  std::string text;        // bytes as the job wrote them, valid UTF-8 or not
  bool continues = false;  // the line goes on in the next event
  bool dropped = false;    // no line of the job: the text says how many bytes are missing here
  Position at;             // where it begins
  bool operator==(const Event&) const = default;
};

struct ReadLimits {
  std::size_t events_max = 10'000;
  std::size_t bytes_max = 1u << 20;  // of text; one event is always given
};

struct Page {
  std::vector<Event> events;  // in time order, whichever way was read
  Position first;             // before events.front(): go on backwards from here
  Position next;              // behind events.back(): go on forwards from here
  bool at_end = false;        // nothing more in the direction of reading, for now
};

// Cheap to make, copy and use from any thread. A stream without a directory is an empty one.
class StreamReader {
 public:
  explicit StreamReader(std::string dir) : dir_(std::move(dir)) {}

  // Events from `from` on. A place that is no event's beginning (a forged token, a dropped part) is moved to
  // the next one there is, with an event that says what is missing where bytes were dropped.
  [[nodiscard]] Result<Page> forward(Position from, ReadLimits limits = {}) const;
  // The last events before `until`.
  [[nodiscard]] Result<Page> backward(Position until, ReadLimits limits = {}) const;
  // The place before the first event at or after `time`; end() when there is none.
  [[nodiscard]] Result<Position> at_time(Instant time) const;
  // Behind the last whole event.
  [[nodiscard]] Result<Position> end() const;
  // 0 when there is no event.
  [[nodiscard]] Result<Instant> first_time() const;
  [[nodiscard]] Result<Instant> last_time() const;
  // On disk, headers and all.
  [[nodiscard]] Result<std::uint64_t> stored_bytes() const;

 private:
  std::string dir_;
};

}  // namespace stoker::joblog
