#pragma once
// The results of a map run as files: SUCCEEDED_n.json, FAILED_n.json, PENDING_n.json, and manifest.json which
// names them. The same results in the same order give the same files, so writing them again after a crash
// changes nothing.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace stoker::asl {
struct ResultWriter;
}

namespace stoker::dataset {

// A file is handed over when it has grown to this; its last result may make it larger. (AWS: 5 GB.)
inline constexpr std::size_t kResultFileBytesMax = 16u << 20;

// One child execution that has ended.
struct ChildResult {
  std::string arn{};
  std::string name{};
  std::string status{};  // "SUCCEEDED", "FAILED", "TIMED_OUT", "ABORTED"
  bool express = false;
  std::string input{};   // JSON text; "" = not known
  std::string output{};  // JSON text; "" = none
  std::optional<std::string> error{}, cause{};
  Instant started_at{}, stopped_at{};
  std::int64_t redrive_count = 0;
};

// Transformation NONE: the result with what is known of its execution, as one JSON object.
std::string with_metadata(const ChildResult& result, std::string_view machine_arn);
// Transformation FLATTEN: the elements of a JSON array as they stand in its text, without its brackets; "" of
// an empty one. Nothing for what is no array.
std::optional<std::string_view> elements_of(std::string_view json);

class ResultFiles {
 public:
  // Stores one file below the folder of the run; may fail, which ends the writing.
  using Put = std::function<Result<void>(const std::string& name, std::string body)>;
  // `writer` outlives it.
  ResultFiles(const asl::ResultWriter& writer, std::string machine_arn, Put put);

  Result<void> add(const ChildResult& result);
  // An item that no child was started for. JSON text.
  Result<void> add_pending(std::string_view item);
  struct Place {
    std::string bucket;
    std::string folder;  // "PREFIX/RUN/"
    std::string map_run_arn;
  };
  // The last files, then the manifest: whoever sees it sees all of them.
  Result<void> finish(const Place& place);

 private:
  struct File {
    std::string name;
    std::size_t size = 0;
  };
  struct Group {
    std::string_view name;  // "SUCCEEDED"
    std::string open{};     // what the next file has so far
    std::vector<File> files{};
  };
  Result<void> append(Group& group, std::string_view entry);
  Result<void> close(Group& group);
  [[nodiscard]] std::string manifest(const Place& place) const;

  const asl::ResultWriter& writer_;
  std::string machine_arn_;
  Put put_;
  bool lines_;
  Group succeeded_{"SUCCEEDED"};
  Group failed_{"FAILED"};
  Group pending_{"PENDING"};
};

}  // namespace stoker::dataset
