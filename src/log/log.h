#pragma once
// Structured log lines, one JSON object each: {"time":…,"level":…,"event":…,fields…}. Events are past tense,
// fields carry ids; never secrets. An Error line means that a human should look. Any thread may log.
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace stoker::log {

enum class Level { Debug, Info, Warning, Error };
Level level_of(std::string_view name);  // "debug", "info", "warning", "error"; Info for anything else

// Points to the text of the caller, which lives as long as the call: write fields inside the call only.
struct Field {
  Field(std::string_view key, std::string_view value) : name(key), data(value) {}
  Field(std::string_view key, const char* value) : name(key), data(std::string_view(value)) {}
  Field(std::string_view key, const std::string& value) : name(key), data(std::string_view(value)) {}
  Field(std::string_view key, bool value) : name(key), data(value) {}
  Field(std::string_view key, double value) : name(key), data(value) {}
  template <class N>
    requires(std::is_integral_v<N> && !std::is_same_v<N, bool>)
  Field(std::string_view key, N value) : name(key), data(static_cast<std::int64_t>(value)) {}
  std::string_view name;
  std::variant<std::string_view, std::int64_t, double, bool> data;
};
using Fields = std::initializer_list<Field>;

// Files grow to this size, then become FILE.1 and so on.
constexpr std::size_t kFileBytesMax = 64u << 20;
constexpr std::size_t kFilesKept = 4;
// One text in a line is cut after this many bytes.
constexpr std::size_t kTextBytesMax = 16u << 10;

// Where lines go: "stderr" or a file path. Before the first call they go to stderr from Warning on. A file
// that cannot be opened leaves the lines on stderr, the first of them an Error that says so.
void configure(Level lowest, const std::string& destination);

// Whether such a line would be written: to leave out the work of making its fields.
bool enabled(Level level);

void debug(std::string_view event, Fields fields = {});
void info(std::string_view event, Fields fields = {});
void warning(std::string_view event, Fields fields = {});
void error(std::string_view event, Fields fields = {});

}  // namespace stoker::log
