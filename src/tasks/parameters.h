#pragma once
// Reading the effective parameters of a task, in the words of AWS where they have the wrong shape.
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "tasks/task.h"

namespace stoker::tasks {

class Parameters {
 public:
  explicit Parameters(const json::Value& value) : value_(value) {}

  // "" when absent. `required`: its absence is a fault.
  enum class Need : std::uint8_t { Optional, Required };
  std::string text(std::string_view name, Need need = Need::Optional);
  std::int64_t integer(std::string_view name, std::int64_t otherwise);
  const json::Value* object(std::string_view name);  // null when absent
  const json::Value* any(std::string_view name);     // null when absent or JSON null
  void fault(std::string what) { faults_.push_back(std::move(what)); }
  // Everything that was not asked for by now is a fault.
  void refuse_others();

  [[nodiscard]] bool ok() const { return faults_.empty(); }
  // States.Runtime with every fault that was found.
  [[nodiscard]] TaskFailure failure() const;

 private:
  const json::Value& value_;
  std::vector<std::string> asked_;
  std::vector<std::string> faults_;
};

}  // namespace stoker::tasks
