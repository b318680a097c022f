#pragma once
// An error on its way out of the evaluation: the code, and the inserts of its message, which callers further
// out may still add (the name of the function, the place of the call).
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "core/workflow/jsonata/jsonata.h"

namespace stoker::jsonata {

class Fault {
 public:
  explicit Fault(std::string code) : detail_(std::make_unique<Detail>()) { detail_->code = std::move(code); }

  // `json` stands where the text has {{name}}.
  Fault&& with(std::string_view name, std::string json) && {
    detail_->inserts.emplace_back(name, std::move(json));
    return std::move(*this);
  }
  Fault&& with_text(std::string_view name, std::string_view text) &&;  // quoted
  Fault&& at(std::size_t position) && {
    detail_->position = position;
    return std::move(*this);
  }
  // In place of the text that belongs to the code.
  Fault&& saying(std::string message) && {
    detail_->message = std::move(message);
    return std::move(*this);
  }

  [[nodiscard]] const std::string& code() const { return detail_->code; }
  [[nodiscard]] bool has_position() const { return detail_->position.value_or(0) != 0; }
  [[nodiscard]] bool has(std::string_view name) const { return insert(name) != nullptr; }
  void set_position(std::size_t position) { detail_->position = position; }
  void set_token(std::string_view token);  // overwrites
  [[nodiscard]] Error error() const;

 private:
  struct Detail {
    std::string code;
    std::optional<std::string> message;
    std::optional<std::size_t> position;
    std::vector<std::pair<std::string, std::string>> inserts;
  };
  [[nodiscard]] const std::string* insert(std::string_view name) const;
  [[nodiscard]] std::string message() const;
  std::unique_ptr<Detail> detail_;  // small, since every value that is returned has room for it
};

template <class T>
using Answer = std::expected<T, Fault>;

[[nodiscard]] inline std::unexpected<Fault> fault(std::string_view code) {
  return std::unexpected(Fault(std::string(code)));
}

}  // namespace stoker::jsonata

namespace stoker::detail {
// Lets TRY pass on a Fault.
template <class T>
T take(std::expected<T, jsonata::Fault>&& result) {
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}
}  // namespace stoker::detail
