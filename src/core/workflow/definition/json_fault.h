#pragma once
// What is wrong with a text that should be JSON, in the words and with the line and column of the parser that
// AWS uses (Jackson), since users and tools read these messages.
#include <optional>
#include <string>
#include <string_view>

namespace stoker::asl {

struct JsonFault {
  std::string message;  // "Unrecognized token 'not': was expecting (JSON String, ...)"
  std::string source;   // "[Source: (String)"not a definition"; line: 1, column: 4]"
  bool too_deep = false;
};

// The first fault of RFC 8259 JSON; members given twice and more than `depth_max` levels are faults, too.
std::optional<JsonFault> find_json_fault(std::string_view text, std::size_t depth_max);

}  // namespace stoker::asl
