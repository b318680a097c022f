#include "core/workflow/data/choice.h"

#include "core/workflow/data/string_pattern.h"
#include "core/workflow/data/values.h"

namespace stoker::asl {
namespace {

enum class Family : std::uint8_t { String, Numeric, Boolean, Timestamp };
enum class Relation : std::uint8_t { Equals, Less, Greater, LessEquals, GreaterEquals };
enum class Is : std::uint8_t { Null, Present, Numeric, String, Boolean, Timestamp };

struct Comparison {
  Family family = Family::String;
  Relation relation = Relation::Equals;
  std::variant<json::Value, Path> operand;
};
struct Match {
  StringPattern pattern;
};
struct TypeTest {
  Is is = Is::Null;
  bool expected = true;
};

// Recursion goes as deep as the definition nests, which is bounded where it is parsed.
struct Rule {
  enum class Kind : std::uint8_t { And, Or, Not, Test };
  Kind kind = Kind::Test;
  std::vector<Rule> parts;  // And, Or: one or more; Not: one
  std::optional<Path> variable;
  std::variant<Comparison, Match, TypeTest> test;
};

struct Operator {
  std::string_view name;
  Family family;
  Relation relation;
};
constexpr Operator kOperators[] = {
    {"StringEquals", Family::String, Relation::Equals},
    {"StringLessThan", Family::String, Relation::Less},
    {"StringGreaterThan", Family::String, Relation::Greater},
    {"StringLessThanEquals", Family::String, Relation::LessEquals},
    {"StringGreaterThanEquals", Family::String, Relation::GreaterEquals},
    {"NumericEquals", Family::Numeric, Relation::Equals},
    {"NumericLessThan", Family::Numeric, Relation::Less},
    {"NumericGreaterThan", Family::Numeric, Relation::Greater},
    {"NumericLessThanEquals", Family::Numeric, Relation::LessEquals},
    {"NumericGreaterThanEquals", Family::Numeric, Relation::GreaterEquals},
    {"BooleanEquals", Family::Boolean, Relation::Equals},
    {"TimestampEquals", Family::Timestamp, Relation::Equals},
    {"TimestampLessThan", Family::Timestamp, Relation::Less},
    {"TimestampGreaterThan", Family::Timestamp, Relation::Greater},
    {"TimestampLessThanEquals", Family::Timestamp, Relation::LessEquals},
    {"TimestampGreaterThanEquals", Family::Timestamp, Relation::GreaterEquals},
};
struct TypeOperator {
  std::string_view name;
  Is is;
};
constexpr TypeOperator kTypeOperators[] = {
    {"IsNull", Is::Null},     {"IsPresent", Is::Present}, {"IsNumeric", Is::Numeric},
    {"IsString", Is::String}, {"IsBoolean", Is::Boolean}, {"IsTimestamp", Is::Timestamp},
};

template <class T>
const T* by_name(std::span<const T> table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &T::name);
  return found == table.end() ? nullptr : &*found;
}

constexpr std::string_view kPathSuffix = "Path";

// The operator that `name` is with or without "Path".
const Operator* comparison_by_name(std::string_view name) {
  if (name.ends_with(kPathSuffix)) name.remove_suffix(kPathSuffix.size());
  return by_name<Operator>(kOperators, name);
}
bool is_test(std::string_view name) {
  return comparison_by_name(name) != nullptr || name == "StringMatches" ||
         by_name<TypeOperator>(kTypeOperators, name) != nullptr;
}
bool is_ignored(std::string_view name) {
  return name == "Next" || name == "Assign" || name == "Comment";
}

class Reader {
 public:
  explicit Reader(std::vector<TemplateFault>& faults) : faults_(faults) {}

  Rule read(const json::Value& value, const std::string& where) {
    if (!value.is_object()) return fault("Expected value of type [OBJECT]", where);
    std::string_view main;
    for (const auto& [key, member] : value.get_object()) {
      const std::string_view name(key.data(), key.size());
      if (is_ignored(name) || name == "Variable") continue;
      if (name != "And" && name != "Or" && name != "Not" && !is_test(name))
        return fault("Field is not supported", below(where, name));
      if (!main.empty()) return fault("A choice rule has exactly one operator", where);
      main = name;
    }
    if (main.empty()) return fault("A choice rule must have an operator", where);
    const json::Value& operand = value.get_object().at(main);
    if (is_test(main)) return read_test(value, main, operand, where);
    if (value.get_object().contains("Variable"))
      return fault("Field is not supported", below(where, "Variable"));
    return read_connective(main, operand, below(where, main));
  }

 private:
  static std::string below(const std::string& where, std::string_view name) {
    return where + "/" + std::string(name);
  }

  Rule fault(std::string message, std::string where) {
    faults_.push_back({"SCHEMA_VALIDATION_FAILED", std::move(message), std::move(where)});
    return {};
  }

  Rule read_connective(std::string_view name, const json::Value& operand, const std::string& where) {
    Rule out;
    if (name == "Not") {
      out.kind = Rule::Kind::Not;
      out.parts.push_back(read(operand, where));
      return out;
    }
    out.kind = name == "And" ? Rule::Kind::And : Rule::Kind::Or;
    if (!operand.is_array()) return fault("Expected value of type [ARRAY]", where);
    if (operand.get_array().empty()) return fault("Value cannot be empty", where);
    for (std::size_t i = 0; i < operand.get_array().size(); ++i)
      out.parts.push_back(read(operand.get_array()[i], where + "[" + std::to_string(i) + "]"));
    return out;
  }

  Rule read_test(const json::Value& rule, std::string_view name, const json::Value& operand,
                 const std::string& where) {
    Rule out;
    const json::Value* variable = rule.get_object().if_contains("Variable");
    if (variable == nullptr) return fault("These fields are required: [Variable]", where);
    out.variable = read_path(*variable, below(where, "Variable"));
    const std::string at = below(where, name);
    if (const TypeOperator* type = by_name<TypeOperator>(kTypeOperators, name)) {
      if (!operand.is_bool()) return fault("Expected value of type [BOOLEAN]", at);
      out.test = TypeTest{type->is, operand.get_bool()};
    } else if (name == "StringMatches") {
      if (!operand.is_string()) return fault("Expected value of type [STRING]", at);
      auto pattern = StringPattern::parse(json::text(operand));
      if (!pattern) return fault("A backslash must be followed by '*' or a backslash", at);
      out.test = Match{*std::move(pattern)};
    } else {
      const Operator& compares = *comparison_by_name(name);
      Comparison comparison{compares.family, compares.relation, json::Value()};
      if (name.ends_with(kPathSuffix)) {
        auto path = read_path(operand, at);
        if (path) comparison.operand = *std::move(path);
      } else if (check_literal(compares.family, operand, at)) {
        comparison.operand = operand;
      }
      out.test = std::move(comparison);
    }
    return out;
  }

  std::optional<Path> read_path(const json::Value& value, const std::string& where) {
    if (!value.is_string()) {
      fault("Expected value of type [STRING]", where);
      return std::nullopt;
    }
    auto path = Path::parse(json::text(value));
    if (path) return *std::move(path);
    fault("Value is not a valid JSONPath", where);
    return std::nullopt;
  }

  bool check_literal(Family family, const json::Value& operand, const std::string& where) {
    const auto expect = [&](bool fits, std::string_view what) {
      if (!fits) fault(std::string(what), where);
      return fits;
    };
    switch (family) {
      case Family::String:
        return expect(operand.is_string(), "Expected value of type [STRING]");
      case Family::Numeric:
        return expect(operand.is_number(), "Expected value of type [NUMBER]");
      case Family::Boolean:
        return expect(operand.is_bool(), "Expected value of type [BOOLEAN]");
      case Family::Timestamp:
        return expect(operand.is_string(), "Expected value of type [STRING]") &&
               expect(parse_timestamp(json::text(operand)).has_value(),
                      "String does not match RFC3339 timestamp");
    }
    return false;
  }

  std::vector<TemplateFault>& faults_;
};

bool satisfies(Relation relation, std::partial_ordering order) {
  switch (relation) {
    case Relation::Equals:
      return order == 0;
    case Relation::Less:
      return order < 0;
    case Relation::Greater:
      return order > 0;
    case Relation::LessEquals:
      return order <= 0;
    case Relation::GreaterEquals:
      return order >= 0;
  }
  return false;
}

// Unordered: a type does not fit.
std::partial_ordering order_of(Family family, const json::Value& a, const json::Value& b) {
  constexpr auto kNone = std::partial_ordering::unordered;
  switch (family) {
    case Family::String:
      return a.is_string() && b.is_string() ? compare_text(json::text(a), json::text(b)) : kNone;
    case Family::Numeric:
      return a.is_number() && b.is_number() ? compare_numbers(a, b) : kNone;
    case Family::Boolean:
      return a.is_bool() && b.is_bool() ? a.get_bool() <=> b.get_bool() : kNone;
    case Family::Timestamp: {
      const auto left = parse_timestamp(json::text(a));
      const auto right = parse_timestamp(json::text(b));
      return left && right ? *left <=> *right : kNone;
    }
  }
  return kNone;
}

bool is_of(Is is, const json::Value& value) {
  switch (is) {
    case Is::Null:
      return value.is_null();
    case Is::Present:
      return true;
    case Is::Numeric:
      return value.is_number();
    case Is::String:
      return value.is_string();
    case Is::Boolean:
      return value.is_bool();
    case Is::Timestamp:
      return parse_timestamp(json::text(value)).has_value();
  }
  return false;
}

// What a path finds, without a copy where it can be. Null: nothing.
const json::Value* find(const Path& path, const Scope& scope, json::Value& store) {
  if (path.reference()) return path.find(scope);
  auto found = path.read(scope);
  if (!found) return nullptr;
  store = *std::move(found);
  return &store;
}

Fault invalid_value(const Path& path) {
  return runtime_fault("Invalid path '" + std::string(path.text()) +
                       "': The choice state's condition path references an invalid value.");
}

Evaluated<bool> holds(const Rule& rule, const Scope& scope);

Evaluated<bool> holds_test(const Rule& rule, const Scope& scope) {
  json::Value store;
  const json::Value* variable = find(*rule.variable, scope, store);
  if (const auto* type = std::get_if<TypeTest>(&rule.test); type != nullptr && type->is == Is::Present) {
    const bool any = variable != nullptr && (rule.variable->definite() || !variable->get_array().empty());
    return any == type->expected;
  }
  if (variable == nullptr) return std::unexpected(invalid_value(*rule.variable));
  if (const auto* type = std::get_if<TypeTest>(&rule.test))
    return is_of(type->is, *variable) == type->expected;
  if (const auto* match = std::get_if<Match>(&rule.test))
    return variable->is_string() && match->pattern.matches(json::text(*variable));
  const auto& comparison = std::get<Comparison>(rule.test);
  json::Value operand_store;
  const json::Value* operand = std::get_if<json::Value>(&comparison.operand);
  if (operand == nullptr) {
    const Path& path = std::get<Path>(comparison.operand);
    operand = find(path, scope, operand_store);
    if (operand == nullptr) return std::unexpected(invalid_value(path));
  }
  return satisfies(comparison.relation, order_of(comparison.family, *variable, *operand));
}

Evaluated<bool> holds(const Rule& rule, const Scope& scope) {
  switch (rule.kind) {
    case Rule::Kind::Test:
      return holds_test(rule, scope);
    case Rule::Kind::Not: {
      auto inner = holds(rule.parts.front(), scope);
      if (!inner) return inner;
      return !*inner;
    }
    default:
      break;
  }
  const bool decides = rule.kind == Rule::Kind::Or;
  for (const Rule& part : rule.parts) {
    auto inner = holds(part, scope);
    if (!inner || *inner == decides) return inner;
  }
  return !decides;
}

void visit(const Rule& rule, const std::function<void(const Path&)>& use) {
  if (rule.variable) use(*rule.variable);
  if (const auto* comparison = std::get_if<Comparison>(&rule.test))
    if (const auto* path = std::get_if<Path>(&comparison->operand)) use(*path);
  for (const Rule& part : rule.parts) visit(part, use);
}

}  // namespace

struct Condition::Parsed {
  Rule rule;
};

std::optional<Condition> Condition::parse(const json::Value& rule, std::vector<TemplateFault>& faults) {
  const std::size_t faults_before = faults.size();
  Rule read = Reader(faults).read(rule, "");
  if (faults.size() > faults_before) return std::nullopt;
  return Condition(std::make_shared<const Parsed>(std::move(read)));
}

Evaluated<bool> Condition::holds(const Scope& scope) const {
  return asl::holds(parsed_->rule, scope);
}

void Condition::visit_paths(const std::function<void(const Path&)>& use) const {
  visit(parsed_->rule, use);
}

}  // namespace stoker::asl
