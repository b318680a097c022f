#include "server/commit.h"

#include <chrono>
#include <cstdlib>
#include <thread>

#include "log/log.h"

namespace stoker::server {
namespace {

constexpr Duration kRetryPause = milliseconds(500);

template <class T>
void append(std::vector<T>& to, std::vector<T>&& from) {
  if (to.empty()) {
    to = std::move(from);
    return;
  }
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

void append(core::Records& to, core::Records&& from) {
  append(to.documents, std::move(from.documents));
  append(to.jobs, std::move(from.jobs));
  append(to.executions, std::move(from.executions));
  append(to.payloads, std::move(from.payloads));
  append(to.threads, std::move(from.threads));
  append(to.map_runs, std::move(from.map_runs));
  append(to.map_children, std::move(from.map_children));
  append(to.map_results, std::move(from.map_results));
  append(to.history, std::move(from.history));
  append(to.removed_documents, std::move(from.removed_documents));
  append(to.removed_jobs, std::move(from.removed_jobs));
  append(to.removed_threads, std::move(from.removed_threads));
  append(to.settled_runs, std::move(from.settled_runs));
  append(to.removed_executions, std::move(from.removed_executions));
}

// What may be large: inputs, items, results, events with their data.
std::size_t bytes_in(const core::Records& records) {
  std::size_t bytes = 0;
  for (const auto& one : records.payloads) bytes += one.text.size();
  for (const auto& one : records.map_results) bytes += one.body.size();
  for (const auto& one : records.history) bytes += one.details.size();
  return bytes;
}

// Of what may be made again under the same key. A thread's number is never used again.
bool has_removals(const core::Records& records) {
  return !records.removed_documents.empty() || !records.removed_jobs.empty() || !records.settled_runs.empty();
}

}  // namespace

CommitThread::CommitThread(store::Store& store, NodeMessages& nodes)
    : store_(store), nodes_(nodes), thread_("commit", [this] { run(); }) {}

CommitThread::~CommitThread() {
  stopping_ = true;
  queue_.push({});  // wakes it up
  thread_.join();
}

void CommitThread::push(Commit commit) {
  commit.bytes = bytes_in(commit.records);
  waiting_bytes_ += commit.bytes;
  queue_.push(std::move(commit));
}

void CommitThread::wait_for_room() const {
  for (std::size_t bytes = waiting_bytes_; bytes > kWaitingBytesMax; bytes = waiting_bytes_)
    waiting_bytes_.wait(bytes);
}

void CommitThread::save(core::Records records) {
  if (records.empty()) return;
  bool reported = false;
  while (true) {
    const auto saved = store_.commit(records);
    if (saved) break;
    // Nothing of it was answered yet, so waiting loses nothing: a full disk may be emptied.
    if (!reported) log::error("commit_failed", {{"why", saved.error().message}});
    reported = true;
    if (stopping_)
      std::abort();  // not saved, not answered: the next start goes on from the records that are there
    std::this_thread::sleep_for(std::chrono::milliseconds(kRetryPause.ms));
  }
  if (reported) log::info("commit_recovered");
}

void CommitThread::run() {
  std::vector<Commit> batch;
  while (true) {
    // Read before taking: what was pushed before stop() was called is in this batch or an earlier one.
    const bool last = stopping_;
    queue_.take_all(batch, last ? Duration{} : hours(1));
    core::Records together;
    for (Commit& commit : batch) {
      // Removals of an earlier turn must not hit what a later one made again under the same key.
      if (has_removals(together)) save(std::exchange(together, {}));
      append(together, std::move(commit.records));
    }
    save(std::move(together));
    for (const Commit& commit : batch) waiting_bytes_ -= commit.bytes;
    waiting_bytes_.notify_all();
    for (Commit& commit : batch) {
      for (NodeMessage& message : commit.messages) nodes_.send(std::move(message));
      for (auto& answer : commit.answers) answer();
      for (auto& read : commit.reads) read(store_);
    }
    if (last) return;
  }
}

}  // namespace stoker::server
