#pragma once
// SubmitJob: a request becomes a job, or an array of jobs (AWS Batch API, SubmitJob).
#include "base/result.h"
#include "core/requests.h"
#include "core/resources/resources.h"
#include "core/world.h"

namespace stoker::core {

inline constexpr int kArraySizeMin = 2;
inline constexpr int kArraySizeMax = 10'000;

Result<Answer> submit_job(World& world, Instant now, const SubmitJob& request);

// The children of a new or loaded array, all PENDING.
std::unique_ptr<ArrayState> make_children(const Job& array, int size);
// The shared spec of that definition, overrides and wishes (resources/wishes.h), made when there is none yet.
Result<JobSpec*> find_or_make_spec(World& world, std::shared_ptr<const JobDefinition> definition,
                                   const json::Shared& overrides, ShareRule shares, const Tags& wishes = {});
// The same for the nodes of a multi-node job, class by class.
std::vector<JobSpec*> specs_of_nodes(World& world, const JobSpec& job);
// Whether jobs of that definition may go to the queue at all.
Result<void> check_queue(const State& state, const JobQueue& queue, const JobDefinition& definition);
// The number of the shape, for ever.
ShapeNo shape_number(World& world, Shape shape);
// Gives a spec its number-of-shape and registers it (new and loaded ones).
JobSpec* register_spec(World& world, std::unique_ptr<JobSpec> spec, std::string key);
// `count` jobs point to the spec no longer; the last one takes it along.
void release_spec(World& world, JobSpec* spec, std::uint64_t count);

}  // namespace stoker::core
