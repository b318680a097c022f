#include "core/workflow/definition/where.h"

#include <vector>

namespace stoker::asl {

struct Where::Step {
  std::shared_ptr<const Step> before;
  std::string text;
};

Where Where::step(std::string text) const {
  return Where(std::make_shared<const Step>(Step{last_, std::move(text)}));
}

Where Where::member(std::string_view name) const {
  return step('/' + std::string(name));
}

Where Where::item(std::size_t index) const {
  return step('[' + std::to_string(index) + ']');
}

Where Where::below(std::string_view relative) const {
  return step(std::string(relative));
}

std::string Where::text() const {
  if (last_ == nullptr) return "/";
  std::vector<const Step*> steps;
  for (const Step* step = last_.get(); step != nullptr; step = step->before.get()) steps.push_back(step);
  std::string text;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) text += (*step)->text;
  return text;
}

}  // namespace stoker::asl
