#pragma once
// How long machines stood idle before they were wanted again, whether they were kept or not.
#include <cstdint>
#include <vector>

#include "base/time.h"
#include "json/json.h"

namespace stoker::fleet {

inline constexpr std::size_t kGapsKept = 256;        // the latest
inline constexpr std::size_t kGapsToLearn = 16;      // fewer say nothing
inline constexpr std::size_t kIdleStartsMax = 4096;  // more idle machines at once are not told apart

// Idle machines are thought of as a stack: the one that became idle last is wanted first, as a placement that
// prefers warm machines has it. So the gap of the k-th machine is how long demand stayed below k, and does
// not depend on the window that was in force: a machine that was let go is wanted when another must be
// launched.
class GapBook {
 public:
  void became_idle(Instant at);
  // One more machine is needed: an idle one is given work, or one is launched for waiting runs (not once more
  // when these come to it).
  void wanted(Instant at);

  [[nodiscard]] const std::vector<Duration>& gaps() const { return gaps_; }  // in no order that matters
  // How long the machines that are idle now have been: gaps that are at least so long.
  [[nodiscard]] const std::vector<Instant>& idle_since() const { return idle_; }
  bool operator==(const GapBook&) const = default;

  // For the record of a fleet.
  [[nodiscard]] json::Value write() const;
  static GapBook read(const json::Value& value);

 private:
  std::vector<Instant> idle_;   // ascending
  std::vector<Duration> gaps_;  // a ring once it is full
  std::size_t next_ = 0;
};

}  // namespace stoker::fleet
