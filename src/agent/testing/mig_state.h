#pragma once
// The state of the management library that pretends MIG (fake_mig_nvml.cc), as tests write and read it.
#include <memory>
#include <string>
#include <vector>

#include "agent/nvml_library.h"

namespace stoker::agent::testing {

class MigState {
 public:
  // In that directory; the library of this process and of its children uses it from now on. Its GPUs, GPU-a
  // and GPU-b, are in MIG mode and empty.
  explicit MigState(const std::string& dir);
  ~MigState();
  MigState(const MigState&) = delete;
  MigState& operator=(const MigState&) = delete;

  void add(const std::string& line);
  void remove(const std::string& line);  // every line that begins so
  // "a 2g.20gb@4 MIG-GPU-a-1": GPU, profile and place, UUID of the compute instance or "-"; sorted.
  [[nodiscard]] std::vector<std::string> instances() const;
  [[nodiscard]] bool has(const std::string& line) const;

  static std::unique_ptr<nvml::Library> library();

 private:
  [[nodiscard]] std::vector<std::string> lines() const;
  void write(const std::vector<std::string>& lines);
  std::string file_;
};

}  // namespace stoker::agent::testing
