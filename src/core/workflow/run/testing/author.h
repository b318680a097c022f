#pragma once
// Writes random definitions for walks. Their transitions only lead forward, so that every execution ends.
#include <initializer_list>
#include <string>
#include <vector>

#include "base/rng.h"

namespace stoker::workflow::testing {

class Author {
 public:
  // `rng` outlives it. `callee`: the ARN of a state machine that tasks may start; "": none.
  explicit Author(Rng& rng, std::string callee = "") : rng_(rng), callee_(std::move(callee)) {}

  std::string definition();

 private:
  std::string machine(int depth);
  bool chance(std::uint64_t percent) { return rng_.chance(percent, 100); }
  std::string pick(std::initializer_list<const char*> choices) {
    return *(choices.begin() + rng_.below(choices.size()));
  }
  std::string later(const std::vector<std::string>& names, std::size_t at) {
    return names[at + 1 + rng_.below(names.size() - at - 1)];
  }
  std::string handlers(const std::vector<std::string>& names, std::size_t at);
  std::string state(const std::vector<std::string>& names, std::size_t at, int depth);
  std::string map(const std::vector<std::string>& names, std::size_t at, int depth, const std::string& out);
  std::string task(const std::vector<std::string>& names, std::size_t at, const std::string& out);

  Rng& rng_;
  std::string callee_;
  int states_ = 0;
  int variables_ = 0;  // an inner scope may not assign the name of an outer one
};

}  // namespace stoker::workflow::testing
