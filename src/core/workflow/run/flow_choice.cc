// Choice: which rule holds (amazon-states-language.md 3).
#include "core/workflow/run/expressions.h"
#include "core/workflow/run/flow_parts.h"

namespace stoker::workflow {
namespace {

std::string rule_field(std::size_t rule, std::string_view member) {
  return "Choices[" + std::to_string(rule) + "]/" + std::string(member);
}

Evaluated<bool> holds(const asl::ChoiceRule& rule, std::size_t index, const asl::Scope& scope) {
  if (const auto* literal = std::get_if<bool>(&rule.condition)) return *literal;
  if (const auto* condition = std::get_if<asl::Condition>(&rule.condition)) return condition->holds(scope);
  const auto& expression = std::get<jsonata::Expression>(rule.condition);
  const std::string field = rule_field(index, "Condition");
  auto value = asl::evaluate_jsonata(expression, field, scope);
  if (!value) return std::unexpected(std::move(value).error());
  if (!value->is_bool()) return std::unexpected(unexpected_type(expression, field, "boolean", *value));
  return value->get_bool();
}

// The output and variables of the rule that holds, or of the state when none does.
Evaluated<Leaving> leave_choice(const Surroundings& around, const asl::Choice& choice, std::int64_t rule,
                                const Document& effective) {
  const asl::State& state = around.state;
  const asl::ChoiceRule* taken = rule >= 0 ? &choice.rules[static_cast<std::size_t>(rule)] : nullptr;
  const auto field = [&](std::string_view member) {
    return taken != nullptr ? rule_field(static_cast<std::size_t>(rule), member) : std::string(member);
  };
  Leaving leaving{
      .output = effective, .assigned = {}, .next = taken != nullptr ? taken->next : choice.otherwise};
  const asl::Scope scope = scope_of(around, effective.value());
  auto assigned = assign(taken != nullptr ? taken->assign : state.assign, field("Assign"), scope,
                         *around.limits, state.name);
  if (!assigned) return std::unexpected(std::move(assigned).error());
  leaving.assigned = *std::move(assigned);

  const std::optional<asl::Payload>& output = taken != nullptr ? taken->output : state.output;
  if (state.language == asl::Language::JsonPath) {
    auto selected = selected_output(around, effective);
    if (!selected) return std::unexpected(std::move(selected).error());
    leaving.output = *std::move(selected);
  } else if (output) {
    auto value = output->evaluate(field("Output"), scope);
    if (!value) return std::unexpected(std::move(value).error());
    leaving.output = Document(*std::move(value));
  }
  if (auto fits = check_size(*around.limits, leaving.output, state.name); !fits)
    return std::unexpected(std::move(fits).error());
  return leaving;
}

}  // namespace

Evaluated<Chosen> choose(const Surroundings& around) {
  const auto& choice = std::get<asl::Choice>(around.state.kind);
  Document effective = around.input;
  if (around.state.language == asl::Language::JsonPath) {
    auto filtered = filtered_input(around);
    if (!filtered) return std::unexpected(std::move(filtered).error());
    effective = *std::move(filtered);
  }
  Chosen chosen;
  const asl::Scope scope = scope_of(around, effective.value());
  // In order; the first that holds wins.
  for (std::size_t i = 0; i < choice.rules.size() && chosen.rule < 0; ++i) {
    auto held = holds(choice.rules[i], i, scope);
    if (!held) return std::unexpected(std::move(held).error());
    if (*held) chosen.rule = static_cast<std::int64_t>(i);
  }
  // RECORDED: States.Runtime, where the documents name States.NoChoiceMatched.
  if (chosen.rule < 0 && choice.otherwise.empty())
    return std::unexpected(
        runtime_fault("Failed to transition out of the state. The state does not point to a next state."));
  auto leaving = leave_choice(around, choice, chosen.rule, effective);
  if (!leaving) return std::unexpected(std::move(leaving).error());
  chosen.leaving = *std::move(leaving);
  return chosen;
}

}  // namespace stoker::workflow
