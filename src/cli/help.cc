// The help of a command, laid out like a manual page.
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/text_width.h"

namespace stoker::cli {
namespace {

constexpr std::size_t kWidth = 88;
constexpr std::size_t kOptionColumn = 26;

// Words of the text in lines of at most `width` columns after `indent` blanks; the first line starts at
// column `used` already.
std::string wrap(std::string_view text, std::size_t indent, std::size_t width, std::size_t used) {
  std::string out;
  std::size_t column = used;
  bool first = true;
  for (const std::string_view word : split(text, ' ')) {
    if (word.empty()) continue;
    const std::size_t length = text_width(word);
    if (!first && column + 1 + length > width) {
      out += '\n';
      out.append(indent, ' ');
      column = indent;
      first = true;
    }
    if (!first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += length;
    first = false;
  }
  return out + "\n";
}

// Paragraphs: lines that start with a blank stay as they are, others are joined and wrapped.
std::string paragraphs(std::string_view text, std::size_t indent) {
  std::string out;
  std::string paragraph;
  const auto flush = [&] {
    if (!paragraph.empty()) out += std::string(indent, ' ') + wrap(paragraph, indent, kWidth, indent);
    paragraph.clear();
  };
  for (const std::string_view line : split(text, '\n')) {
    if (line.empty() || line.front() == ' ') {
      flush();
      out += line.empty() ? "\n" : std::string(indent, ' ') + std::string(line) + "\n";
    } else {
      if (!paragraph.empty()) paragraph += ' ';
      paragraph += line;
    }
  }
  flush();
  return out;
}

std::string indented(std::string_view text) {
  std::string out;
  for (const std::string_view line : split(text, '\n'))
    out += line.empty() ? "\n" : "  " + std::string(line) + "\n";
  return out;
}

std::string option_text(std::string_view names, std::string_view placeholder, std::string_view help) {
  std::string left = "  ";
  bool first = true;
  for (const std::string_view name : split(names, ',')) {
    // Long names stand below each other, whether there is a short one or not.
    if (first && name.starts_with("--")) left += "    ";
    left += (first ? "" : ", ") + std::string(trim(name));
    first = false;
  }
  if (!placeholder.empty()) left += " " + std::string(placeholder);
  std::size_t width = text_width(left);
  if (width + 2 > kOptionColumn) {
    left += '\n';
    width = 0;
  }
  left.append(kOptionColumn - width, ' ');
  return left + wrap(help, kOptionColumn, kWidth, kOptionColumn);
}

}  // namespace

std::string Arguments::help() const {
  const std::string name = "stoker " + std::string(text_.name);
  std::string out = name + " - " + std::string(text_.summary) + "\n\nUSAGE\n  " + name;
  if (!text_.usage.empty()) out += " " + std::string(text_.usage);
  out += "\n\nDESCRIPTION\n" + paragraphs(text_.description, 2) + "\nOPTIONS\n";
  for (const OptionSpec& spec : options_) out += option_text(spec.names, spec.placeholder, spec.help);
  out += option_text("-h,--help", "", "Show this text.");
  if (!text_.examples.empty()) out += "\nEXAMPLES\n" + indented(text_.examples);
  if (!text_.exit_codes.empty()) out += "\nEXIT STATUS\n" + indented(text_.exit_codes);
  return out;
}

}  // namespace stoker::cli
