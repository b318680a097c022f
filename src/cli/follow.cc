#include "cli/follow.h"

#include <algorithm>
#include <csignal>
#include <optional>
#include <string>

namespace stoker::cli {
namespace {

// Between two looks: short while things happen, longer while nothing does.
constexpr Duration kLookFirst = milliseconds(10);
constexpr Duration kLookBusy = milliseconds(100);
constexpr Duration kLookMost = milliseconds(500);
constexpr Duration kLookAway = seconds(1);  // while no server answers

Duration next_pause(Duration pause, bool news) {
  if (news) return std::min(kLookBusy, std::max(pause, kLookFirst));
  return std::min(kLookMost, milliseconds(pause.ms + pause.ms / 2 + 1));
}

void end(Followed& followed) {
  const std::string what(followed.what());
  if (const auto done = followed.end(); done)
    followed.remark("interrupted: ending the " + what + "; once more to leave it to the server");
  else
    followed.remark("the " + what + " could not be ended: " + done.error().message);
}

}  // namespace

Result<std::unique_ptr<rt::Signals>> following_signals(Context& context) {
  return context.signals({SIGINT, SIGTERM, SIGHUP, SIGQUIT});
}

Result<FollowEnd> follow(Context& context, const Api& api, Followed& followed, rt::Signals& signals,
                         FollowRules rules) {
  Duration pause = kLookFirst;
  std::optional<Instant> away_since;
  bool interrupted = false;
  for (;;) {
    const auto ended = followed.step();
    if (ended) {
      if (away_since) followed.remark("the server is back");
      away_since.reset();
      if (*ended) return interrupted ? FollowEnd::Interrupted : FollowEnd::Ended;
      pause = next_pause(pause, followed.found_news());
    } else {
      // A server that goes down or comes up may also answer that it cannot now.
      const Code code = ended.error().code;
      if (code != Code::Unavailable && code != Code::Internal) return std::unexpected(ended.error());
      const Instant now = context.now();
      if (!away_since) {
        away_since = now;
        followed.remark("the server at " + api.address() +
                        " does not answer; running jobs go on, waiting for it");
      }
      if (now - *away_since > kServerPatience) return fail(Code::Unavailable, ended.error().message);
      pause = kLookAway;
    }
    const auto signal = signals.wait(pause);
    if (!signal) continue;
    if (*signal == SIGHUP || *signal == SIGQUIT) return FollowEnd::Detached;
    if (interrupted || !rules.terminates) return FollowEnd::Interrupted;
    interrupted = true;
    end(followed);
    pause = kLookFirst;
  }
}

}  // namespace stoker::cli
