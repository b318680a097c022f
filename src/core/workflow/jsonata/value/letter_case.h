#pragma once
// Upper and lower case by the Unicode tables, without locale.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace stoker::jsonata {

char32_t upper_code_point(char32_t c);
char32_t lower_code_point(char32_t c);
std::string upper_text(std::string_view text);
std::string lower_text(std::string_view text);

// Letters `first` to `last`, each or every second (`step`), whose other case lies `distance` away.
struct CaseRange {
  std::uint32_t first, last;
  std::int32_t distance;
  std::uint32_t step;
};
struct CaseExpansion {
  std::uint32_t letter;
  std::string_view text;
};
std::span<const CaseRange> upper_ranges();
std::span<const CaseRange> lower_ranges();
std::span<const CaseExpansion> upper_expansions();

}  // namespace stoker::jsonata
