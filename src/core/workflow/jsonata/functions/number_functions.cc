#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include "base/rng.h"
#include "base/text.h"
#include "core/workflow/jsonata/functions/builtin.h"
#include "core/workflow/jsonata/value/convert.h"
#include "core/workflow/jsonata/value/number.h"

namespace stoker::jsonata {

namespace {

// One that maps a number to a number; what is undefined stays so.
template <double (*kFunction)(double)>
Answer<Value> map_number(const Call& call) {
  return call[0].is_number() ? Value::number(kFunction(call[0].as_number())) : Value();
}

double without_sign(double number) {
  return std::fabs(number);
}
double rounded_down(double number) {
  return std::floor(number);
}
double rounded_up(double number) {
  return std::ceil(number);
}

Answer<Value> round(const Call& call) {
  if (!call[0].is_number()) return Value();
  constexpr double kDecimalsMax = 400;
  const double decimals = call[1].is_number() ? call[1].as_number() : 0;
  return Value::number(round_half_even(call[0].as_number(),
                                       static_cast<int>(std::clamp(decimals, -kDecimalsMax, kDecimalsMax))));
}

Answer<Value> square_root(const Call& call) {
  if (!call[0].is_number()) return Value();
  if (call[0].as_number() < 0) return std::unexpected(Fault("D3060").with("value", shown(call[0])));
  return Value::number(std::sqrt(call[0].as_number()));
}

Answer<Value> power(const Call& call) {
  if (!call[0].is_number()) return Value();
  const double result =
      call[1].is_number() ? std::pow(call[0].as_number(), call[1].as_number()) : std::nan("");
  if (!std::isfinite(result))
    return std::unexpected(Fault("D3061").with("value", shown(call[0])).with("exp", shown(call[1])));
  return Value::number(result);
}

double unit_interval(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

Answer<Value> random(const Call& call) {
  return Value::number(unit_interval(call.evaluator.environment().random()));
}

// The same seed gives the same number.
Answer<Value> random_seeded(const Call& call) {
  if (!call[0].is_number()) return random(call);
  return Value::number(unit_interval(Rng(std::bit_cast<std::uint64_t>(call[0].as_number() + 0.0)).next()));
}

template <class Combine>
Answer<Value> fold(const Call& call, double start, Combine combine) {
  const Value& numbers = call[0];
  TRY(call.heap().step(numbers.size() / 8));
  double out = start;
  for (std::size_t i = 0; i < numbers.size(); ++i) out = combine(out, numbers.at(i).as_number());
  return Value::number(out);
}

Answer<Value> sum(const Call& call) {
  if (!call[0].is_array()) return Value();
  return fold(call, 0, [](double a, double b) { return a + b; });
}

Answer<Value> average(const Call& call) {
  if (call[0].size() == 0) return Value();
  const Value total = TRY(sum(call));
  return Value::number(total.as_number() / static_cast<double>(call[0].size()));
}

Answer<Value> maximum(const Call& call) {
  if (call[0].size() == 0) return Value();
  return fold(call, -HUGE_VAL, [](double a, double b) { return std::isnan(b) || b > a ? b : a; });
}

Answer<Value> minimum(const Call& call) {
  if (call[0].size() == 0) return Value();
  return fold(call, HUGE_VAL, [](double a, double b) { return std::isnan(b) || b < a ? b : a; });
}

bool is_decimal(std::string_view text) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t from = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    return at > from;
  };
  if (!digits()) return false;
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (!digits()) return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (!digits()) return false;
  }
  return at == text.size();
}

// 0x1f, 0o17, 0b11.
std::optional<double> prefixed_integer(std::string_view text) {
  if (text.size() < 3 || text[0] != '0') return std::nullopt;
  const char kind = static_cast<char>(text[1] | 0x20);
  const int radix = kind == 'x' ? 16 : kind == 'o' ? 8 : kind == 'b' ? 2 : 0;
  if (radix == 0) return std::nullopt;
  double out = 0;
  for (const char c : text.substr(2)) {
    const int digit = hex_digit(c);
    if (digit < 0 || digit >= radix) return std::nullopt;
    out = out * radix + digit;
  }
  return out;
}

Answer<Value> number(const Call& call) {
  const Value& value = call[0];
  if (value.is_undefined() || value.is_number()) return value;
  if (value.is_boolean()) return Value::number(value.as_boolean() ? 1.0 : 0.0);
  if (value.is_text()) {
    if (is_decimal(value.as_text()))
      if (const auto read = parse_double(value.as_text()); read && std::isfinite(*read))
        return Value::number(*read);
    if (const auto read = prefixed_integer(value.as_text())) return Value::number(*read);
  }
  return std::unexpected(Fault("D3030").with("value", shown(value)));
}

Answer<Value> format_base(const Call& call) {
  if (!call[0].is_number()) return Value();
  const double radix = call[1].is_number() ? round_half_even(call[1].as_number(), 0) : 10;
  if (!(radix >= 2 && radix <= 36))
    return std::unexpected(Fault("D3100").with("value", shown(Value::number(radix))));
  return call.text(radix_text(round_half_even(call[0].as_number(), 0), static_cast<int>(radix)));
}

}  // namespace

std::vector<Builtin> number_functions() {
  return {
      {"abs", "<n-:n>", 1, 1, map_number<without_sign>},
      {"floor", "<n-:n>", 1, 1, map_number<rounded_down>},
      {"ceil", "<n-:n>", 1, 1, map_number<rounded_up>},
      {"round", "<n-n?:n>", 2, 2, round},
      {"sqrt", "<n-:n>", 1, 1, square_root},
      {"power", "<n-n:n>", 2, 2, power},
      {"random", "<:n>", 0, 0, random, Where::NotAws},
      {"random", "<n?:n>", 1, 1, random_seeded, Where::Aws},
      {"sum", "<a<n>:n>", 1, 1, sum},
      {"average", "<a<n>:n>", 1, 1, average},
      {"max", "<a<n>:n>", 1, 1, maximum},
      {"min", "<a<n>:n>", 1, 1, minimum},
      {"number", "<(nsb)-:n>", 1, 1, number},
      {"formatBase", "<n-n?:s>", 2, 2, format_base},
  };
}

}  // namespace stoker::jsonata
