#pragma once
// All jobs, by number and by id, and the indexes over them. Owns them.
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/job/job_set.h"
#include "core/model/job.h"

namespace stoker::core {

class JobTable {
 public:
  // A new top-level job; `children` more numbers stay reserved behind its own. Its status enters the indexes.
  Job& add(std::unique_ptr<Job> job, std::uint64_t children);
  // The next free number.
  [[nodiscard]] JobNo next_no() const { return JobNo{next_}; }
  // Never gives out numbers below this again (after loading).
  void reserve_below(JobNo no) { next_ = std::max(next_, no.value); }

  // Null when there is no such job. Children are found by their own numbers.
  [[nodiscard]] Job* find(JobNo no) const;
  [[nodiscard]] Job* find(const Uuid& id, int index = -1) const;
  [[nodiscard]] Job& parent_of(const Job& child) const;

  // The only way to change a status: keeps the indexes and the parent's counts right.
  void set_status(Job& job, JobStatus status, Instant now);
  // A top-level job goes to another queue (its children are changed by the caller).
  void move(Job& job, QueueNo queue);
  // Forgets a top-level job with its children.
  void remove(Job& job);

  // Top-level jobs of a queue with that status, ascending.
  [[nodiscard]] const JobSet& of(QueueNo queue, JobStatus status) const;
  // All top-level jobs, ascending.
  [[nodiscard]] const JobSet& all() const { return all_; }
  [[nodiscard]] std::size_t size() const { return all_.size(); }
  // Jobs that are not terminal, an array as one and all its children until all of them are.
  [[nodiscard]] std::uint64_t live() const { return live_; }

 private:
  static constexpr std::uint64_t kPage = 4096;
  using Page = std::array<Job*, kPage>;
  void place(JobNo no, Job* job);

  static std::uint64_t weight(const Job& job);

  std::uint64_t next_ = 1;
  std::uint64_t live_ = 0;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::unordered_map<Uuid, std::unique_ptr<Job>> by_id_;
  JobSet all_;
  std::map<std::pair<QueueNo, JobStatus>, JobSet> by_status_;
};

}  // namespace stoker::core
