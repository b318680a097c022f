#pragma once
#include "core/workflow/jsonata/evaluate/evaluator.h"

namespace stoker::jsonata {

// One level of a bounded recursion, for as long as it lives.
class Evaluator::Deeper {
 public:
  Deeper(std::size_t& level, std::size_t most) : level_(level), most_(most) { ++level_; }
  ~Deeper() { --level_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;
  [[nodiscard]] Answer<void> check() const {
    if (level_ <= most_) return {};
    return std::unexpected(
        Fault("U1001").saying("Stack overflow error: Check for non-terminating recursive function.  Consider "
                              "rewriting as tail-recursive."));
  }

 private:
  std::size_t& level_;
  std::size_t most_;
};

}  // namespace stoker::jsonata
