#include "core/resources/capacity_units.h"

#include <algorithm>

#include "base/text.h"
#include "core/placement/gpu_model.h"
#include "core/resources/rules.h"

namespace stoker::core {
namespace {

constexpr std::size_t kUnitMax = 64;  // characters

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_lower_or_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z');
}

// "g5.12xlarge", "ml.p4d.24xlarge", "u-6tb1.metal".
bool is_instance_type(std::string_view text) {
  if (text.starts_with("ml.")) text.remove_prefix(3);
  const auto parts = split(text, '.');
  return parts.size() == 2 && std::ranges::all_of(parts, [](std::string_view part) {
           return !part.empty() && is_lower_or_digit(part.front()) &&
                  std::ranges::all_of(part, [](char c) { return is_lower_or_digit(c) || c == '-'; });
         });
}

// "A10G", "A100-80GB", "RTX 6000": every model has a number, which the words for amounts have not.
bool looks_like_model(std::string_view text) {
  return is_alphanumeric(text.front()) && all_of_set(text, "- _") && std::ranges::any_of(text, is_digit);
}

// The words of a model that tell it from others.
std::vector<std::string> numbered_words(std::string_view model) {
  std::vector<std::string> words(1);
  for (const char c : model) {
    if (is_alphanumeric(c))
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  std::erase_if(words, [](const std::string& word) { return std::ranges::none_of(word, is_digit); });
  return words;
}

}  // namespace

std::optional<CapacityUnit> parse_capacity_unit(std::string_view text) {
  using Kind = CapacityUnit::Kind;
  if (text.empty() || text.size() > kUnitMax) return std::nullopt;
  if (equal_ignoring_case(text, "GPU")) return CapacityUnit{Kind::Gpu};
  if (equal_ignoring_case(text, "VCPU")) return CapacityUnit{Kind::Vcpu};
  if (is_instance_type(text)) return CapacityUnit{Kind::Instance, std::string(text)};
  if (looks_like_model(text)) return CapacityUnit{Kind::GpuModel, to_lower(text)};
  return std::nullopt;
}

bool is_known_unit(const CapacityUnit& unit, const fleet::Catalogue& catalogue,
                   const std::map<std::string, Node>& nodes) {
  // The family of an instance type begins with a letter: 1.5 is none.
  if (unit.kind == CapacityUnit::Kind::Instance) return !is_digit(unit.name.front());
  if (unit.kind != CapacityUnit::Kind::GpuModel) return true;
  const auto words = numbered_words(unit.name);
  const auto is_named = [&](std::string_view model) {
    return std::ranges::any_of(words, [&](const std::string& word) { return is_model(model, word); });
  };
  return std::ranges::any_of(catalogue.types(), is_named, &fleet::InstanceType::gpu_model) ||
         std::ranges::any_of(nodes, [&](const auto& entry) {
           return std::ranges::any_of(entry.second.gpus, is_named, &NodeGpu::model);
         });
}

}  // namespace stoker::core
