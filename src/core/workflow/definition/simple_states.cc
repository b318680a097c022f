// Pass, Wait, Fail, Parallel: the types with few members of their own.
#include "core/workflow/definition/machine_fields.h"
#include "core/workflow/definition/state.h"
#include "core/workflow/definition/values.h"
#include "core/workflow/definition/warnings.h"

namespace stoker::asl {

Kind read_pass(const Fields& fields, Reading& reading) {
  Pass pass;
  if (const json::Value* result = fields.get("Result")) {
    pass.result = *result;
    warn_of_static_result(*result, fields.at("Result"), reading.diagnosis);
  }
  return pass;
}

Kind read_wait(const Fields& fields, Reading& reading) {
  constexpr std::string_view kTimes[] = {"Seconds", "SecondsPath", "Timestamp", "TimestampPath"};
  constexpr std::int64_t kSecondsMax = 99'999'999;
  const auto given = std::ranges::count_if(kTimes, [&](std::string_view name) { return fields.has(name); });
  if (given != 1)
    reading.diagnosis.schema(
        "Exactly one of these fields is required: [Seconds, SecondsPath, Timestamp, "
        "TimestampPath]",
        fields.where());
  Wait wait;
  wait.seconds = read_number(fields, "Seconds", {0, kSecondsMax}, reading.diagnosis);
  wait.timestamp = read_text(fields, "Timestamp", reading.diagnosis);
  const auto* literal = wait.timestamp ? std::get_if<json::Value>(&*wait.timestamp) : nullptr;
  if (literal != nullptr && !parse_timestamp(json::text(*literal)))
    reading.diagnosis.schema("String does not match RFC3339 timestamp", fields.at("Timestamp"));
  return wait;
}

Kind read_fail(const Fields& fields, Reading& reading) {
  Fail fail;
  fail.error = read_text(fields, "Error", reading.diagnosis);
  fail.cause = read_text(fields, "Cause", reading.diagnosis);
  warn_of_path(fields, "Error", reading.diagnosis);
  warn_of_path(fields, "Cause", reading.diagnosis);
  return fail;
}

Kind read_parallel(const Fields& fields, Reading& reading) {
  Parallel parallel;
  const json::Value* branches = fields.get("Branches");
  if (branches == nullptr) return parallel;
  const json::Array& list = branches->get_array();
  const Where where = fields.at("Branches");
  if (list.empty()) reading.diagnosis.schema("Value cannot be empty", where);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto branch =
        read_fields(list[i], kBranchFields, kAnyState, reading.language, where.item(i), reading.diagnosis);
    if (branch) parallel.branches.push_back(read_inner_machine(*branch, reading));
  }
  return parallel;
}

}  // namespace stoker::asl
