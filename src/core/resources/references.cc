#include "core/resources/references.h"

#include <algorithm>

#include "core/resources/rules.h"

namespace stoker::core {
namespace {

constexpr std::string_view kMark = "Ref::";

std::string_view name_at(std::string_view text) {
  const auto end = std::find_if(text.begin(), text.end(), [](char c) {
    return !is_alphanumeric(c) && c != '_' && c != '.' && c != '-';
  });
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

// The longest parameter that `text` begins with. No beginning of `text` that is shorter than a parameter less
// than it can be one, so each step back jumps to the common part.
const std::pair<const std::string, std::string>* longest_parameter(
    std::string_view text, const std::map<std::string, std::string>& parameters) {
  std::string prefix(text);
  while (!prefix.empty()) {
    auto after = parameters.upper_bound(prefix);
    if (after == parameters.begin()) return nullptr;
    const auto& candidate = *std::prev(after);
    if (prefix.starts_with(candidate.first)) return candidate.first.empty() ? nullptr : &candidate;
    const auto end =
        std::mismatch(prefix.begin(), prefix.end(), candidate.first.begin(), candidate.first.end()).first;
    prefix.resize(static_cast<std::size_t>(end - prefix.begin()));
  }
  return nullptr;
}

Result<std::string> replace_in(std::string_view argument,
                               const std::map<std::string, std::string>& parameters, std::size_t bytes_left) {
  std::string out;
  while (true) {
    const auto at = argument.find(kMark);
    out += argument.substr(0, at);
    if (at == std::string_view::npos) break;
    argument.remove_prefix(at + kMark.size());
    const std::string_view name = name_at(argument);
    if (name.empty()) {  // nothing that could be a name: plain text
      out += kMark;
      continue;
    }
    const auto* parameter = longest_parameter(name, parameters);
    if (parameter == nullptr)
      return fail(Code::InvalidArgument,
                  "Unable to substitute value. No parameter found for reference " + std::string(name));
    out += parameter->second;
    argument.remove_prefix(parameter->first.size());
    if (out.size() > bytes_left) break;
  }
  if (out.size() > bytes_left)
    return fail(Code::InvalidArgument,
                "The command must not be larger than 256 KiB after its parameters are replaced");
  return out;
}

}  // namespace

bool has_references(const std::vector<std::string>& command) {
  return std::any_of(command.begin(), command.end(),
                     [](const std::string& argument) { return argument.find(kMark) != std::string::npos; });
}

Result<std::vector<std::string>> replace_references(const std::vector<std::string>& command,
                                                    const std::map<std::string, std::string>& parameters) {
  std::vector<std::string> out;
  out.reserve(command.size());
  std::size_t bytes_left = kCommandBytesMax;
  for (const auto& argument : command) {
    out.push_back(TRY(replace_in(argument, parameters, bytes_left)));
    bytes_left -= out.back().size();
  }
  return out;
}

}  // namespace stoker::core
