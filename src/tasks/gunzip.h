#pragma once
// Decompression of what is read piece by piece.
#include <functional>
#include <memory>
#include <string_view>

#include "base/result.h"

namespace stoker::tasks {

// Gives on what it is fed, decompressed when the first bytes say that it is gzip (one member or several, as
// one after the other). NotSupported for Zstandard.
class Gunzip {
 public:
  // May fail, which ends the reading.
  using OnBytes = std::function<Result<void>(std::string_view)>;
  explicit Gunzip(OnBytes on_bytes);
  ~Gunzip();

  Result<void> feed(std::string_view bytes);
  // InvalidArgument when it ends in the middle.
  Result<void> finish();

 private:
  Result<void> decide();
  Result<void> inflate(std::string_view bytes);

  OnBytes on_bytes_;
  std::string head_;  // until it is known what it is
  bool decided_ = false;
  struct Stream;
  std::unique_ptr<Stream> stream_;  // null: it is not compressed
};

}  // namespace stoker::tasks
