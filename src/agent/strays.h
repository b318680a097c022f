#pragma once
#include <string>

#include <sys/types.h>

namespace stoker::agent {

// Kills every process of a run whose supervisor is gone: those in the job's session and those that carry the
// run's marker variable. Searches /proc until nothing is found any more, at most a few times; returns how
// many were killed.
int kill_strays(pid_t job_session, const std::string& token);

}  // namespace stoker::agent
