// What AWS adds to the language (Step Functions Developer Guide, transforming data).
#include <cmath>

#include "core/workflow/digest/digest.h"
#include "core/workflow/jsonata/functions/builtin.h"
#include "core/workflow/jsonata/value/convert.h"
#include "json/json.h"

namespace stoker::jsonata {

namespace {

Answer<Value> partition(const Call& call) {
  if (!call[0].is_array() || !call[1].is_number()) return Value();
  const double size = std::trunc(call[1].as_number());
  if (!(size >= 1)) return std::unexpected(Fault("T0410").with("index", "2"));
  const Ref<ArrayObject> out = new_array(call.heap());
  for (std::size_t at = 0; at < call[0].size();) {
    const Ref<ArrayObject> part = new_array(call.heap());
    for (double i = 0; i < size && at < call[0].size(); ++i) {
      TRY(call.heap().step());
      part->push(call[0].at(at++));
    }
    out->push(Value::of(part));
  }
  return Value::of(out);
}

// Inclusive; a step in the wrong direction gives nothing.
Answer<Value> range(const Call& call) {
  for (std::size_t i = 0; i < 3; ++i)
    if (!call[i].is_number()) return Value();
  const double first = std::trunc(call[0].as_number());
  const double last = std::trunc(call[1].as_number());
  const double step = std::trunc(call[2].as_number());
  const Ref<ArrayObject> out = new_sequence(call.heap());
  const double count = step == 0 ? 0 : std::floor((last - first) / step) + 1;
  if (!(count > 0)) return Value::of(out);
  TRY(call.heap().room(count * kItemBytes));
  TRY(call.heap().step(static_cast<std::size_t>(count / 8)));
  for (double i = 0; i < count; ++i) out->push(Value::number(first + i * step));
  return Value::of(out);
}

Answer<Value> hash(const Call& call) {
  if (!call[0].is_text() || !call[1].is_text()) return Value();
  TRY(call.heap().step(call[0].as_text().size() / 64));
  auto digest = hex_digest(call[1].as_text(), call[0].as_text());
  if (!digest) return std::unexpected(Fault("T0410").with("index", "2"));
  return call.text(*std::move(digest));
}

// Version 4: random but for the version and the variant.
Answer<Value> uuid(const Call& call) {
  const auto& random = call.evaluator.environment().random;
  std::uint64_t high = random();
  std::uint64_t low = random();
  high = (high & ~std::uint64_t{0xf000}) | 0x4000;
  low = (low & ~(std::uint64_t{3} << 62)) | std::uint64_t{2} << 62;
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out;
  for (int i = 0; i < 32; ++i) {
    const std::uint64_t half = i < 16 ? high : low;
    if (i == 8 || i == 12 || i == 16 || i == 20) out += '-';
    out += kHex[half >> (60 - 4 * (i % 16)) & 15];
  }
  return call.text(std::move(out));
}

// From the parsed JSON to values of this evaluation.
Answer<Value> own(Heap& heap, const json::Value& value) {
  TRY(heap.step());
  if (value.is_string()) return Value::text(heap, std::string(json::text(value)));
  if (value.is_array()) {
    const Ref<ArrayObject> out = new_array(heap);
    for (const json::Value& item : value.get_array()) out->push(TRY(own(heap, item)));
    return Value::of(out);
  }
  if (value.is_object()) {
    const Ref<MapObject> out = new_map(heap);
    for (const auto& member : value.get_object())
      out->set(Value::text(heap, std::string(member.key().data(), member.key().size())),
               TRY(own(heap, member.value())));
    return Value::of(out);
  }
  return Value::borrow(value);
}

Answer<Value> parse(const Call& call) {
  if (!call[0].is_text()) return Value();
  const std::string_view text = call[0].as_text();
  TRY(call.heap().room(static_cast<double>(text.size())));
  TRY(call.heap().step(text.size() / 16));
  const auto parsed = json::parse(text);
  if (!parsed)
    return std::unexpected(Fault("D3120").saying("Unable to parse the argument of the parse function: " +
                                                 parsed.error().message));
  return own(call.heap(), *parsed);
}

}  // namespace

std::vector<Builtin> aws_functions() {
  return {
      {"partition", "<an:a>", 2, 2, partition, Where::Aws}, {"range", "<nnn:a>", 3, 3, range, Where::Aws},
      {"hash", "<s-s:s>", 2, 2, hash, Where::Aws},          {"uuid", "<:s>", 0, 0, uuid, Where::Aws},
      {"parse", "<s-:x>", 1, 1, parse, Where::Aws},
  };
}

}  // namespace stoker::jsonata
