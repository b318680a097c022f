#include "log/log.h"

#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>

#include <spdlog/common.h>
#include <spdlog/details/log_msg.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include "base/text.h"

namespace stoker::log {
namespace {

using Sink = std::shared_ptr<spdlog::sinks::sink>;

// Our line is the whole line: no pattern of spdlog around it.
Sink plain(Sink sink) {
  sink->set_pattern("%v");
  return sink;
}

Sink stderr_sink() {
  return plain(std::make_shared<spdlog::sinks::stderr_sink_mt>());
}

// The one exception from "no global": log lines come from everywhere, and carrying a logger through every
// value would cost more clarity than it gives. Never destroyed, so that threads may log while the process
// ends.
struct Output {
  std::atomic<Level> lowest{Level::Warning};
  std::mutex mutex;  // of sink, the pointer
  Sink sink = stderr_sink();

  Sink current() {
    const std::lock_guard lock(mutex);
    return sink;
  }
};

Output& output() {
  static Output* const only = new Output;
  return *only;
}

std::string_view name(Level level) {
  switch (level) {
    case Level::Debug:
      return "debug";
    case Level::Info:
      return "info";
    case Level::Warning:
      return "warning";
    case Level::Error:
      return "error";
  }
  return "error";
}

// A JSON string. Bytes that are no UTF-8 become U+FFFD, so that a line is always valid JSON.
void append_text(std::string& line, std::string_view text) {
  std::string cut;
  if (text.size() > kTextBytesMax) {
    cut = std::string(text.substr(0, kTextBytesMax)) + "...";
    text = cut;
  }
  std::string repaired;
  if (!is_valid_utf8(text)) {
    repaired = to_valid_utf8(text);
    text = repaired;
  }
  line += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      line += '\\';
      line += c;
    } else if (c == '\n') {
      line += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      line += "\\u00";
      append_hex(line, static_cast<std::uint8_t>(c));
    } else {
      line += c;
    }
  }
  line += '"';
}

struct ValueWriter {
  std::string& line;

  void operator()(std::string_view text) const { append_text(line, text); }
  void operator()(bool value) const { line += value ? "true" : "false"; }
  void operator()(std::int64_t value) const { line += std::to_string(value); }
  void operator()(double value) const {
    if (!std::isfinite(value)) {
      line += "null";
      return;
    }
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value);
    line.append(digits, end.ptr);
  }
};

std::string make_line(Level level, std::string_view event, Fields fields) {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  std::string line;
  line.reserve(256);
  line += R"({"time":")";
  line += iso_time(std::chrono::duration_cast<std::chrono::milliseconds>(since_epoch).count(), true);
  line += R"(","level":")";
  line += name(level);
  line += R"(","event":)";
  append_text(line, event);
  for (const Field& field : fields) {
    line += ',';
    append_text(line, field.name);
    line += ':';
    std::visit(ValueWriter{line}, field.data);
  }
  line += '}';
  return line;
}

void write(Level level, std::string_view event, Fields fields) {
  if (!enabled(level)) return;
  const std::string line = make_line(level, event, fields);
  // A full disk must not end what it was told to record: the line is lost, the program goes on.
  try {
    const Sink sink = output().current();
    sink->log(spdlog::details::log_msg("", spdlog::level::info, line));
    sink->flush();
  } catch (const std::exception&) {
  }
}

}  // namespace

Level level_of(std::string_view name) {
  if (name == "debug") return Level::Debug;
  if (name == "warning") return Level::Warning;
  if (name == "error") return Level::Error;
  return Level::Info;
}

void configure(Level lowest, const std::string& destination) {
  Sink sink;
  std::string refusal;
  if (destination == "stderr") {
    sink = stderr_sink();
  } else {
    try {
      sink = plain(
          std::make_shared<spdlog::sinks::rotating_file_sink_mt>(destination, kFileBytesMax, kFilesKept));
    } catch (const std::exception& e) {
      refusal = e.what();
      sink = stderr_sink();
    }
  }
  {
    const std::lock_guard lock(output().mutex);
    output().sink = std::move(sink);
  }
  output().lowest = lowest;
  if (!refusal.empty()) error("log_file_refused", {{"file", destination}, {"reason", refusal}});
}

bool enabled(Level level) {
  return level >= output().lowest.load(std::memory_order_relaxed);
}

void debug(std::string_view event, Fields fields) {
  write(Level::Debug, event, fields);
}
void info(std::string_view event, Fields fields) {
  write(Level::Info, event, fields);
}
void warning(std::string_view event, Fields fields) {
  write(Level::Warning, event, fields);
}
void error(std::string_view event, Fields fields) {
  write(Level::Error, event, fields);
}

}  // namespace stoker::log
