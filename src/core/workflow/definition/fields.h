#pragma once
// Which members the objects of a definition may have, as tables, and the checks that follow from a table
// alone: unknown members, members of the other query language, wrong JSON types, missing members, twins.
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/workflow/definition/reading.h"
#include "json/json.h"

namespace stoker::asl {

enum StateTypes : std::uint16_t {
  kTask = 1,
  kWait = 2,
  kPass = 4,
  kSucceed = 8,
  kFail = 16,
  kChoice = 32,
  kParallel = 64,
  kMap = 128,
  kAnyState = 255,
};

enum Forms : std::uint16_t {
  kString = 1,
  kInteger = 2,
  kNumber = 4,
  kBoolean = 8,
  kObject = 16,
  kArray = 32,
  kNull = 64,
  kAny = 127,
  kExpression = 128,  // in JSONata mode also a string "{% %}"
};

enum Languages : std::uint8_t { kJsonPathOnly = 1, kJsonataOnly = 2, kBoth = 3 };

struct Field {
  std::string_view name;
  std::uint16_t forms = kAny;
  std::uint16_t states = kAnyState;
  Languages languages = kBoth;
  bool required = false;
  std::string_view twin = {};  // a field that excludes this one
};

// The members of an object that passed their table.
class Fields {
 public:
  Fields(const Where& where, Language language) : where_(where), language_(language) {}

  // Null when absent or refused.
  [[nodiscard]] const json::Value* get(std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const { return get(name) != nullptr; }
  [[nodiscard]] std::string string(std::string_view name) const;
  [[nodiscard]] Where at(std::string_view name) const { return where_.member(name); }
  [[nodiscard]] const Where& where() const { return where_; }
  [[nodiscard]] Language language() const { return language_; }

  void add(std::string_view name, const json::Value& value) { found_.emplace_back(name, &value); }

 private:
  std::vector<std::pair<std::string_view, const json::Value*>> found_;
  Where where_;
  Language language_;
};

// Nothing when `value` is no object. `state` is the type of state the object is or stands in.
std::optional<Fields> read_fields(const json::Value& value, std::span<const Field> table, StateTypes state,
                                  Language language, const Where& where, Diagnosis& diagnosis);

// The string must be one of `values`: "The field 'Type' should have one of these values: [...]".
bool check_one_of(const Fields& fields, std::string_view name, std::span<const std::string_view> values,
                  Diagnosis& diagnosis);

}  // namespace stoker::asl
