#pragma once
// Structured log lines, one JSON object each: {"time":…,"level":…,"event":…,fields…}. Events are past tense,
// fields carry ids; never secrets. An Error line means that a human should look.
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace stoker::log {

enum class Level { Debug, Info, Warning, Error };

struct Field {
  Field(std::string_view key, std::string_view value) : name(key), data(std::string(value)) {}
  Field(std::string_view key, const char* value) : name(key), data(std::string(value)) {}
  Field(std::string_view key, const std::string& value) : name(key), data(value) {}
  template <class N>
    requires std::is_integral_v<N>
  Field(std::string_view key, N value) : name(key), data(static_cast<std::int64_t>(value)) {}
  std::string name;
  std::variant<std::string, std::int64_t> data;
};
using Fields = std::initializer_list<Field>;

// Where lines go: "stderr" or a file path. Before the first call they go to stderr from Warning on.
void configure(Level lowest, const std::string& destination);

void debug(std::string_view event, Fields fields = {});
void info(std::string_view event, Fields fields = {});
void warning(std::string_view event, Fields fields = {});
void error(std::string_view event, Fields fields = {});

}  // namespace stoker::log
