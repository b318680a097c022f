#pragma once
// The types of a function's arguments, "<s-nn?:s>": checks arguments, puts the context in for what is left
// out, and makes arrays of single values where arrays are wanted.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/workflow/jsonata/value/value.h"

namespace stoker::jsonata {

class Signature {
 public:
  // `position`: of the text in the expression, for errors.
  static Answer<Signature> parse(std::string_view text, std::size_t position = 0);
  Answer<std::vector<Value>> validate(Heap& heap, std::vector<Value> arguments, const Value& context) const;

 private:
  struct Parameter {
    char type = 0;             // of choices '('
    std::string letters = {};  // that match: types of values, 'm' for undefined
    std::string items = {};    // type of the items of an array
    bool optional = false;
    bool repeated = false;
    bool context = false;  // stands in when the argument is left out
  };
  [[nodiscard]] bool match(std::string_view letters, std::size_t count, bool whole,
                           std::vector<std::size_t>& lengths) const;
  [[nodiscard]] std::unexpected<Fault> mismatch(std::string_view letters) const;
  Answer<Value> array_argument(Heap& heap, const Parameter& parameter, Value value, char letter,
                               std::string_view matched, std::size_t index) const;
  std::vector<Parameter> parameters_;
};

// The letter of a value's type: s n b l (null) a o f m (undefined).
char type_letter(const Value& value);

}  // namespace stoker::jsonata
