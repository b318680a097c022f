// $match, $contains, $replace, $split: with text, a regular expression, or any function that gives matches of
// the same form ({match, start, end, groups, next}).
#include <cmath>
#include <optional>

#include "core/workflow/jsonata/functions/builtin.h"
#include "core/workflow/jsonata/value/convert.h"
#include "core/workflow/jsonata/value/number.h"
#include "core/workflow/jsonata/value/text.h"

namespace stoker::jsonata {

namespace {

// Undefined when there is no match.
Answer<Value> checked_match(Answer<Value> match) {
  if (!match || !match->truthy()) return match ? Value() : std::move(match);
  const bool good = match->member("start").is_number() || match->member("groups").is_array() ||
                    match->member("next").is_function();
  if (!good) return fault("T1010");
  return match;
}

Answer<Value> first_match(const Call& call, const Value& matcher, const Value& text) {
  return checked_match(call.call(matcher, {text}));
}

Answer<Value> next_match(const Call& call, const Value& match) {
  return checked_match(call.call(match.member("next"), {Value()}));
}

// Undefined, or a number that is not negative.
Answer<std::optional<double>> limit_of(const Value& value, std::string_view code) {
  if (!value.is_number()) return std::nullopt;
  if (value.as_number() < 0) return std::unexpected(Fault(std::string(code)).with("value", shown(value)));
  return value.as_number();
}

bool within(std::size_t count, const std::optional<double>& limit) {
  return !limit || static_cast<double>(count) < *limit;
}

Answer<Value> match(const Call& call) {
  if (!call[0].is_text()) return Value();
  const auto limit = TRY(limit_of(call[2], "D3040"));
  const Ref<ArrayObject> out = new_sequence(call.heap());
  if (!within(0, limit)) return Value::of(out);
  Value found = TRY(first_match(call, call[1], call[0]));
  while (!found.is_undefined() && within(out->items.size(), limit)) {
    const Ref<MapObject> item = new_map(call.heap());
    item->set(Value::borrow(std::string_view("match")), found.member("match"));
    item->set(Value::borrow(std::string_view("index")), found.member("start"));
    item->set(Value::borrow(std::string_view("groups")), found.member("groups"));
    out->push(Value::of(item));
    found = TRY(next_match(call, found));
  }
  return Value::of(out);
}

Answer<Value> contains(const Call& call) {
  if (!call[0].is_text()) return Value();
  if (call[1].is_text())
    return Value::boolean(call[0].as_text().find(call[1].as_text()) != std::string_view::npos);
  if (!call[1].is_function()) return fault("T1006");
  const Value found = TRY(first_match(call, call[1], call[0]));
  return Value::boolean(!found.is_undefined());
}

// "$1 and $2" with the groups of a match; $0 is the whole, $$ a dollar.
std::string substitute(std::string_view replacement, const Value& match) {
  const Value groups = match.member("groups");
  const std::size_t count = groups.is_array() ? groups.size() : 0;
  std::string out;
  while (true) {
    const std::size_t dollar = replacement.find('$');
    out += replacement.substr(0, dollar);
    if (dollar == std::string_view::npos) return out;
    replacement.remove_prefix(dollar + 1);
    if (replacement.starts_with('$') || replacement.starts_with('0')) {
      append_text(out, replacement[0] == '$' ? "$" : match.member("match").as_text());
      replacement.remove_prefix(1);
      continue;
    }
    // As many digits as the number of groups has, one less when that names none.
    const std::size_t most = std::to_string(std::max<std::size_t>(count, 1)).size();
    std::size_t digits = 0;
    std::size_t index = 0;
    const auto read = [&](std::size_t longest) {
      index = 0;
      for (digits = 0; digits < longest && digits < replacement.size() && replacement[digits] >= '0' &&
                       replacement[digits] <= '9';
           ++digits)
        index = index * 10 + static_cast<std::size_t>(replacement[digits] - '0');
    };
    read(most);
    if (most > 1 && index > count) read(most - 1);
    if (digits == 0) {
      out += '$';
      continue;
    }
    if (index >= 1 && index <= count) append_text(out, groups.at(index - 1).as_text());
    replacement.remove_prefix(digits);
  }
}

Answer<Value> replace_text(const Call& call, const std::optional<double>& limit) {
  std::string_view rest = call[0].as_text();
  const std::string_view pattern = call[1].as_text();
  std::string out;
  for (std::size_t count = 0; within(count, limit); ++count) {
    const std::size_t at = rest.find(pattern);
    if (at == std::string_view::npos) break;
    if (!call[2].is_text()) return std::unexpected(Fault("D3012").with("value", shown(call[2])));
    out += rest.substr(0, at);
    append_text(out, call[2].as_text());
    rest.remove_prefix(at + pattern.size());
    TRY(call.heap().step());
    TRY(call.heap().room(static_cast<double>(out.size())));
  }
  append_text(out, rest);
  return call.text(std::move(out));
}

// Positions of matches count UTF-16 units.
std::size_t position(const Value& match, std::string_view member, std::size_t size) {
  const Value at = match.member(member);
  if (!at.is_number() || !(at.as_number() > 0)) return 0;
  return at.as_number() < static_cast<double>(size) ? static_cast<std::size_t>(at.as_number()) : size;
}

Answer<Value> replace(const Call& call) {
  if (!call[0].is_text()) return Value();
  if (call[1].is_text() && call[1].as_text().empty()) return fault("D3010");
  const auto limit = TRY(limit_of(call[3], "D3011"));
  if (!within(0, limit)) return call[0];
  if (call[1].is_text()) return replace_text(call, limit);
  if (!call[1].is_function()) return fault("T1006");
  Value found = TRY(first_match(call, call[1], call[0]));
  if (found.is_undefined()) return call[0];
  const std::u16string text = to_utf16(call[0].as_text());
  const std::u16string_view all = text;
  std::string out;
  std::size_t done = 0;
  for (std::size_t count = 0; !found.is_undefined() && within(count, limit); ++count) {
    const std::size_t start = position(found, "start", all.size());
    if (start > done) append_text(out, to_utf8(all.substr(done, start - done)));
    if (call[2].is_text()) {
      append_text(out, substitute(call[2].as_text(), found));
    } else {
      const Value with = TRY(call.call(call[2], {found}));
      if (!with.is_text()) return std::unexpected(Fault("D3012").with("value", shown(with)));
      append_text(out, with.as_text());
    }
    TRY(call.heap().room(static_cast<double>(out.size())));
    done = std::min(all.size(), start + to_utf16(found.member("match").as_text()).size());
    found = TRY(next_match(call, found));
  }
  append_text(out, to_utf8(all.substr(done)));
  return call.text(std::move(out));
}

Answer<Value> split_at_text(const Call& call, const std::optional<double>& limit) {
  const Ref<ArrayObject> out = new_array(call.heap());
  std::string_view rest = call[0].as_text();
  const std::string_view separator = call[1].as_text();
  if (separator.empty()) {  // each unit by itself
    const std::u16string units = to_utf16(rest);
    for (std::size_t i = 0; i < units.size() && within(i, limit); ++i) {
      TRY(call.heap().step());
      out->push(call.text(to_utf8(std::u16string_view(units).substr(i, 1))));
    }
    return Value::of(out);
  }
  while (within(out->items.size(), limit)) {
    TRY(call.heap().step());
    const std::size_t at = rest.find(separator);
    out->push(call.text(std::string(rest.substr(0, at))));
    if (at == std::string_view::npos) break;
    rest.remove_prefix(at + separator.size());
  }
  return Value::of(out);
}

Answer<Value> split(const Call& call) {
  if (!call[0].is_text()) return Value();
  auto limit = TRY(limit_of(call[2], "D3020"));
  if (call[1].is_text()) {
    if (limit) limit = std::floor(*limit);
    return split_at_text(call, limit);
  }
  const Ref<ArrayObject> out = new_array(call.heap());
  if (!within(0, limit)) return Value::of(out);
  if (call[1].is_undefined()) {
    out->push(call[0]);
    return Value::of(out);
  }
  Value found = TRY(first_match(call, call[1], call[0]));
  if (found.is_undefined()) {
    out->push(call[0]);
    return Value::of(out);
  }
  const std::u16string text = to_utf16(call[0].as_text());
  const std::u16string_view all = text;
  std::size_t start = 0;
  while (!found.is_undefined() && within(out->items.size(), limit)) {
    const std::size_t end = std::max(start, position(found, "start", all.size()));
    out->push(call.text(to_utf8(all.substr(start, end - start))));
    start = position(found, "end", all.size());
    found = TRY(next_match(call, found));
  }
  if (within(out->items.size(), limit)) out->push(call.text(to_utf8(all.substr(start))));
  return Value::of(out);
}

}  // namespace

std::vector<Builtin> pattern_functions() {
  return {
      {"match", "<s-f<s:o>n?:a<o>>", 3, 3, match},
      {"contains", "<s-(sf):b>", 2, 2, contains},
      {"replace", "<s-(sf)(sf)n?:s>", 4, 4, replace},
      {"split", "<s-(sf)n?:a<s>>", 3, 3, split},
  };
}

}  // namespace stoker::jsonata
