#pragma once
// Expected failures: Result<T> holds a T or an Error. Bugs are ASSERTs, a mere "no" is a reason value.
#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace stoker {

// What went wrong, in the terms of this program. The AWS face maps these to AWS error names and HTTP status.
enum class Code {
  InvalidArgument,  // the caller's input breaks a rule; the text names the member and the rule
  NotFound,         // the thing named does not exist
  AlreadyExists,    // the name is taken
  Conflict,         // right input, wrong moment: the thing is in use or in another state
  NotSupported,     // valid for AWS, not offered by this server
  Unauthorized,     // missing, unknown or wrong signature
  LimitExceeded,    // a bound with a name was reached
  Unavailable,      // a peer, device or service did not answer; trying again may help
  Io,               // the operating system refused; the text has its words
  Internal,         // our fault
};

struct Error {
  Code code = Code::Internal;
  std::string message;  // for a human; no secrets
  // What an API that names each of its errors calls this one ("StateMachineDoesNotExist"); of a literal. "":
  // the code says enough.
  std::string_view name = {};

  bool operator==(const Error&) const = default;
  // Adds what was being done: "reading FILE: No such file".
  [[nodiscard]] Error within(const std::string& context) && {
    return Error{code, context + ": " + std::move(message), name};
  }
};

template <class T>
using Result = std::expected<T, Error>;

[[nodiscard]] inline std::unexpected<Error> fail(Code code, std::string message) {
  return std::unexpected(Error{code, std::move(message)});
}
// fail(Io, "opening FILE") with the text of errno after it.
[[nodiscard]] std::unexpected<Error> fail_errno(const std::string& doing);

}  // namespace stoker

// TRY(expr): the value of a Result, or return its error from the enclosing function. Not for coroutines, and
// not behind a comma in a braced list: what stands before it there would leak (tools/check_try).
#define TRY(expr)                                                 \
  __extension__({                                                 \
    auto&& try_result_ = (expr);                                  \
    if (!try_result_) [[unlikely]]                                \
      return ::std::unexpected(::std::move(try_result_).error()); \
    ::stoker::detail::take(::std::move(try_result_));             \
  })

namespace stoker::detail {
template <class T>
T take(std::expected<T, Error>&& result) {
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}
}  // namespace stoker::detail
