#include "core/workflow/definition/retry_catch.h"

#include <cmath>

#include "core/workflow/definition/values.h"

namespace stoker::asl {
namespace {

constexpr Field kRetrierFields[] = {
    {.name = "ErrorEquals", .forms = kArray, .required = true},
    {.name = "IntervalSeconds", .forms = kInteger},
    {.name = "MaxAttempts", .forms = kInteger},
    {.name = "BackoffRate", .forms = kNumber},
    {.name = "MaxDelaySeconds", .forms = kInteger},
    {.name = "JitterStrategy", .forms = kString},
    {.name = "Comment", .forms = kString},
};
constexpr Field kCatcherFields[] = {
    {.name = "ErrorEquals", .forms = kArray, .required = true},
    {.name = "Next", .forms = kString, .required = true},
    {.name = "ResultPath", .forms = kString | kNull, .languages = kJsonPathOnly},
    {.name = "Assign", .forms = kObject},
    {.name = "Output", .forms = kAny, .languages = kJsonataOnly},
    {.name = "Comment", .forms = kString},
};
constexpr std::string_view kJitters[] = {"NONE", "FULL"};

std::vector<std::string> read_error_names(const Fields& fields, bool last, Diagnosis& diagnosis) {
  std::vector<std::string> names;
  const json::Value* value = fields.get("ErrorEquals");
  if (value == nullptr) return names;
  const json::Array& list = value->get_array();
  const Where where = fields.at("ErrorEquals");
  if (list.empty()) diagnosis.schema("Value cannot be empty", where);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].is_string())
      names.emplace_back(json::text(list[i]));
    else
      diagnosis.schema("Expected value of type [STRING]", where.item(i));
  }
  const bool all = std::ranges::find(names, kAll) != names.end();
  if (all && (names.size() > 1 || !last))
    diagnosis.schema("States.ALL must appear alone and at end of list", where);
  return names;
}

double read_backoff_rate(const Fields& fields, double otherwise, Diagnosis& diagnosis) {
  const json::Value* value = fields.get("BackoffRate");
  if (value == nullptr) return otherwise;
  const double rate = value->to_number<double>();
  if (std::isfinite(rate) && rate >= 1.0) return rate;
  diagnosis.schema("Value is out of range: it must be at least 1.0", fields.at("BackoffRate"));
  return otherwise;
}

Retrier read_retrier(const Fields& fields, bool last, Diagnosis& diagnosis) {
  constexpr std::int64_t kMax = 99'999'999;
  constexpr std::int64_t kDelayMax = 31'622'400;
  Retrier retrier;
  retrier.error_equals = read_error_names(fields, last, diagnosis);
  retrier.interval_s =
      read_integer(fields, "IntervalSeconds", {1, kMax}, diagnosis).value_or(retrier.interval_s);
  retrier.attempts_max =
      read_integer(fields, "MaxAttempts", {0, kMax}, diagnosis).value_or(retrier.attempts_max);
  retrier.backoff_rate = read_backoff_rate(fields, retrier.backoff_rate, diagnosis);
  retrier.delay_max_s = read_integer(fields, "MaxDelaySeconds", {1, kDelayMax}, diagnosis);
  if (retrier.delay_max_s && *retrier.delay_max_s <= retrier.interval_s)
    diagnosis.schema("MaxDelaySeconds must be greater than IntervalSeconds", fields.at("MaxDelaySeconds"));
  if (check_one_of(fields, "JitterStrategy", kJitters, diagnosis))
    retrier.full_jitter = fields.string("JitterStrategy") == "FULL";
  return retrier;
}

}  // namespace

std::vector<Retrier> read_retry(const Fields& fields, Diagnosis& diagnosis) {
  std::vector<Retrier> retriers;
  const json::Value* value = fields.get("Retry");
  if (value == nullptr) return retriers;
  const json::Array& list = value->get_array();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto retrier = read_fields(list[i], kRetrierFields, kAnyState, fields.language(),
                                     fields.at("Retry").item(i), diagnosis);
    if (retrier) retriers.push_back(read_retrier(*retrier, i + 1 == list.size(), diagnosis));
  }
  return retriers;
}

std::vector<Catcher> read_catch(const Fields& fields, std::string_view state_name,
                                std::vector<Transition>& transitions, Diagnosis& diagnosis) {
  constexpr StatesMembers kMembers{.result = false, .error_output = true};
  std::vector<Catcher> catchers;
  const json::Value* value = fields.get("Catch");
  if (value == nullptr) return catchers;
  const json::Array& list = value->get_array();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto members = read_fields(list[i], kCatcherFields, kAnyState, fields.language(),
                                     fields.at("Catch").item(i), diagnosis);
    if (!members) continue;
    Catcher catcher;
    catcher.error_equals = read_error_names(*members, i + 1 == list.size(), diagnosis);
    catcher.next = members->string("Next");
    if (members->has("Next"))
      transitions.push_back({std::string(state_name), catcher.next, "Next", members->at("Next")});
    catcher.result_path = read_result_path(*members, diagnosis);
    catcher.assign = read_assign(*members, kMembers, diagnosis);
    catcher.output = read_payload(*members, "Output", kMembers, diagnosis);
    catchers.push_back(std::move(catcher));
  }
  return catchers;
}

}  // namespace stoker::asl
