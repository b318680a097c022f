#include "aws/logs/filter_pattern.h"

#include "base/text.h"

namespace stoker::aws {

Result<FilterPattern> FilterPattern::parse(std::string_view text) {
  FilterPattern out;
  text = trim(text);
  if (text.starts_with('{') || text.starts_with('[') || text.starts_with('%')) {
    return fail(Code::NotSupported,
                "Filter patterns over JSON, columns and regular expressions are not supported yet");
  }
  while (!text.empty()) {
    std::vector<std::string>* into = &out.required_;
    if (text.front() == '-') into = &out.excluded_;
    if (text.front() == '?') into = &out.optional_;
    if (into != &out.required_) text.remove_prefix(1);
    std::string term;
    if (text.starts_with('"')) {
      std::size_t at = 1;
      for (; at < text.size() && text[at] != '"'; ++at) {
        if (text[at] == '\\' && at + 1 < text.size()) ++at;
        term += text[at];
      }
      if (at >= text.size())
        return fail(Code::InvalidArgument, "Invalid filter pattern: a quote does not end");
      text.remove_prefix(at + 1);
    } else {
      const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
      term = text.substr(0, end);
      text.remove_prefix(end);
    }
    if (!term.empty()) into->push_back(std::move(term));
    text = trim(text);
  }
  return out;
}

bool FilterPattern::matches(std::string_view line) const {
  const auto has = [&](const std::string& term) { return line.find(term) != std::string_view::npos; };
  if (std::ranges::any_of(excluded_, has) || !std::ranges::all_of(required_, has)) return false;
  return !required_.empty() || optional_.empty() || std::ranges::any_of(optional_, has);
}

}  // namespace stoker::aws
