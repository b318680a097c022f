#include "core/workflow/jsonata/syntax/signature.h"

#include <algorithm>

namespace stoker::jsonata {

namespace {

// The bracket that closes the one at `open`, or the end of the text.
std::size_t closing(std::string_view text, std::size_t open, char opens, char closes) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == opens) ++depth;
    if (text[at] == closes && --depth == 0) return at;
  }
  return text.size();
}

std::string_view plural(char letter) {
  switch (letter) {
    case 'a':
      return "arrays";
    case 'b':
      return "booleans";
    case 'f':
      return "functions";
    case 'n':
      return "numbers";
    case 'o':
      return "objects";
    case 's':
      return "strings";
    default:
      return {};
  }
}

}  // namespace

char type_letter(const Value& value) {
  switch (value.type()) {
    case Value::Type::Undefined:
      return 'm';
    case Value::Type::Null:
      return 'l';
    case Value::Type::Boolean:
      return 'b';
    case Value::Type::Number:
      return 'n';
    case Value::Type::Function:
      return 'f';
    default:
      return value.is_text() ? 's' : value.is_array() ? 'a' : 'o';
  }
}

Answer<Signature> Signature::parse(std::string_view text, std::size_t position) {
  Signature out;
  Parameter none;
  for (std::size_t at = 1; at < text.size() && text[at] != ':'; ++at) {
    const char symbol = text[at];
    Parameter& last = out.parameters_.empty() ? none : out.parameters_.back();
    switch (symbol) {
      case 's':
      case 'n':
      case 'b':
      case 'l':
      case 'o':
        out.parameters_.push_back({.type = symbol, .letters = {symbol, 'm'}});
        break;
      case 'a':
      case 'x':
        out.parameters_.push_back({.type = symbol, .letters = "asnblfom"});
        break;
      case 'j':
        out.parameters_.push_back({.type = symbol, .letters = "asnblom"});
        break;
      case 'f':
        out.parameters_.push_back({.type = symbol, .letters = "f"});
        break;
      case '-':
        last.context = true;
        last.optional = true;
        break;
      case '?':
        last.optional = true;
        break;
      case '+':
        last.repeated = true;
        break;
      case '(': {
        const std::size_t end = closing(text, at, '(', ')');
        const std::string choice(text.substr(at + 1, end - at - 1));
        if (choice.contains('<'))
          return std::unexpected(Fault("S0402").at(position + at).with_text("value", choice));
        out.parameters_.push_back({.type = '(', .letters = choice + 'm'});
        at = end;
        break;
      }
      case '<': {
        if (last.type != 'a' && last.type != 'f')
          return std::unexpected(
              Fault("S0401").at(position + at).with_text("value", std::string_view(&last.type, 1)));
        const std::size_t end = closing(text, at, '<', '>');
        last.items = text.substr(at + 1, end - at - 1);
        at = end;
        break;
      }
      default:
        break;
    }
  }
  return out;
}

// As a greedy regular expression would: how many arguments each of the first `count` parameters takes.
bool Signature::match(std::string_view letters, std::size_t count, bool whole,
                      std::vector<std::size_t>& lengths) const {
  lengths.assign(count, 0);
  std::vector<std::size_t> most(count, 0);
  std::vector<std::size_t> begin(count + 1, 0);
  std::size_t at = 0;  // the parameter to match next
  bool forward = true;
  constexpr int kTriesMax = 10'000;  // many repeated parameters can be matched in ever so many ways
  for (int tries = 0; tries < kTriesMax; ++tries) {
    if (at == count) {
      if (!whole || begin[at] == letters.size()) return true;
      forward = false;
    }
    if (!forward) {  // the last parameter that can do with less takes one less
      while (at > 0 && lengths[at - 1] <= (parameters_[at - 1].optional ? 0U : 1U)) --at;
      if (at == 0) return false;
      --lengths[at - 1];
      begin[at] = begin[at - 1] + lengths[at - 1];
      forward = true;
      continue;
    }
    const Parameter& parameter = parameters_[at];
    std::size_t taken = 0;
    const std::size_t limit = parameter.repeated ? letters.size() : 1;
    while (taken < limit && begin[at] + taken < letters.size() &&
           parameter.letters.contains(letters[begin[at] + taken]))
      ++taken;
    if (taken == 0 && !parameter.optional) {
      forward = false;
      continue;
    }
    most[at] = lengths[at] = taken;
    begin[at + 1] = begin[at] + taken;
    ++at;
  }
  return false;
}

// The first parameter up to which the arguments no longer match tells which of them is wrong.
std::unexpected<Fault> Signature::mismatch(std::string_view letters) const {
  std::size_t good = 0;
  std::vector<std::size_t> lengths;
  for (std::size_t count = 1; count <= parameters_.size(); ++count) {
    if (!match(letters, count, false, lengths)) break;
    good = 0;
    for (const std::size_t length : lengths) good += length;
  }
  return std::unexpected(Fault("T0410").with("index", std::to_string(good + 1)));
}

Answer<Value> Signature::array_argument(Heap& heap, const Parameter& parameter, Value value, char letter,
                                        std::string_view matched, std::size_t index) const {
  if (letter == 'm') return Value();
  bool fits = true;
  if (!parameter.items.empty()) {
    if (letter != 'a') {
      fits = matched == parameter.items;
    } else {
      const std::size_t size = value.size();
      TRY(heap.step(size / 8));
      for (std::size_t i = 0; i < size && fits; ++i)
        fits = type_letter(value.at(i)) == parameter.items.front();
    }
  }
  if (!fits) {
    Fault fault = Fault("T0412").with("index", std::to_string(index + 1));
    if (const auto type = plural(parameter.items.size() == 1 ? parameter.items[0] : '\0'); !type.empty())
      return std::unexpected(std::move(fault).with_text("type", type));
    return std::unexpected(std::move(fault));
  }
  if (letter == 'a') return value;
  Ref<ArrayObject> array = new_array(heap);
  array->push(std::move(value));
  return Value::of(array);
}

Answer<std::vector<Value>> Signature::validate(Heap& heap, std::vector<Value> arguments,
                                               const Value& context) const {
  std::string letters;
  for (const Value& argument : arguments) letters += type_letter(argument);
  std::vector<std::size_t> lengths;
  if (!match(letters, parameters_.size(), true, lengths)) return mismatch(letters);
  std::vector<Value> out;
  out.reserve(parameters_.size());
  std::size_t next = 0;
  const auto argument = [&] { return next < arguments.size() ? arguments[next] : Value(); };
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const Parameter& parameter = parameters_[i];
    if (lengths[i] == 0) {
      if (!parameter.context) {
        out.push_back(argument());
        ++next;
        continue;
      }
      if (!parameter.letters.contains(type_letter(context)))
        return std::unexpected(Fault("T0411").with("index", std::to_string(next + 1)));
      out.push_back(context);
      continue;
    }
    const std::string_view matched = std::string_view(letters).substr(next, lengths[i]);
    for (const char letter : matched) {
      out.push_back(parameter.type == 'a'
                        ? TRY(array_argument(heap, parameter, argument(), letter, matched, next))
                        : argument());
      ++next;
    }
  }
  return out;
}

}  // namespace stoker::jsonata
