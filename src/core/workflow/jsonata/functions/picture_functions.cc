#include <cmath>

#include "core/workflow/jsonata/functions/builtin.h"
#include "core/workflow/jsonata/functions/date_picture.h"
#include "core/workflow/jsonata/functions/format_number.h"
#include "core/workflow/jsonata/functions/integer_picture.h"
#include "core/workflow/jsonata/value/convert.h"

namespace stoker::jsonata {

namespace {

Answer<Value> number_by_picture(const Call& call) {
  if (!call[0].is_number()) return Value();
  TRY(call.heap().step(call[1].as_text().size() / 4));
  return call.text(TRY(format_number(call[0].as_number(), call[1].as_text(), call[2])));
}

Answer<Value> format_integer(const Call& call) {
  if (!call[0].is_number()) return Value();
  TRY(call.heap().step(call[1].as_text().size()));
  const IntegerFormat format = TRY(read_integer_picture(call[1].as_text()));
  return call.text(TRY(write_integer(call.heap(), std::floor(call[0].as_number()), format)));
}

Answer<Value> parse_integer(const Call& call) {
  if (!call[0].is_text()) return Value();
  TRY(call.heap().step(call[0].as_text().size() + call[1].as_text().size()));
  const IntegerFormat format = TRY(read_integer_picture(call[1].as_text()));
  return Value::number(TRY(read_integer(call[0].as_text(), format)));
}

Answer<Value> date(const Call& call, double millis, const Value& picture, const Value& timezone) {
  constexpr std::string_view kIso = "[Y0001]-[M01]-[D01]T[H01]:[m01]:[s01].[f001][Z01:01t]";
  const std::string_view text = picture.is_text() ? picture.as_text() : kIso;
  TRY(call.heap().step(text.size() / 4));
  const auto parts = TRY(read_date_picture(text));
  return call.text(TRY(write_date(call.heap(), millis, parts, timezone.as_text())));
}

Answer<Value> from_millis(const Call& call) {
  if (!call[0].is_number()) return Value();
  return date(call, call[0].as_number(), call[1], call[2]);
}

Answer<Value> now(const Call& call) {
  return date(call, static_cast<double>(call.evaluator.environment().now.ms), call[0], call[1]);
}

Answer<Value> millis(const Call& call) {
  return Value::number(static_cast<double>(call.evaluator.environment().now.ms));
}

Answer<Value> to_millis(const Call& call) {
  if (!call[0].is_text()) return Value();
  TRY(call.heap().step(call[0].as_text().size()));
  if (!call[1].is_text()) {
    const auto read = read_iso_date(call[0].as_text());
    if (!read) return std::unexpected(Fault("D3110").with("value", shown(call[0])));
    return Value::number(*read);
  }
  TRY(call.heap().step(call[1].as_text().size()));
  const auto parts = TRY(read_date_picture(call[1].as_text()));
  const auto read = TRY(read_date(call.heap(), call[0].as_text(), parts, call.evaluator.environment().now));
  return read ? Value::number(*read) : Value();
}

}  // namespace

std::vector<Builtin> picture_functions() {
  return {
      {"formatNumber", "<n-so?:s>", 3, 3, number_by_picture},
      {"formatInteger", "<n-s:s>", 2, 2, format_integer},
      {"parseInteger", "<s-s:n>", 2, 2, parse_integer},
      {"fromMillis", "<n-s?s?:s>", 3, 3, from_millis},
      {"toMillis", "<s-s?:n>", 2, 2, to_millis},
      {"now", "<s?s?:s>", 2, 2, now},
      {"millis", "<:n>", 0, 0, millis},
  };
}

}  // namespace stoker::jsonata
