#include "core/schedule/order.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace stoker::core {

// For heaps, whose front is the greatest.
bool Order::is_later(const Head& a, const Head& b) {
  return a.priority != b.priority ? a.priority < b.priority : a.job > b.job;
}
bool Order::has_more(const Share& a, const Share& b) {
  return a.use != b.use ? a.use > b.use : *a.name > *b.name;
}

Order::Order(const State& state, const JobQueue& queue, Instant now)
    : state_(state), policy_(fair_share_of(state, queue)), fair_(has_fair_share(state, queue)) {
  const auto waiting = state.waiting.find(queue.no);
  if (waiting == state.waiting.end()) return;
  for (const auto& group : waiting->second) {  // in order of shares
    const GroupKey& key = group.first;
    if (shares_.empty() || *shares_.back().name != key.share) {
      const ShareUse* use = find_share(state, queue.no, key.share);
      shares_.push_back({.use = use == nullptr ? 0 : weighted_use(policy_, key.share, *use, now),
                         .name = &key.share,
                         .heads = {}});
    }
    shares_.back().heads.push_back({key.priority, *group.second.jobs.first(), &group});
  }
  for (Share& share : shares_) {
    std::ranges::make_heap(share.heads, is_later);
    if (!fair_) share.use = share.heads.front().job.value;
  }
  std::ranges::make_heap(shares_, has_more);
}

std::optional<Order::Next> Order::next() const {
  if (shares_.empty()) return std::nullopt;
  const Head& head = shares_.front().heads.front();
  return Next{head.job, &head.group->first};
}

void Order::take() {
  std::ranges::pop_heap(shares_, has_more);
  Share& share = shares_.back();
  std::ranges::pop_heap(share.heads, is_later);
  Head& head = share.heads.back();
  if (shares_.size() > 1)
    share.use +=
        weighted_charge(policy_, *share.name, charge_of(state_.shape(head.group->first.shape).resources));
  if (const auto next = head.group->second.jobs.next_from(JobNo{head.job.value + 1})) {
    head.job = *next;
    std::ranges::push_heap(share.heads, is_later);
  } else {
    share.heads.pop_back();
  }
  settle_front();
}

void Order::pass_over() {
  std::ranges::pop_heap(shares_, has_more);
  Share& share = shares_.back();
  std::ranges::pop_heap(share.heads, is_later);
  share.heads.pop_back();
  settle_front();
}

// The share at the back was changed.
void Order::settle_front() {
  Share& share = shares_.back();
  if (share.heads.empty()) {
    shares_.pop_back();
    return;
  }
  // Its name may stand in a group that goes with its last job.
  share.name = &share.heads.front().group->first.share;
  if (!fair_) share.use = share.heads.front().job.value;
  std::ranges::push_heap(shares_, has_more);
}

std::vector<const JobQueue*> queues_in_order(const State& state, Instant now) {
  std::map<int, std::vector<std::pair<JobNo, const JobQueue*>>, std::greater<>> by_priority;
  for (const auto& [no, waiting] : state.waiting)
    if (!waiting.empty()) {
      const JobQueue& queue = state.queues.at(no);
      by_priority[queue.priority].emplace_back(JobNo{}, &queue);
    }
  std::vector<const JobQueue*> queues;
  for (auto& [priority, equal] : by_priority) {
    if (equal.size() > 1) {
      for (auto& [next, queue] : equal) next = Order(state, *queue, now).next()->job;
      std::ranges::sort(equal);
    }
    for (const auto& [next, queue] : equal) queues.push_back(queue);
  }
  return queues;
}

}  // namespace stoker::core
