#include "cli/definition_file.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "cli/text_width.h"
#include "rt/file.h"

namespace stoker::cli {
namespace {

constexpr std::size_t kNameMax = 80;       // of Step Functions
constexpr std::size_t kNestingMax = 1000;  // of what is read for places

std::size_t number_after(std::string_view text, std::string_view mark) {
  const std::size_t at = text.rfind(mark);
  if (at == std::string_view::npos) return 0;
  std::string_view digits = text.substr(at + mark.size());
  digits = digits.substr(0, digits.find_first_not_of("0123456789"));
  return static_cast<std::size_t>(std::max<std::int64_t>(0, parse_int(digits).value_or(0)));
}

// Reads JSON just far enough to know at which place it is. What is no JSON ends it.
class Places {
 public:
  Places(std::string_view text, std::string_view location) : text_(text), location_(location) {}

  std::size_t find() {
    while (at_ < text_.size() && step()) {
    }
    return best_line_;
  }

 private:
  struct Level {
    bool array;
    std::size_t index;
    std::size_t path;  // how long the path was before its step
  };

  bool step() {
    const char c = text_[at_];
    if (c == '\n') ++line_;
    if (c == '{' || c == '[') {
      if (levels_.size() >= kNestingMax) return false;
      levels_.push_back({.array = c == '[', .index = 0, .path = path_.size()});
      wants_key_ = c == '{';
      ++at_;
      if (c == '[') begin_item();
      return true;
    }
    if (c == '}' || c == ']') {
      if (levels_.empty()) return false;
      path_.resize(levels_.back().path);
      levels_.pop_back();
      wants_key_ = false;
    } else if (c == ',' && !levels_.empty()) {
      Level& level = levels_.back();
      path_.resize(level.path);
      wants_key_ = !level.array;
      ++at_;
      if (level.array) {
        ++level.index;
        begin_item();
      }
      return true;
    } else if (c == '"') {
      return string();
    }
    ++at_;
    return true;
  }

  bool string() {
    const std::size_t begin = at_;
    const std::size_t line = line_;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\n') ++line_;
      if (text_[at_] == '\\') ++at_;
    }
    if (at_ >= text_.size()) return false;
    ++at_;
    if (!wants_key_ || levels_.empty()) return true;
    const auto key = json::parse(text_.substr(begin, at_ - begin));
    if (!key) return false;
    wants_key_ = false;
    path_.resize(levels_.back().path);
    path_ += "/" + std::string(json::text(*key));
    offer(line);
    return true;
  }

  void begin_item() {
    const Level& level = levels_.back();
    path_.resize(level.path);
    path_ += "[" + std::to_string(level.index) + "]";
    std::size_t line = line_;
    for (std::size_t i = at_;
         i < text_.size() && std::string_view(" \t\r\n").find(text_[i]) != std::string_view::npos; ++i)
      if (text_[i] == '\n') ++line;
    offer(line);
  }

  // A step nearer than anything before?
  void offer(std::size_t line) {
    if (!location_.starts_with(path_) || path_.size() <= best_) return;
    if (path_.size() < location_.size() && location_[path_.size()] != '/' && location_[path_.size()] != '[')
      return;
    best_ = path_.size();
    best_line_ = line;
  }

  std::string_view text_;
  std::string_view location_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::vector<Level> levels_;
  std::string path_;
  bool wants_key_ = false;
  std::size_t best_ = 0;  // length of the path that fits best
  std::size_t best_line_ = 1;
};

}  // namespace

Result<std::string> read_definition(const Context& context, const std::string& path) {
  const std::string full = path.starts_with('/') ? path : context.directory + "/" + path;
  auto text = rt::read_file(full, kDefinitionMax);
  if (!text) return fail(Code::InvalidArgument, text.error().message);
  return std::move(*text);
}

std::string machine_name_of_file(std::string_view path) {
  std::string_view base = path.substr(path.rfind('/') + 1);
  for (const std::string_view ending : {".json", ".asl"})
    if (base.ends_with(ending) && base.size() > ending.size()) base.remove_suffix(ending.size());
  std::string out;
  for (const char c : base.substr(0, kNameMax)) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '-' || c == '_' || c == '.';
    out += good ? c : '-';
  }
  return out.empty() ? "machine" : out;
}

std::size_t line_of_location(std::string_view definition, std::string_view location) {
  if (location.starts_with("[Source:")) return number_after(location, "line: ");
  if (!location.starts_with('/')) return 0;
  return Places(definition, location).find();
}

std::vector<Diagnostic> diagnostics_of(const json::Value& answer, std::string_view definition) {
  std::vector<Diagnostic> out;
  for (const json::Value& entry : json::get_array(answer, "diagnostics")) {
    const std::string_view location = json::get_string(entry, "location");
    out.push_back({.severity = printable(json::get_string(entry, "severity")),
                   .code = printable(json::get_string(entry, "code")),
                   .message = printable(json::get_string(entry, "message")),
                   .location = printable(location),
                   .line = line_of_location(definition, location)});
  }
  std::ranges::stable_sort(out, {}, &Diagnostic::line);
  return out;
}

std::string diagnostic_text(std::string_view path, const Diagnostic& diagnostic) {
  std::string out(printable(path));
  if (diagnostic.line > 0) out += ":" + std::to_string(diagnostic.line);
  out += ": " + to_lower(diagnostic.severity) + ": " + diagnostic.code + ": " + diagnostic.message;
  if (diagnostic.location.starts_with('/')) out += " (" + diagnostic.location + ")";
  return out;
}

}  // namespace stoker::cli
