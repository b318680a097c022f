#pragma once
#include "supervisor/protocol.h"

namespace stoker::supervisor {

// Descriptors that a supervisor gets from the zygote by the fork.
struct Inherited {
  int zygote_lock = -1;  // closed once the run's own lock is held: until then it says "a start is under way"
  int news = -1;         // the fifo
  int null_input = -1;
};

// The whole life of one run, in the forked process. Signals SIGCHLD, SIGUSR1, SIGTERM, SIGINT and SIGHUP must
// be blocked. Returns when everything is done; the caller then calls _exit.
void supervise(LaunchView launch, const Inherited& inherited);

}  // namespace stoker::supervisor
