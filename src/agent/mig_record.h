#pragma once
// Which GPU instances of this node the agent has made itself: a file beside the runs, so that the next agent
// knows them again and never takes what others made for its own. It is written before the driver is asked to
// make one, without the instance's id, and again when the id is known: an agent that is killed in between
// leaves the place, at which nothing was before. GPU instances end with the boot, and so does what is written
// here.
#include <string>
#include <vector>

#include "agent/mig_gpu.h"
#include "base/result.h"

namespace stoker::agent {

struct MigOwn {
  std::string gpu;
  std::string profile;
  int start = 0;
  int id = -1;  // -1: was about to be made
  bool operator==(const MigOwn&) const = default;
};

class MigRecord {
 public:
  // What is there of this boot; an unreadable file is an empty one, so that its instances count as others'.
  MigRecord(std::string file, std::string boot);

  // Drops what the driver does not list any more, and gives those their id that were about to be made.
  Result<void> settle(const std::string& gpu, const std::vector<MigInstance>& instances);
  Result<void> will_make(const std::string& gpu, const std::string& profile, int start);
  Result<void> made(const std::string& gpu, const MigInstance& instance);
  Result<void> gone(const std::string& gpu, int start);

  [[nodiscard]] bool owns(const std::string& gpu, const MigInstance& instance) const;

 private:
  Result<void> save() const;
  std::string file_;
  std::string boot_;
  std::vector<MigOwn> own_;
};

}  // namespace stoker::agent
