// The loop around a Follower: when to look again, what signals mean, and patience with a server that
// restarts.
#include <csignal>

#include "cli/exit.h"
#include "cli/follower.h"

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

void terminate(Context& context, Api& api, std::string_view id) {
  const auto done =
      api.batch("TerminateJob", json::Object{{"jobId", id}, {"reason", "Interrupted by its user"}});
  if (done)
    complain(context, "interrupted: ending the job; once more to leave it to the server");
  else
    complain(context, "the job could not be ended: " + done.error().message);
}

}  // namespace

Result<std::unique_ptr<rt::Signals>> following_signals(Context& context) {
  return context.signals({SIGINT, SIGTERM, SIGHUP, SIGQUIT});
}

Result<FollowEnd> follow(Context& context, Api& api, Follower& follower, std::string_view id,
                         rt::Signals& signals, FollowRules rules) {
  Duration pause = kLookFirst;
  std::optional<Instant> away_since;
  bool interrupted = false;
  for (;;) {
    const auto ended = follower.step();
    if (ended) {
      if (away_since) complain(context, "the server is back");
      away_since.reset();
      if (*ended) return interrupted ? FollowEnd::Interrupted : FollowEnd::Ended;
      pause = next_pause(pause, follower.found_news());
    } else {
      // A server that goes down or comes up may also answer that it cannot now.
      const Code code = ended.error().code;
      if (code != Code::Unavailable && code != Code::Internal) return std::unexpected(ended.error());
      const Instant now = context.now();
      if (!away_since) {
        away_since = now;
        complain(context,
                 "the server at " + api.address() + " does not answer; running jobs go on, waiting for it");
      }
      if (now - *away_since > kServerPatience) return fail(Code::Unavailable, ended.error().message);
      pause = kLookAway;
    }
    const auto signal = signals.wait(pause);
    if (!signal) continue;
    if (*signal == SIGHUP || *signal == SIGQUIT) return FollowEnd::Detached;
    if (interrupted || !rules.terminates) return FollowEnd::Interrupted;
    interrupted = true;
    terminate(context, api, id);
    pause = kLookFirst;
  }
}

}  // namespace stoker::cli
