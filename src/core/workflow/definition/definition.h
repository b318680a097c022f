#pragma once
// A state machine as its definition says, read once: every path, template and expression is parsed. Immutable
// and shared by all executions of the revision.
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/workflow/data/choice.h"
#include "core/workflow/data/payload.h"

namespace stoker::asl {

struct Machine;

// InputPath, OutputPath, ResultPath: a path, or null, which selects nothing.
struct Selector {
  bool nothing = false;
  std::optional<Path> path;  // none and not nothing: "$"
};

struct Retrier {
  std::vector<std::string> error_equals;
  std::int64_t interval_s = 1;
  std::int64_t attempts_max = 3;
  double backoff_rate = 2.0;
  std::optional<std::int64_t> delay_max_s;
  bool full_jitter = false;
};

struct Catcher {
  std::vector<std::string> error_equals;
  std::string next;
  Selector result_path;  // JSONPath
  std::optional<Payload> assign;
  std::optional<Payload> output;  // JSONata
};

struct Pass {
  std::optional<json::Value> result;
};
struct Wait {
  std::optional<Setting> seconds;  // one of the two
  std::optional<Setting> timestamp;
};
struct Succeed {};
struct Fail {
  std::optional<Setting> error;
  std::optional<Setting> cause;
};
struct ChoiceRule {
  std::variant<Condition, bool, jsonata::Expression> condition;
  std::string next;
  std::optional<Payload> assign;
  std::optional<Payload> output;  // JSONata
};
struct Choice {
  std::vector<ChoiceRule> rules;
  std::string otherwise;  // Default; "" = none
};
struct Task {
  std::string resource;
  std::optional<Setting> timeout_s;
  std::optional<Setting> heartbeat_s;
  std::optional<Setting> credentials_role;  // Credentials.RoleArn
};
struct Parallel {
  std::vector<std::shared_ptr<const Machine>> branches;
};

struct ItemReader {
  std::string resource;
  std::optional<Payload> arguments;  // Parameters or Arguments
  std::string input_type;            // CSV JSON JSONL PARQUET MANIFEST; "" = none
  std::string manifest_type;
  std::string transformation;
  std::string csv_header_location;  // FIRST_ROW | GIVEN
  std::vector<std::string> csv_headers;
  std::string csv_delimiter;  // COMMA | PIPE | SEMICOLON | SPACE | TAB; "" = COMMA
  std::string items_pointer;
  std::optional<Setting> items_max;
};
struct ItemBatcher {
  std::optional<Setting> items_max;
  std::optional<Setting> bytes_max;
  std::optional<Payload> batch_input;
};
struct ResultWriter {
  std::string resource;  // "": only transforms
  std::optional<Payload> arguments;
  std::string transformation;  // NONE COMPACT FLATTEN; "" = none given
  std::string output_type;     // JSON JSONL
};
struct Map {
  std::shared_ptr<const Machine> processor;
  bool distributed = false;
  bool express = false;            // ExecutionType of the children
  std::string label;               // "" = none given
  std::optional<Path> items_path;  // JSONPath
  std::optional<Payload> items;    // JSONata
  std::optional<Payload> item_selector;
  std::optional<Setting> concurrency_max;
  std::optional<Setting> tolerated_failure_count;
  std::optional<Setting> tolerated_failure_percentage;
  std::optional<ItemReader> reader;
  std::optional<ItemBatcher> batcher;
  std::optional<ResultWriter> writer;
  bool old_parameters = false;  // "Parameters" instead of "ItemSelector", "Iterator" likewise
};

using Kind = std::variant<Task, Pass, Wait, Choice, Succeed, Fail, Parallel, Map>;

struct State {
  std::string name;
  Language language = Language::JsonPath;
  Kind kind;
  std::string next;  // "": End, or a kind that has none
  // JSONPath
  Selector input_path, result_path, output_path;
  std::optional<Payload> parameters;  // Map: see Map::item_selector
  std::optional<Payload> result_selector;
  // JSONata
  std::optional<Payload> arguments;
  std::optional<Payload> output;
  // Both
  std::optional<Payload> assign;
  std::vector<Retrier> retry;
  std::vector<Catcher> catchers;
};

struct Machine {
  std::string start_at;
  std::map<std::string, State, std::less<>> states;
};

struct Definition {
  std::shared_ptr<const Machine> machine;
  std::string comment;
  std::optional<std::int64_t> timeout_s;
};

// "Task", "Pass", ...
std::string_view type_name(const Kind& kind);

}  // namespace stoker::asl
