#pragma once
// The job's process: how it begins, and how everything that came of it ends.
#include <cstddef>

#include <sys/types.h>

#include "supervisor/protocol.h"

namespace stoker::supervisor {

// What kept a job from starting.
enum class Step { None, Pipe, Fork, Session, Cgroup, Limits, User, WorkDirectory, Record, Exec };
struct StartFailure {
  Step step = Step::None;
  int error = 0;
};

struct JobFiles {
  int null_input = -1;  // becomes the job's standard input
  int output = -1;      // becomes its standard output and error
  int state_file = -1;  // gets the `begun` record, written just before exec by the job's own process
};

// Starts the job in a session, and so a process group, of its own; returns its pid, or -1 with the reason.
// The job dies when the supervisor's process does (as far as PR_SET_PDEATHSIG reaches: not after the job
// changes its user). `begun_ms` receives the time in the record.
pid_t start_job(const LaunchView& launch, const JobFiles& files, std::int64_t& begun_ms,
                StartFailure& failure);

// In Batch's words, zero-terminated. Returns the exit code that shells give for it, or -1.
int describe_failure(const StartFailure& failure, const LaunchView& launch, char* reason,
                     std::size_t reason_bytes);

// Sends the signal to the job's group and to all children of this process (the job's orphans come here, since
// the supervisor is their subreaper). Only while the job has not been waited for: its pid names the group.
void signal_job(pid_t job, int signal);
// Sends the signal to all children of this process.
void signal_children(int signal);

}  // namespace stoker::supervisor
