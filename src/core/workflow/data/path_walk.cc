#include "core/workflow/data/path_steps.h"
#include "core/workflow/data/values.h"

namespace stoker::asl::path {
namespace {

using Kind = Step::Kind;

bool is_single(const Step& step) {
  return step.kind == Kind::Name || step.kind == Kind::Index;
}

// Counted from the end when negative; cut to 0...size.
std::size_t bound_of(std::int64_t bound, std::size_t size) {
  const auto length = static_cast<std::int64_t>(size);
  return static_cast<std::size_t>(std::clamp(bound < 0 ? length + bound : bound, std::int64_t{0}, length));
}

const json::Value* element(const json::Value& value, std::int64_t index) {
  if (!value.is_array()) return nullptr;
  const json::Array& items = value.get_array();
  const auto size = static_cast<std::int64_t>(items.size());
  const std::int64_t at = index < 0 ? size + index : index;
  return at >= 0 && at < size ? &items[static_cast<std::size_t>(at)] : nullptr;
}

std::size_t count_values(const json::Value& value) {
  std::size_t count = 1;
  if (value.is_array())
    for (const json::Value& item : value.get_array()) count += count_values(item);
  if (value.is_object())
    for (const auto& member : value.get_object()) count += count_values(member.value());
  return count;
}

class Walk {
 public:
  Walk(const json::Value& document, std::size_t& visits_left)
      : document_(document), visits_left_(visits_left) {}

  bool collect(const Steps& steps, std::size_t from, const json::Value& value, json::Array& out) {
    visit(steps, from, value, out);
    return !exhausted_;
  }

 private:
  // Recursion goes as deep as the path has steps, and below a ".." as deep as the value, which is bounded.
  void visit(const Steps& steps, std::size_t at, const json::Value& value, json::Array& out) {
    if (!spend(1)) return;
    if (at == steps.size()) {
      if (spend(count_values(value))) out.push_back(value);
      return;
    }
    const Step& step = steps[at];
    switch (step.kind) {
      case Kind::Name:
      case Kind::Index:
        if (const json::Value* next = step_into(step, value)) visit(steps, at + 1, *next, out);
        break;
      case Kind::Names:
        visit_names(steps, at, value, out);
        break;
      case Kind::Indexes:
        for (const std::int64_t index : step.indexes)
          if (const json::Value* next = element(value, index)) visit(steps, at + 1, *next, out);
        break;
      case Kind::Slice:
        visit_slice(steps, at, value, out);
        break;
      case Kind::Wildcard:
        each_child(value, [&](const json::Value& child) { visit(steps, at + 1, child, out); });
        break;
      case Kind::Filter:
        visit_filter(steps, at, value, out);
        break;
      case Kind::Scan:
        scan(steps, at + 1, value, out, 0);
        break;
    }
  }

  void visit_names(const Steps& steps, std::size_t at, const json::Value& value, json::Array& out) {
    if (!value.is_object()) return;
    if (at + 1 == steps.size()) {
      json::Object members = select_members(value.get_object(), steps[at].names);
      for (const auto& member : members) spend(count_values(member.value()));
      if (!exhausted_) out.emplace_back(std::move(members));
      return;
    }
    for (const std::string& name : steps[at].names)
      if (const json::Value* next = value.get_object().if_contains(name)) visit(steps, at + 1, *next, out);
  }

  void visit_slice(const Steps& steps, std::size_t at, const json::Value& value, json::Array& out) {
    if (!value.is_array()) return;
    const json::Array& items = value.get_array();
    const std::size_t end = steps[at].to ? bound_of(*steps[at].to, items.size()) : items.size();
    for (std::size_t i = bound_of(steps[at].from.value_or(0), items.size()); i < end && !exhausted_; ++i)
      visit(steps, at + 1, items[i], out);
  }

  // An object is tried itself, of an array each element.
  void visit_filter(const Steps& steps, std::size_t at, const json::Value& value, json::Array& out) {
    const Filter& filter = *steps[at].filter;
    if (value.is_object() && holds(filter, value)) visit(steps, at + 1, value, out);
    if (!value.is_array()) return;
    for (const json::Value& item : value.get_array()) {
      if (exhausted_) return;
      if (holds(filter, item)) visit(steps, at + 1, item, out);
    }
  }

  void scan(const Steps& steps, std::size_t at, const json::Value& value, json::Array& out,
            std::size_t depth) {
    if (depth > kScanDepthMax) exhausted_ = true;
    if (!value.is_structured() || !spend(1)) return;
    visit(steps, at, value, out);
    each_child(value, [&](const json::Value& child) { scan(steps, at, child, out, depth + 1); });
  }

  template <class F>
  void each_child(const json::Value& value, F&& use) {
    if (value.is_array())
      for (const json::Value& item : value.get_array()) {
        if (exhausted_) return;
        use(item);
      }
    if (value.is_object())
      for (const auto& member : value.get_object()) {
        if (exhausted_) return;
        use(member.value());
      }
  }

  bool holds(const Filter& filter, const json::Value& current) {
    if (!spend(1)) return false;
    switch (filter.kind) {
      case Filter::Kind::And:
        for (const Filter& part : filter.parts)
          if (!holds(part, current)) return false;
        return true;
      case Filter::Kind::Or:
        for (const Filter& part : filter.parts)
          if (holds(part, current)) return true;
        return false;
      case Filter::Kind::Not:
        return !holds(filter.parts.front(), current);
      case Filter::Kind::Exists:
        return exists(filter.left, current);
      case Filter::Kind::Compare:
        return compare(filter, current);
    }
    return false;
  }

  bool exists(const Operand& operand, const json::Value& current) {
    json::Value store;
    const json::Value* found = resolve(operand, current, store);
    return found != nullptr && (is_definite(operand.steps) || !found->get_array().empty());
  }

  // Null: there is no such value. What an indefinite path finds goes into `store` as an array.
  const json::Value* resolve(const Operand& operand, const json::Value& current, json::Value& store) {
    if (operand.kind == Operand::Kind::Literal) return &operand.literal;
    const json::Value* value = operand.kind == Operand::Kind::Current ? &current : &document_;
    std::size_t at = 0;
    for (; at < operand.steps.size() && is_single(operand.steps[at]); ++at) {
      if (!spend(1)) return nullptr;
      value = step_into(operand.steps[at], *value);
      if (value == nullptr) return nullptr;
    }
    if (at == operand.steps.size()) return value;
    json::Array found;
    visit(operand.steps, at, *value, found);
    if (!is_definite(operand.steps)) {
      store = std::move(found);
      return &store;
    }
    if (found.empty()) return nullptr;
    store = std::move(found.front());
    return &store;
  }

  bool compare(const Filter& filter, const json::Value& current) {
    using Operator = Filter::Operator;
    json::Value left_store, right_store;
    const json::Value* left = resolve(filter.left, current, left_store);
    const json::Value* right = resolve(filter.right, current, right_store);
    switch (filter.op) {
      case Operator::Eq:
        return equal(left, right);
      case Operator::Ne:
        return !equal(left, right);
      case Operator::In:
        return contains(right, left);
      case Operator::NotIn:
        return !contains(right, left);
      default:
        break;
    }
    if (left == nullptr || right == nullptr) return false;
    std::partial_ordering order = std::partial_ordering::unordered;
    if (left->is_number() && right->is_number()) order = compare_numbers(*left, *right);
    if (left->is_string() && right->is_string()) order = compare_text(json::text(*left), json::text(*right));
    switch (filter.op) {
      case Operator::Lt:
        return order < 0;
      case Operator::Le:
        return order <= 0;
      case Operator::Gt:
        return order > 0;
      default:
        return order >= 0;
    }
  }

  bool equal(const json::Value* left, const json::Value* right) {
    if (left == nullptr || right == nullptr) return left == right;
    if (!spend(left->is_structured() ? count_values(*left) : 1)) return false;
    // A number equals the text that it is written as.
    if (left->is_number() && right->is_string()) return json::write(*left) == json::text(*right);
    if (left->is_string() && right->is_number()) return json::write(*right) == json::text(*left);
    return equal_values(*left, *right, Members::Unordered);
  }

  bool contains(const json::Value* list, const json::Value* item) {
    if (list == nullptr || !list->is_array()) return false;
    for (const json::Value& other : list->get_array())
      if (equal(&other, item)) return true;
    return false;
  }

  bool spend(std::size_t visits) {
    if (exhausted_ || visits > visits_left_) {
      exhausted_ = true;
      return false;
    }
    visits_left_ -= visits;
    return true;
  }

  const json::Value& document_;
  std::size_t& visits_left_;
  bool exhausted_ = false;
};

}  // namespace

bool is_definite(const Steps& steps) {
  const std::size_t count = definite_steps(steps);
  return count == steps.size() || (count + 1 == steps.size() && steps.back().kind == Kind::Names);
}

std::size_t definite_steps(const Steps& steps) {
  std::size_t count = 0;
  while (count < steps.size() && is_single(steps[count])) ++count;
  return count;
}

std::string canonical(const Steps& steps, std::size_t count) {
  std::string out = "$";
  for (const Step& step : std::span(steps).first(count)) {
    if (step.kind == Kind::Scan) {
      out += "..";
      continue;
    }
    out += '[';
    std::string_view separator;
    for (const std::string& name : step.names) {
      out.append(separator).append("'").append(name).append("'");
      separator = ",";
    }
    for (const std::int64_t index : step.indexes) {
      out.append(separator).append(std::to_string(index));
      separator = ",";
    }
    if (step.kind == Kind::Wildcard) out += '*';
    if (step.kind == Kind::Filter) out += '?';
    if (step.kind == Kind::Slice) {
      if (step.from) out += std::to_string(*step.from);
      out += ':';
      if (step.to) out += std::to_string(*step.to);
    }
    out += ']';
  }
  return out;
}

std::optional<json::Array> find_all(const Steps& steps, std::size_t from, const json::Value& value,
                                    const json::Value& document, std::size_t& visits_left) {
  json::Array out;
  if (!Walk(document, visits_left).collect(steps, from, value, out)) return std::nullopt;
  return out;
}

const json::Value* step_into(const Step& step, const json::Value& value) {
  if (step.kind == Kind::Index) return element(value, step.indexes.front());
  return value.is_object() ? value.get_object().if_contains(step.names.front()) : nullptr;
}

json::Object select_members(const json::Object& object, const std::vector<std::string>& names) {
  json::Object out;
  for (const std::string& name : names)
    if (const json::Value* value = object.if_contains(name)) out.insert_or_assign(name, *value);
  return out;
}

}  // namespace stoker::asl::path
