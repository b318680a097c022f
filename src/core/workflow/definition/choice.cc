#include "core/workflow/definition/state.h"
#include "core/workflow/definition/values.h"

namespace stoker::asl {
namespace {

constexpr Field kJsonataRuleFields[] = {
    {.name = "Condition", .forms = kBoolean | kExpression, .required = true},
    {.name = "Next", .forms = kString, .required = true},
    {.name = "Assign", .forms = kObject},
    {.name = "Output", .forms = kAny},
    {.name = "Comment", .forms = kString},
};
// The rest of a rule in JSONPath mode is a Condition.
constexpr Field kPathRuleFields[] = {
    {.name = "Next", .forms = kString, .required = true},
    {.name = "Assign", .forms = kObject},
    {.name = "Comment", .forms = kString},
};

json::Value without(const json::Value& rule, bool the_test) {
  json::Object part;
  for (const auto& [key, value] : rule.get_object()) {
    const bool is_test = key != "Next" && key != "Assign" && key != "Comment";
    if (is_test != the_test) part.emplace(key, value);
  }
  return part;
}

// JSONata: Condition; a literal or an expression.
void read_jsonata_condition(const Fields& fields, ChoiceRule& rule, Diagnosis& diagnosis) {
  const json::Value* condition = fields.get("Condition");
  if (condition == nullptr) return;
  if (condition->is_bool()) {
    rule.condition = condition->get_bool();
    return;
  }
  auto expression = read_expression(json::text(*condition), {}, fields.at("Condition"), diagnosis);
  if (expression) rule.condition = *std::move(expression);
}

void read_path_condition(const json::Value& value, const Where& where, ChoiceRule& rule,
                         Diagnosis& diagnosis) {
  std::vector<TemplateFault> faults;
  std::optional<Condition> condition = Condition::parse(value, faults);
  for (const TemplateFault& fault : faults)
    diagnosis.error(fault.code, fault.message, where.below(fault.where));
  if (condition) rule.condition = *std::move(condition);
}

std::optional<ChoiceRule> read_rule(const json::Value& value, const Where& where, Language language,
                                    std::string_view name, std::vector<Transition>& transitions,
                                    Diagnosis& diagnosis) {
  const bool jsonata = language == Language::Jsonata;
  if (!value.is_object()) {
    diagnosis.schema("Expected value of type [OBJECT]", where);
    return std::nullopt;
  }
  const json::Value members = jsonata ? value : without(value, true);
  const auto fields = jsonata ? read_fields(value, kJsonataRuleFields, kChoice, language, where, diagnosis)
                              : read_fields(members, kPathRuleFields, kChoice, language, where, diagnosis);
  if (!fields) return std::nullopt;
  ChoiceRule rule{.condition = false, .next = fields->string("Next"), .assign = {}, .output = {}};
  if (jsonata)
    read_jsonata_condition(*fields, rule, diagnosis);
  else
    read_path_condition(value, where, rule, diagnosis);
  if (fields->has("Next")) transitions.push_back({std::string(name), rule.next, "Next", fields->at("Next")});
  rule.assign = read_assign(*fields, {}, diagnosis);
  rule.output = read_payload(*fields, "Output", {}, diagnosis);
  return rule;
}

}  // namespace

Kind read_choice(const Fields& fields, std::string_view name, Reading& reading,
                 std::vector<Transition>& transitions) {
  Choice choice;
  choice.otherwise = fields.string("Default");
  if (const json::Value* rules = fields.get("Choices")) {
    const json::Array& list = rules->get_array();
    const Where where = fields.at("Choices");
    if (list.empty()) reading.diagnosis.schema("Value cannot be empty", where);
    for (std::size_t i = 0; i < list.size(); ++i) {
      auto rule = read_rule(list[i], where.item(i), fields.language(), name, transitions, reading.diagnosis);
      if (rule) choice.rules.push_back(*std::move(rule));
    }
  }
  if (fields.has("Default"))
    transitions.push_back({std::string(name), choice.otherwise, "Default", fields.at("Default")});
  return choice;
}

}  // namespace stoker::asl
