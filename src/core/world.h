#pragma once
// What the rules of the core work on: the state, and notes of what changed in it. Private to the core.
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/core.h"
#include "core/machines/workflows.h"
#include "core/placement/pool.h"
#include "core/provision/work.h"

namespace stoker::core {

// Which records differ from the durable ones. Order of first change is kept, so that output is reproducible.
class Changes {
 public:
  void document(DocumentKind kind, std::string key) {
    removed_documents_.erase({kind, key});  // removed and made again under the same name
    documents_.insert({kind, std::move(key)});
  }
  void removed_document(DocumentKind kind, const std::string& key) {
    documents_.erase({kind, key});
    removed_documents_.insert({kind, key});
  }
  void job(Job& job) {
    if (job.changed) return;
    job.changed = true;
    jobs_.push_back(job.no);
  }
  void removed_job(JobNo no) { removed_jobs_.push_back(no.value); }

 private:
  friend class Core;
  std::set<std::pair<DocumentKind, std::string>> documents_;
  std::set<std::pair<DocumentKind, std::string>> removed_documents_;
  std::vector<JobNo> jobs_;
  std::vector<std::uint64_t> removed_jobs_;
};

// Nodes of one environment that are kept for a job (schedule/kept.h), from one pass to the next: one, or
// those of a gang.
struct KeptPlace {
  std::set<std::string> nodes;
  // The runs that were there when they were kept, ascending: job and attempt.
  std::vector<std::pair<JobNo, int>> in_the_way;
};

// Someone who waits for the end of `dependency` (key of World::dependents).
struct Dependent {
  JobNo job;
  DependencyType type = DependencyType::Whole;
  auto operator<=>(const Dependent&) const = default;
};

struct World {
  Settings settings;
  State state;
  Changes changes;

  // Reverse edges of depends_on between jobs that are not terminal.
  std::map<JobNo, std::vector<Dependent>> dependents;
  // Jobs that ended and whose array and dependants do not know yet (empty between events).
  std::vector<JobNo> ended;
  // When something is due: attempt time-outs of running jobs, and jobs to forget.
  std::set<std::pair<Instant, JobNo>> timeouts;
  std::set<std::pair<Instant, JobNo>> retirements;
  WorkflowWork workflows;
  ProvisionWork provision;
  // Specs by what made them, so that equal submissions share one.
  std::map<std::string, JobSpec*> spec_index;
  std::map<Shape, ShapeNo> shape_index;
  std::uint64_t next_spec = 1;
  std::uint64_t next_queue = 1;
  // Derived from the nodes that have connected: which there are, and where runs can go, by environment
  // (schedule/places.h).
  std::map<std::string, std::map<std::string, Node*>> nodes_of;
  std::map<std::string, Pool> pools;
  Workload workload;              // what the pools were told last
  std::uint64_t submissions = 0;  // jobs submitted to this process, children too
  std::uint64_t next_workload = 0;
  std::map<std::string, std::map<JobNo, KeptPlace>> kept_nodes;  // by environment, and for whom
  // Counts what can let a preemption plan succeed that failed before: changes of nodes and of their runs, of
  // what is kept or claimed, of queues, environments and quota shares. Submissions are none of it.
  std::uint64_t room_version = 1;
  // What the runs of quota shares held when the shares of the queue were last changed, or were loaded: only
  // so much may be beyond what the shares may have (invariants.cc).
  std::map<QueueNo, QuotaBook> quota_books_at_change;
  // Specs whose last job went in this turn and in the last one: actions may still point to them.
  std::vector<std::unique_ptr<JobSpec>> released_specs;
  std::vector<std::unique_ptr<JobSpec>> released_before;
  // After a restart nodes are expected to connect again until then; the first pass says when that is.
  bool was_loaded = false;
  std::optional<Instant> nodes_back_by;
  // Something changed that a placement pass could make use of.
  bool pass_due = true;
  // When the next INACTIVE revision may be old enough to go.
  std::optional<Instant> next_definition_removal;
  // When the next time limit of a waiting head is due (computed by the last pass).
  std::optional<Instant> next_time_limit;
};

}  // namespace stoker::core
