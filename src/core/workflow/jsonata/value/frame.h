#pragma once
// Scopes of variables, the inner first.
#include <string_view>
#include <utility>
#include <vector>

#include "core/workflow/jsonata/value/value.h"

namespace stoker::jsonata {

struct Frame final : HeapObject {
  Frame(Heap& owner, Frame* around);
  ~Frame() override;
  // Names live as long as the expression does.
  void bind(std::string_view name, Value value) {
    for (auto& [known, held] : names) {
      if (known != name) continue;
      held = std::move(value);
      return;
    }
    names.emplace_back(name, std::move(value));
    grow(2 * kItemBytes);
  }
  // Null: not in this frame.
  [[nodiscard]] const Value* find(std::string_view name) const {
    for (const auto& [known, held] : names)
      if (known == name) return &held;
    return nullptr;
  }

  Ref<Frame> outer;
  std::vector<std::pair<std::string_view, Value>> names;

 private:
  friend class Heap;
  Frame* previous_ = nullptr;  // in the list of all frames
  Frame* next_ = nullptr;
};

}  // namespace stoker::jsonata
