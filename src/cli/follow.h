#pragma once
// The loop around something that is followed to its end: when to look again, what signals mean, and patience
// with a server that restarts.
#include <memory>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "cli/api.h"
#include "rt/signals.h"

namespace stoker::cli {

class Followed {
 public:
  virtual ~Followed() = default;
  // Looks once and shows what is new. True when it has ended and all of it is shown.
  virtual Result<bool> step() = 0;
  // Whether the last step found anything new.
  [[nodiscard]] virtual bool found_news() const = 0;
  // Asks the server to end it; step() sees the end.
  virtual Result<void> end() = 0;
  // Shows a line about the following itself.
  virtual void remark(std::string_view text) = 0;
  [[nodiscard]] virtual std::string_view what() const = 0;  // "job"
};

enum class FollowEnd { Ended, Interrupted, Detached };
struct FollowRules {
  // On SIGINT or SIGTERM: end what is followed and wait for its end. Otherwise only the following ends.
  bool terminates = false;
};
// What follow() listens to. Blocked before the thing to follow exists, so that none can end us between its
// start and its following.
Result<std::unique_ptr<rt::Signals>> following_signals(Context& context);
// Steps until it has ended. Survives a server that is away for up to kServerPatience. SIGHUP and SIGQUIT
// detach.
Result<FollowEnd> follow(Context& context, const Api& api, Followed& followed, rt::Signals& signals,
                         FollowRules rules);
inline constexpr Duration kServerPatience = minutes(10);

}  // namespace stoker::cli
