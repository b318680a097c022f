#pragma once
// Places in a definition as ValidateStateMachineDefinition names them: "/States/X/Choices[0]/Next", root "/".
// Cheap to make; the text is only put together for what is reported.
#include <memory>
#include <string>
#include <string_view>

namespace stoker::asl {

class Where {
 public:
  Where() = default;  // the document
  [[nodiscard]] Where member(std::string_view name) const;
  [[nodiscard]] Where item(std::size_t index) const;
  // A path that is written already, as TemplateFault::where has it ("/a/b").
  [[nodiscard]] Where below(std::string_view relative) const;
  [[nodiscard]] std::string text() const;

 private:
  struct Step;
  explicit Where(std::shared_ptr<const Step> last) : last_(std::move(last)) {}
  [[nodiscard]] Where step(std::string text) const;

  std::shared_ptr<const Step> last_;
};

}  // namespace stoker::asl
