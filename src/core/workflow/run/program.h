#pragma once
// A definition made ready to run: what is asked of it at every step is worked out once. Immutable, shared by
// all executions of the revision.
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/workflow/definition/definition.h"

namespace stoker::workflow {

class Program {
 public:
  static std::shared_ptr<const Program> create(std::shared_ptr<const asl::Definition> definition);

  [[nodiscard]] const asl::Definition& definition() const { return *definition_; }
  // State names are unique in the whole document. Null when absent.
  [[nodiscard]] const asl::State* find(std::string_view state) const;
  // Whether anything in the state reads the context object, or any variable.
  struct Needs {
    bool context = true;
    bool variables = true;
  };
  [[nodiscard]] Needs needs(const asl::State& state) const;

 private:
  explicit Program(std::shared_ptr<const asl::Definition> definition);
  std::shared_ptr<const asl::Definition> definition_;
  std::map<std::string, const asl::State*, std::less<>> states_;
  std::unordered_map<const asl::State*, Needs> needs_;  // looked up, never walked
};

// "arn:aws:states:R:A:execution:NAME:X" or ".../LABEL:X" gives "arn:aws:states:R:A:mapRun:NAME/LABEL:UUID".
std::string map_run_arn(std::string_view execution_arn, std::string_view label, std::string_view uuid);
std::string map_child_arn(std::string_view execution_arn, std::string_view label, std::string_view uuid);
std::string map_machine_arn(std::string_view execution_arn, std::string_view label);
// The label of a Map state: its Label, or a UUID made from its name, the same whenever it is asked for.
std::string map_label(const asl::State& map_state);

}  // namespace stoker::workflow
