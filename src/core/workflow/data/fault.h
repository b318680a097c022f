#pragma once
// Why a state cannot go on: an error of the States Language, as the history, Retry and Catch show it.
#include <expected>
#include <string>
#include <string_view>

namespace stoker::asl {

struct Fault {
  std::string error = {};  // "States.Runtime"
  std::string cause = {};  // without "An error occurred while executing the state '...' (...). "
  bool prefixed = true;    // whether that sentence goes before the cause
  // JSONata: the field, "Output/a[0]"; then history gets an EvaluationFailed. "": none.
  std::string location = {};
  bool operator==(const Fault&) const = default;
};

template <class T>
using Evaluated = std::expected<T, Fault>;

// Predefined names (States Language specification, appendix A).
inline constexpr std::string_view kAll = "States.ALL";
inline constexpr std::string_view kRuntime = "States.Runtime";
inline constexpr std::string_view kTimeout = "States.Timeout";
inline constexpr std::string_view kHeartbeatTimeout = "States.HeartbeatTimeout";
inline constexpr std::string_view kTaskFailed = "States.TaskFailed";
inline constexpr std::string_view kQueryEvaluationError = "States.QueryEvaluationError";
inline constexpr std::string_view kResultPathMatchFailure = "States.ResultPathMatchFailure";
inline constexpr std::string_view kDataLimitExceeded = "States.DataLimitExceeded";

// A cause is no longer than this (model of the API); what is longer is cut.
inline constexpr std::size_t kCauseBytesMax = 32'768;

// States.Runtime, which no Retry and no Catch sees.
Fault runtime_fault(std::string_view cause);
// States.QueryEvaluationError.
Fault query_fault(std::string_view cause, std::string_view location);

}  // namespace stoker::asl
