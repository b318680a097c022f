#pragma once
// The transitions of a job, each a verb, and nothing else that changes a status:
//
//   submitted → PENDING → RUNNABLE → STARTING → RUNNING → SUCCEEDED | FAILED
//
// with a way back to RUNNABLE for retries. AWS Batch User Guide, job states. Each keeps the indexes, the
// waiting sets, the resources, the timers and the dependants right.
#include "core/action.h"
#include "core/world.h"

namespace stoker::core {

// Token of the job's latest attempt.
RunToken current_token(const Job& job);
// The job's own extra data, made when it has none.
JobExtra& extra_of(Job& job);
const std::string& name_of_job(const World& world, const Job& job);
Attempt& current_attempt(Job& job);

// A child without a record of its own that becomes RUNNABLE together with its array needs none: it follows
// from the array's record. That makes the submission of an array one row, not ten thousand.
enum class Noted : std::uint8_t { Yes, FollowsFromArray };
void become_runnable(World& world, Job& job, Instant now, Noted noted = Noted::Yes);
// The placement decided: takes the resources of the node and the consumable units, opens an attempt.
void become_starting(World& world, Job& job, Node& node, std::vector<std::string> gpus, Instant now);
// The same for all nodes of a multi-node job at once, in the order of the nodes.
struct RunPlace {
  Node* node = nullptr;
  std::vector<std::string> gpus;
};
void become_starting(World& world, Job& gang, std::vector<RunPlace> places, Instant now);
void become_running(World& world, Job& job, Instant started_at);
// Ends the job. Its dependants and its array follow in settle().
void become_terminal(World& world, Job& job, JobStatus status, std::string reason, Instant now);

// The active attempt is being stopped: nobody waits for its program to end by itself.
bool is_being_stopped(const Job& job);
// Gives back what the active attempt holds; the attempt is over. A multi-node job: all its nodes have.
void release_resources(World& world, Job& job, Instant now);
// The run of a node of a multi-node job is over: it gives back its place, and then is SUCCEEDED or FAILED
// until the job ends or starts anew.
void release_place(World& world, Job& node);
void end_node(World& world, Job& node, JobStatus status, std::string reason);

// Carries the ends of jobs to arrays and dependants until nothing more follows. Without recursion: a chain of
// a million dependent jobs fails in one call.
void settle(World& world, Instant now);

}  // namespace stoker::core
