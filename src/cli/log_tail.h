#pragma once
// The output of one attempt of a job, read from its log stream piece by piece.
#include <cstddef>
#include <functional>
#include <string>

#include "base/result.h"
#include "cli/api.h"

namespace stoker::cli {

// Where the output of jobs of AWS Batch is.
inline constexpr std::string_view kLogGroup = "/aws/batch/job";
inline constexpr std::int64_t kTailMax = 10'000;  // events that one call gives

class LogTail {
 public:
  LogTail(Api& api, std::string stream) : api_(&api), stream_(std::move(stream)) {}
  [[nodiscard]] const std::string& stream() const { return stream_; }

  // Begin with the last `events` instead of the first. Before the first pump().
  void start_at_last(std::int64_t events) { last_ = events; }

  // Gives every event that is new since the last call, up to the end of what there is now. How many.
  Result<std::size_t> pump(const std::function<void(const json::Value& event)>& take);

 private:
  Api* api_;
  std::string stream_;
  std::string token_;
  std::int64_t last_ = 0;
};

}  // namespace stoker::cli
