#include "core/job/job_table.h"

#include "base/assert.h"

namespace stoker::core {

void JobTable::place(JobNo no, Job* job) {
  auto& page = pages_[no.value / kPage];
  if (!page) page = std::make_unique<Page>();
  (*page)[no.value % kPage] = job;
}

std::uint64_t JobTable::weight(const Job& job) {
  return 1 + job.children().size();
}

Job& JobTable::add(std::unique_ptr<Job> job, std::uint64_t children) {
  Job& added = *job;
  next_ = std::max(next_, added.no.value + 1 + children);
  place(added.no, &added);
  for (Job& child : added.children()) place(child.no, &child);
  all_.insert(added.no);
  if (!is_terminal(added.status)) live_ += weight(added);
  by_status_[{added.queue, added.status}].insert(added.no);
  const bool fresh = by_id_.emplace(added.id, std::move(job)).second;
  ASSERT(fresh, "job id given twice");
  return added;
}

Job* JobTable::find(JobNo no) const {
  const auto page = pages_.find(no.value / kPage);
  return page == pages_.end() ? nullptr : (*page->second)[no.value % kPage];
}

Job* JobTable::find(const Uuid& id, int index) const {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return nullptr;
  Job* job = found->second.get();
  if (index < 0) return job;
  const std::span<Job> children = job->children();
  return static_cast<std::size_t>(index) < children.size() ? &children[static_cast<std::size_t>(index)]
                                                           : nullptr;
}

Job& JobTable::parent_of(const Job& child) const {
  Job* parent = find(child.parent);
  ASSERT(parent != nullptr && !parent->children().empty(), "a child without its parent");
  return *parent;
}

void JobTable::set_status(Job& job, JobStatus status, Instant now) {
  if (job.is_node()) {
    // Its job is what counts.
  } else if (job.is_child()) {
    ArrayState& array = *parent_of(job).extra->array;
    --array.counts[static_cast<std::size_t>(job.status)];
    ++array.counts[static_cast<std::size_t>(status)];
    array.counts_changed_at = now;
  } else {
    by_status_[{job.queue, job.status}].erase(job.no);
    by_status_[{job.queue, status}].insert(job.no);
    if (is_terminal(status) && !is_terminal(job.status)) live_ -= weight(job);
  }
  job.status = status;
}

void JobTable::move(Job& job, QueueNo queue) {
  by_status_[{job.queue, job.status}].erase(job.no);
  by_status_[{queue, job.status}].insert(job.no);
  job.queue = queue;
}

void JobTable::remove(Job& job) {
  ASSERT(!job.is_child(), "children go with their array");
  const auto forget = [&](JobNo no) {
    const auto page = pages_.find(no.value / kPage);
    (*page->second)[no.value % kPage] = nullptr;
    if (std::all_of(page->second->begin(), page->second->end(), [](const Job* j) { return j == nullptr; }))
      pages_.erase(page);
  };
  for (const Job& child : job.children()) forget(child.no);
  forget(job.no);
  if (!is_terminal(job.status)) live_ -= weight(job);
  all_.erase(job.no);
  by_status_[{job.queue, job.status}].erase(job.no);
  by_id_.erase(by_id_.find(job.id));
}

const JobSet& JobTable::of(QueueNo queue, JobStatus status) const {
  static const JobSet kNone;
  const auto found = by_status_.find({queue, status});
  return found == by_status_.end() ? kNone : found->second;
}

}  // namespace stoker::core
