#pragma once
// The directories of runs: made, given up, and used again. Making and deleting the files of a short run costs
// more than half of starting its process, so a directory with nothing of the run left in it becomes the next
// run's.
#include <string>
#include <vector>

#include "base/result.h"
#include "wire/messages.h"

namespace stoker::agent {

class RunDirectories {
 public:
  // `runs_dir` and `trash_dir` are on one file system, as is `spare_dir`. Spares of an earlier agent become
  // trash.
  RunDirectories(std::string runs_dir, std::string trash_dir, std::string spare_dir);

  [[nodiscard]] std::string path(const wire::Token& token) const { return runs_dir_ + '/' + token; }
  // From here on the directory says that this run exists. No error when it is there already.
  Result<void> make(const wire::Token& token);
  // The run is forgotten: its directory is out of the way at once, and deleted later by whoever empties the
  // trash.
  Result<void> give_up(const wire::Token& token);

  static constexpr std::size_t kSparesMax = 64;

 private:
  bool is_bare(const std::string& dir) const;
  bool recycle(const std::string& dir);

  std::string runs_dir_;
  std::string trash_dir_;
  std::string spare_dir_;
  std::vector<std::string> spares_;  // paths; the oldest first
  std::uint64_t next_spare_ = 0;
};

}  // namespace stoker::agent
