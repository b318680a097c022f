#include <algorithm>
#include <cmath>

#include "core/workflow/jsonata/functions/builtin.h"
#include "core/workflow/jsonata/value/convert.h"
#include "core/workflow/jsonata/value/letter_case.h"
#include "core/workflow/jsonata/value/text.h"

namespace stoker::jsonata {

namespace {

Answer<Value> string(const Call& call) {
  if (call[0].is_undefined()) return Value();
  if (call[0].is_text()) return call[0];
  return call.text(TRY(string_of(call.heap(), call[0], call[1].is_boolean() && call[1].as_boolean())));
}

// Code points from `start` up to `end`, as Array.slice counts: from the end when negative.
std::string_view slice(std::string_view text, double start, double end) {
  const auto size = static_cast<double>(count_code_points(text));
  const auto index = [size](double at) {
    if (std::isnan(at)) return 0.0;
    at = std::trunc(at);
    return at < 0 ? std::max(0.0, size + at) : std::min(at, size);
  };
  const double from = index(start);
  const double to = index(end);
  if (from >= to) return {};
  std::size_t at = 0;
  std::size_t begin = 0;
  for (double i = 0; i < to; ++i) {
    if (i == from) begin = at;
    next_code_point(text, at);
  }
  return text.substr(begin, at - begin);
}

Answer<Value> substring(const Call& call) {
  if (!call[0].is_text()) return Value();
  const std::string_view text = call[0].as_text();
  TRY(call.heap().step(text.size() / 16));
  const auto size = static_cast<double>(count_code_points(text));
  double start = call[1].is_number() ? call[1].as_number() : 0;
  if (size + start < 0) start = 0;
  if (!call[2].is_number()) return call.text(std::string(slice(text, start, size)));
  const double length = call[2].as_number();
  if (length <= 0) return call.text({});
  return call.text(std::string(slice(text, start, start >= 0 ? start + length : size + start + length)));
}

Answer<Value> substring_before(const Call& call) {
  if (!call[0].is_text()) return Value();
  const std::string_view text = call[0].as_text();
  const std::size_t at = text.find(call[1].as_text());
  return at == std::string_view::npos ? call[0] : call.text(std::string(text.substr(0, at)));
}

Answer<Value> substring_after(const Call& call) {
  if (!call[0].is_text()) return Value();
  const std::string_view text = call[0].as_text();
  const std::size_t at = text.find(call[1].as_text());
  return at == std::string_view::npos ? call[0]
                                      : call.text(std::string(text.substr(at + call[1].as_text().size())));
}

Answer<Value> lowercase(const Call& call) {
  if (!call[0].is_text()) return Value();
  TRY(call.heap().step(call[0].as_text().size() / 8));
  return call.text(lower_text(call[0].as_text()));
}

Answer<Value> uppercase(const Call& call) {
  if (!call[0].is_text()) return Value();
  TRY(call.heap().step(call[0].as_text().size() / 8));
  return call.text(upper_text(call[0].as_text()));
}

Answer<Value> length(const Call& call) {
  return call[0].is_text() ? Value::number(count_code_points(call[0].as_text())) : Value();
}

Answer<Value> trim(const Call& call) {
  if (!call[0].is_text()) return Value();
  constexpr std::string_view kBlanks = " \t\n\r";
  std::string out;
  bool blank = false;
  for (const char c : call[0].as_text()) {
    if (kBlanks.contains(c)) {
      blank = true;
      continue;
    }
    if (blank && !out.empty()) out += ' ';
    blank = false;
    out += c;
  }
  return call.text(std::move(out));
}

Answer<Value> pad(const Call& call) {
  if (!call[0].is_text()) return Value();
  const std::string_view text = call[0].as_text();
  const double width = call[1].is_number() ? call[1].as_number() : 0;
  const std::string_view filler = call[2].as_text().empty() ? " " : call[2].as_text();
  const double missing = std::floor(std::fabs(width) - static_cast<double>(count_code_points(text)));
  if (!(missing > 0)) return call[0];
  TRY(call.heap().room(missing * static_cast<double>(filler.size()) + static_cast<double>(text.size())));
  std::string padding;
  std::size_t at = 0;
  if (filler.size() == 1) padding.assign(static_cast<std::size_t>(missing), filler[0]);
  for (double i = 0; i < missing && filler.size() > 1; ++i) {
    if (at >= filler.size()) at = 0;
    const std::size_t from = at;
    next_code_point(filler, at);
    padding += filler.substr(from, at - from);
  }
  TRY(call.heap().step(padding.size() / 64));
  return call.text(width > 0 ? std::string(text) + padding : padding + std::string(text));
}

Answer<Value> join(const Call& call) {
  if (!call[0].is_array()) return Value();
  const std::string_view separator = call[1].as_text();
  std::string out;
  for (std::size_t i = 0; i < call[0].size(); ++i) {
    TRY(call.heap().step());
    const Value item = call[0].at(i);
    if (i > 0) append_text(out, separator);
    append_text(out, item.as_text());
    TRY(call.heap().room(static_cast<double>(out.size())));
  }
  return call.text(std::move(out));
}

}  // namespace

std::vector<Builtin> text_functions() {
  return {
      {"string", "<x-b?:s>", 1, 2, string},
      {"substring", "<s-nn?:s>", 3, 3, substring},
      {"substringBefore", "<s-s:s>", 2, 2, substring_before},
      {"substringAfter", "<s-s:s>", 2, 2, substring_after},
      {"lowercase", "<s-:s>", 1, 1, lowercase},
      {"uppercase", "<s-:s>", 1, 1, uppercase},
      {"length", "<s-:n>", 1, 1, length},
      {"trim", "<s-:s>", 1, 1, trim},
      {"pad", "<s-ns?:s>", 3, 3, pad},
      {"join", "<a<s>s?:s>", 2, 2, join},
  };
}

}  // namespace stoker::jsonata
