#include "core/job/dependencies.h"

#include "base/assert.h"
#include "core/job/life.h"

namespace stoker::core {
namespace {

constexpr std::string_view kDependencyFailed = "Dependent Job failed";

std::string id_text(const Dependency& dependency) {
  return dependency.job->str() + (dependency.index >= 0 ? ":" + std::to_string(dependency.index) : "");
}

std::vector<Job>& children_of(Job& job) {
  return job.extra->array->children;
}

// One dependency less. The job runs when it was the last, also of its array's common ones.
void meet_one(World& world, Job& job, Instant now) {
  if (job.status != JobStatus::Pending) return;  // cancelled meanwhile
  ASSERT(job.unmet > 0, "a dependency met twice");
  --job.unmet;
  if (job.unmet == 0 && (!job.is_child() || world.state.jobs.parent_of(job).unmet == 0))
    start_waiting(world, job, now);
}

void fail_one(World& world, Job& job, Instant now) {
  if (job.status != JobStatus::Pending) return;
  if (job.is_array()) {
    job.extra->status_reason = kDependencyFailed;
    world.changes.job(job);
    for (Job& child : children_of(job))
      if (child.status == JobStatus::Pending || child.status == JobStatus::Runnable)
        become_terminal(world, child, JobStatus::Failed, std::string(kDependencyFailed), now);
  } else {
    become_terminal(world, job, JobStatus::Failed, std::string(kDependencyFailed), now);
  }
}

void tell(World& world, const Job& ended, Job& dependant, Instant now) {
  if (ended.status == JobStatus::Succeeded)
    meet_one(world, dependant, now);
  else
    fail_one(world, dependant, now);
}

}  // namespace

Result<void> check_dependencies(const State& state, const std::vector<Dependency>& dependencies,
                                int array_size) {
  if (dependencies.size() > kDependenciesMax)
    return fail(Code::InvalidArgument, "dependsOn has " + std::to_string(dependencies.size()) +
                                           " entries; a job can depend on at most " +
                                           std::to_string(kDependenciesMax) + " jobs");
  for (const Dependency& dependency : dependencies) {
    if (!dependency.job) {
      if (dependency.type != DependencyType::Sequential)
        return fail(Code::InvalidArgument, "dependsOn: jobId is required unless type is SEQUENTIAL");
      if (array_size == 0)
        return fail(Code::InvalidArgument, "dependsOn: type SEQUENTIAL without a jobId needs an array job");
      continue;
    }
    const Job* job = state.jobs.find(*dependency.job, dependency.index);
    if (job == nullptr)
      return fail(Code::InvalidArgument, "dependsOn: job " + id_text(dependency) + " does not exist");
    if (job->is_node())
      return fail(Code::InvalidArgument, "dependsOn: job " + job->public_id() +
                                             " is a node of a multi-node parallel job; depend on the job");
    if (dependency.type != DependencyType::NToN) continue;
    if (array_size == 0 || !job->is_array())
      return fail(Code::InvalidArgument, "dependsOn: type N_TO_N needs an array job on both sides; " +
                                             id_text(dependency) +
                                             (job->is_array() ? " is one, the new job is not" : " is none"));
    const std::size_t other = job->extra->array->children.size();
    if (other != static_cast<std::size_t>(array_size))
      return fail(Code::InvalidArgument, "dependsOn: type N_TO_N needs arrays of one size; " +
                                             id_text(dependency) + " has " + std::to_string(other) +
                                             " children, the new job " + std::to_string(array_size));
  }
  return {};
}

void start_waiting(World& world, Job& job, Instant now) {
  if (!job.is_array()) {
    become_runnable(world, job, now);
    return;
  }
  job.runnable_at = now;  // the children without a record of their own have this time too
  world.changes.job(job);
  for (Job& child : children_of(job))
    if (child.status == JobStatus::Pending && child.unmet == 0)
      become_runnable(world, child, now, Noted::FollowsFromArray);
}

void attach_dependencies(World& world, Job& job) {
  for (const Dependency& dependency : job.extra->depends_on) {
    if (!dependency.job) {
      for (Job& child : children_of(job)) {
        if (child.index == 0) continue;
        const Job& previous = children_of(job)[static_cast<std::size_t>(child.index) - 1];
        if (previous.status != JobStatus::Succeeded) ++child.unmet;
      }
      world.dependents[job.no].push_back({job.no, DependencyType::Sequential});
      continue;
    }
    const Job* other = world.state.jobs.find(*dependency.job, dependency.index);
    if (other == nullptr) continue;  // forgotten since: it had succeeded, or this job had failed with it
    if (dependency.type == DependencyType::NToN) {
      for (Job& child : children_of(job)) {
        const Job& twin = other->extra->array->children[static_cast<std::size_t>(child.index)];
        if (twin.status != JobStatus::Succeeded) ++child.unmet;
      }
      if (!is_terminal(other->status)) world.dependents[other->no].push_back({job.no, DependencyType::NToN});
    } else if (other->status != JobStatus::Succeeded) {
      ++job.unmet;
      if (!is_terminal(other->status)) world.dependents[other->no].push_back({job.no, DependencyType::Whole});
    }
  }
}

void fail_with_dependencies(World& world, Job& job, Instant now) {
  for (const Dependency& dependency : job.extra->depends_on) {
    const Job* other = dependency.job ? world.state.jobs.find(*dependency.job, dependency.index) : nullptr;
    if (other == nullptr) continue;
    if (dependency.type == DependencyType::NToN) {
      for (Job& child : children_of(job))
        if (other->extra->array->children[static_cast<std::size_t>(child.index)].status == JobStatus::Failed)
          fail_one(world, child, now);
    } else if (other->status == JobStatus::Failed) {
      fail_one(world, job, now);
    }
  }
}

void release_dependants(World& world, Job& job, Instant now) {
  if (job.is_child()) {  // those who wait for the same child of this array, or for the child before
    const auto found = world.dependents.find(job.parent);
    if (found != world.dependents.end())
      for (std::size_t i = 0; i < found->second.size(); ++i) {
        const Dependent dependent = found->second[i];
        Job* array = world.state.jobs.find(dependent.job);
        if (array == nullptr || !array->is_array()) continue;
        auto& children = children_of(*array);
        const auto index = static_cast<std::size_t>(job.index);
        if (dependent.type == DependencyType::NToN)
          tell(world, job, children[index], now);
        else if (dependent.type == DependencyType::Sequential && index + 1 < children.size())
          tell(world, job, children[index + 1], now);
      }
  }
  auto waiting = world.dependents.extract(job.no);
  if (waiting.empty()) return;
  for (const Dependent& dependent : waiting.mapped()) {
    Job* dependant = world.state.jobs.find(dependent.job);
    if (dependant != nullptr && dependent.type == DependencyType::Whole) tell(world, job, *dependant, now);
  }
}

}  // namespace stoker::core
