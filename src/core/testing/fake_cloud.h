#pragma once
// A cloud for tests: has the machines that a driven core asks for, and tells of them when it is told to.
#include <map>
#include <string>
#include <vector>

#include "core/testing/driver.h"

namespace stoker::core::testing {

class FakeCloud {
 public:
  enum class Phase : std::uint8_t { Asked, Launching, Running, Ready, Gone };
  struct Machine {
    std::string environment;
    fleet::Pool pool;
    bool mig = false;  // its agent switches MIG on
    Phase phase = Phase::Asked;
    bool retired = false;  // we were asked to end it
    bool connected = false;
    std::vector<KnownRun> runs;  // that its agent knows
  };

  explicit FakeCloud(Driver& driver) : d_(driver) {}

  // Settings of a core that launches.
  static Settings settings();
  // A MANAGED environment "gpu" whose subnets a and b lie in the zones a and b, first in the queue "default".
  void create(const std::string& computeResources_more = "", Tags tags = {}, const std::string& type = "EC2",
              const std::string& types = R"("g5.xlarge","g5.12xlarge")");

  // Takes the actions that the core gave since the last call. Answers FindSubnets at once.
  void absorb();

  // ---- news, in the order of a machine's life ----
  void launching(const std::string& name);
  void running(const std::string& name);
  void hello(const std::string& name);
  void boot(const std::string& name);  // all of them
  void boot_all();
  void fail(const std::string& name, std::optional<fleet::LaunchFailure> failure);
  void gone(const std::string& name, bool reclaimed = false);
  // Ends what it was asked to end.
  void end_retired();

  [[nodiscard]] std::vector<std::string> in(Phase phase) const;
  // "2 g5.xlarge in a, on-demand; 1 …", of all that are not gone, by pool.
  [[nodiscard]] std::string summary() const;
  [[nodiscard]] std::int64_t vcpus() const;  // of all that are not gone
  std::map<std::string, Machine> machines;

 private:
  Driver& d_;
};

}  // namespace stoker::core::testing
