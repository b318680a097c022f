#include "core/job/job_set.h"

namespace stoker::core {
namespace {
constexpr std::uint64_t bit_of(std::uint64_t n) {
  return std::uint64_t{1} << (n % 64);
}
}  // namespace

bool JobSet::insert(JobNo no) {
  Page& page = pages_[no.value / kPageBits];
  std::uint64_t& word = page.words[no.value % kPageBits / 64];
  if ((word & bit_of(no.value)) != 0) return false;
  word |= bit_of(no.value);
  ++page.count;
  if (size_ == 0 || no < first_) first_ = no;
  ++size_;
  return true;
}

bool JobSet::erase(JobNo no) {
  const auto found = pages_.find(no.value / kPageBits);
  if (found == pages_.end()) return false;
  std::uint64_t& word = found->second.words[no.value % kPageBits / 64];
  if ((word & bit_of(no.value)) == 0) return false;
  word &= ~bit_of(no.value);
  --size_;
  if (--found->second.count == 0) pages_.erase(found);
  if (no == first_ && size_ > 0) first_ = *next_from(no);
  return true;
}

bool JobSet::contains(JobNo no) const {
  const auto found = pages_.find(no.value / kPageBits);
  return found != pages_.end() && (found->second.words[no.value % kPageBits / 64] & bit_of(no.value)) != 0;
}

std::optional<JobNo> JobSet::next_from(JobNo no) const {
  for (auto it = pages_.lower_bound(no.value / kPageBits); it != pages_.end(); ++it) {
    const std::uint64_t base = it->first * kPageBits;
    const std::uint64_t from = no.value > base ? no.value - base : 0;
    for (std::uint64_t w = from / 64; w < kPageBits / 64; ++w) {
      std::uint64_t word = it->second.words[w];
      if (w == from / 64) word &= ~std::uint64_t{0} << (from % 64);
      if (word != 0) return JobNo{base + w * 64 + static_cast<std::uint64_t>(std::countr_zero(word))};
    }
  }
  return std::nullopt;
}

std::optional<JobNo> JobSet::before(JobNo no) const {
  for (auto it = pages_.upper_bound(no.value / kPageBits); it != pages_.begin();) {
    --it;
    const std::uint64_t base = it->first * kPageBits;
    const std::uint64_t to = no.value - base < kPageBits ? no.value - base : kPageBits;  // exclusive
    for (std::uint64_t w = (to + 63) / 64; w-- > 0;) {
      std::uint64_t word = it->second.words[w];
      if (w == to / 64) word &= bit_of(to) - 1;
      if (word != 0) return JobNo{base + w * 64 + 63 - static_cast<std::uint64_t>(std::countl_zero(word))};
    }
  }
  return std::nullopt;
}

}  // namespace stoker::core
