#pragma once
// Reads a JSON text piece by piece, however long it is, and hands out the elements of one array in it. The
// memory that it takes is that of the largest element.
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "json/json.h"

namespace stoker::json {

class ElementReader {
 public:
  // False: no more elements are wanted.
  using OnElement = std::function<bool(Value)>;
  // `pointer` (RFC 6901) names the array; "": the text is one. `limits` are those of one element; between it
  // and the outermost value there may be as many levels as the pointer has.
  ElementReader(std::string_view pointer, ParseLimits limits, OnElement on_element);
  ~ElementReader();
  ElementReader(ElementReader&&) noexcept;

  // InvalidArgument with the byte offset, LimitExceeded for an element that is too large. What comes after
  // the last wanted element is not looked at.
  Result<void> feed(std::string_view bytes);
  Result<void> finish();  // that was all

  enum class Found : std::uint8_t { Nothing, NotAnArray, AnArray };
  [[nodiscard]] Found found() const;  // at the pointer; of several equal names the first counts
  [[nodiscard]] bool enough() const;  // on_element wants no more

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace stoker::json
