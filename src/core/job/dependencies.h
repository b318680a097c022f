#pragma once
// dependsOn: who waits for whom (aws-batch: job dependencies; N_TO_N and SEQUENTIAL of array jobs).
#include "base/result.h"
#include "core/world.h"

namespace stoker::core {

inline constexpr std::size_t kDependenciesMax = 20;  // AWS Batch User Guide, service limits

// Checks that every dependency can be waited for by an array of that size (0: a plain job). Changes nothing.
Result<void> check_dependencies(const State& state, const std::vector<Dependency>& dependencies,
                                int array_size);

// Counts what is unmet and registers the job (and its children) with what it waits for.
void attach_dependencies(World& world, Job& job);
// What already failed when `job` was submitted fails it, or those of its children that wait for it.
void fail_with_dependencies(World& world, Job& job, Instant now);
// All that `job` waited for from the start is there: it, or its children, become RUNNABLE as far as they can.
void start_waiting(World& world, Job& job, Instant now);

// `job` is terminal: those who wait for it go on, or fail with it.
void release_dependants(World& world, Job& job, Instant now);

}  // namespace stoker::core
