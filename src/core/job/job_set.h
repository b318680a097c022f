#pragma once
// An ordered set of job numbers. Numbers are dense, so a bitmap in pages costs about a bit a job where a tree
// costs 48 bytes, and walking it in either direction is a scan over words.
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>

#include "core/model/types.h"

namespace stoker::core {

class JobSet {
 public:
  // False when it was there already.
  bool insert(JobNo no);
  // False when it was not there.
  bool erase(JobNo no);
  [[nodiscard]] bool contains(JobNo no) const;
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  // Kept beside the pages: a placement pass asks every waiting set for it.
  [[nodiscard]] std::optional<JobNo> first() const {
    return size_ == 0 ? std::nullopt : std::optional(first_);
  }
  // The least member >= no.
  [[nodiscard]] std::optional<JobNo> next_from(JobNo no) const;
  // The greatest member < no; start with JobNo{UINT64_MAX}.
  [[nodiscard]] std::optional<JobNo> before(JobNo no) const;

 private:
  static constexpr std::uint64_t kPageBits = 1024;
  struct Page {
    std::array<std::uint64_t, kPageBits / 64> words{};
    std::uint32_t count = 0;
  };
  std::map<std::uint64_t, Page> pages_;
  std::size_t size_ = 0;
  JobNo first_;  // when there is one
};

}  // namespace stoker::core
