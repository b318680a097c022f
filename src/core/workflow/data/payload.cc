#include "core/workflow/data/payload.h"

#include "core/workflow/data/jsonata_field.h"
#include "core/workflow/data/values.h"

namespace stoker::asl {
namespace {

// A definition is parsed with a bound on its depth, which is the bound of all recursion here.
struct Node;
struct Member {
  std::string key;      // of the output: without ".$"
  std::string written;  // of the template
  std::shared_ptr<const Node> value;
};
using Fields = std::vector<Member>;
using Items = std::vector<Node>;

struct Node {
  // What has nothing to compute in it is one literal, however large.
  std::variant<json::Value, Path, Intrinsic, jsonata::Expression, Fields, Items> is;
};

bool is_literal(const Node& node) {
  return std::holds_alternative<json::Value>(node.is);
}

constexpr std::string_view kDynamic = ".$";

class Reader {
 public:
  Reader(Language language, std::vector<TemplateFault>& faults) : language_(language), faults_(faults) {}

  Node read(const json::Value& value, const Spot& where) {
    if (value.is_object()) return read_object(value.get_object(), where);
    if (value.is_array()) return read_array(value.get_array(), where);
    if (language_ == Language::Jsonata && is_jsonata(json::text(value)))
      return read_expression(json::text(value), where);
    return {value};
  }

  [[nodiscard]] bool failed() const { return failed_; }

 private:
  Node read_object(const json::Object& object, const Spot& where) {
    Fields members;
    bool computed = false;
    for (const auto& [key, value] : object) {
      const std::string_view name(key.data(), key.size());
      Member member{.key = std::string(name), .written = std::string(name), .value = nullptr};
      if (language_ == Language::JsonPath && name.ends_with(kDynamic)) {
        member.key = name.substr(0, name.size() - kDynamic.size());
        if (object.contains(member.key))
          fault("SCHEMA_VALIDATION_FAILED",
                "The fields '" + member.key + "' and '" + member.written + "' cannot both be present", where);
        member.value = std::make_shared<const Node>(read_computed(name, value, where));
        computed = true;
      } else {
        member.value = std::make_shared<const Node>(read(value, where.member(name)));
        computed = computed || !is_literal(*member.value);
      }
      members.push_back(std::move(member));
    }
    if (!computed) return {json::Value(object)};
    return {std::move(members)};
  }

  Node read_array(const json::Array& array, const Spot& where) {
    Items items;
    bool computed = false;
    for (std::size_t i = 0; i < array.size(); ++i) {
      items.push_back(read(array[i], where.item(i)));
      computed = computed || !is_literal(items.back());
    }
    if (!computed) return {json::Value(array)};
    return {std::move(items)};
  }

  // The value of a key that ends in ".$".
  Node read_computed(std::string_view key, const json::Value& value, const Spot& where) {
    const std::string_view text = json::text(value);
    if (text.starts_with('$')) {
      if (auto path = Path::parse(text)) return {*std::move(path)};
    } else if (auto call = Intrinsic::parse(text)) {
      return {*std::move(call)};
    }
    fault("SCHEMA_VALIDATION_FAILED",
          "The value for the field '" + std::string(key) +
              "' must be a valid JSONPath or a valid intrinsic function call",
          where);
    return {json::Value()};
  }

  Node read_expression(std::string_view text, const Spot& where) {
    auto expression = jsonata::Expression::parse(jsonata_source(text));
    if (!expression) {
      fault("INVALID_JSONATA_EXPRESSION", expression.error().message, where);
      return {json::Value()};
    }
    for (const std::string& reference : expression->top_level_references())
      fault("UNSUPPORTED_JSONATA_EXPRESSION", reference, where);
    return {*std::move(expression)};
  }

  void fault(std::string_view code, std::string message, const Spot& where) {
    failed_ = true;
    if (faults_.size() < kTemplateFaultsMax)
      faults_.push_back({.code = std::string(code), .message = std::move(message), .where = where.text()});
  }

  Language language_;
  std::vector<TemplateFault>& faults_;
  bool failed_ = false;
};

// One evaluation of a whole tree.
class Evaluation {
 public:
  explicit Evaluation(const Scope& scope) : scope_(scope) {}

  // `field` is the path of the node for JSONata ("Output/a[0]"), the key for JSONPath ("a.$").
  Evaluated<json::Value> evaluate(const Node& node, const Spot& field, std::string_view key) {
    if (const auto* literal = std::get_if<json::Value>(&node.is)) return *literal;
    if (const auto* members = std::get_if<Fields>(&node.is)) return evaluate_members(*members, field);
    if (const auto* items = std::get_if<Items>(&node.is)) return evaluate_items(*items, field, key);
    auto value = compute(node, field, key);
    if (value && !meter_.add(*value))
      return std::unexpected(Fault{.error = std::string(kDataLimitExceeded),
                                   .cause = "The values read or made for one field exceed " +
                                            std::to_string(kEvaluationBytesMax) + " bytes"});
    return value;
  }

 private:
  Evaluated<json::Value> compute(const Node& node, const Spot& field, std::string_view key) {
    if (const auto* path = std::get_if<Path>(&node.is)) return read(*path, key);
    if (const auto* call = std::get_if<Intrinsic>(&node.is)) return call->evaluate(scope_);
    if (!world_) world_.emplace(scope_);
    return world_->evaluate(std::get<jsonata::Expression>(node.is), field);
  }

  Evaluated<json::Value> read(const Path& path, std::string_view key) const {
    auto found = path.read(scope_);
    if (found) return *std::move(found);
    if (found.error().past_end) return json::Value(nullptr);
    if (found.error().misapplied) return std::unexpected(runtime_fault(found.error().text));
    static const json::Value nothing = json::Object();
    const json::Value* searched = path.root() == Path::Root::Context ? scope_.context : scope_.input;
    return std::unexpected(missing_in_field(path.text(), key, searched != nullptr ? *searched : nothing));
  }

  Evaluated<json::Value> evaluate_members(const Fields& members, const Spot& field) {
    json::Object out;
    for (const Member& member : members) {
      if (const auto* literal = std::get_if<json::Value>(&member.value->is)) {
        out.insert_or_assign(member.key, *literal);
        continue;
      }
      auto value = evaluate(*member.value, field.member(member.key), member.written);
      if (!value) return value;
      out.insert_or_assign(member.key, *std::move(value));
    }
    return json::Value(std::move(out));
  }

  Evaluated<json::Value> evaluate_items(const Items& items, const Spot& field, std::string_view key) {
    json::Array out;
    for (std::size_t i = 0; i < items.size(); ++i) {
      auto value = evaluate(items[i], field.item(i), key);
      if (!value) return value;
      out.push_back(*std::move(value));
    }
    return json::Value(std::move(out));
  }

  const Scope& scope_;
  std::optional<JsonataWorld> world_;  // made when the first expression needs it
  Meter meter_;
};

void visit(const Node& node, const Spot& where,
           const std::function<void(const Node&, const Spot& where)>& use) {
  if (const auto* members = std::get_if<Fields>(&node.is)) {
    for (const Member& member : *members) visit(*member.value, where.member(member.key), use);
  } else if (const auto* items = std::get_if<Items>(&node.is)) {
    for (std::size_t i = 0; i < items->size(); ++i) visit((*items)[i], where.item(i), use);
  } else {
    use(node, where);
  }
}

}  // namespace

struct Payload::Parsed {
  Node root;
};

std::optional<Payload> Payload::parse(const json::Value& value, Language language,
                                      std::vector<TemplateFault>& faults) {
  Reader reader(language, faults);
  Node root = reader.read(value, Spot(""));
  if (reader.failed()) return std::nullopt;
  return Payload(std::make_shared<const Parsed>(std::move(root)));
}

Evaluated<json::Value> Payload::evaluate(std::string_view field, const Scope& scope) const {
  const Node& root = parsed_->root;
  auto value = Evaluation(scope).evaluate(root, Spot(field), field);
  if (value && !is_literal(root) && deeper_than(*value, kValueDepthMax))
    return std::unexpected(Fault{.error = std::string(kDataLimitExceeded),
                                 .cause = "The value of the field '" + std::string(field) +
                                          "' nests more than " + std::to_string(kValueDepthMax) + " deep"});
  return value;
}

void Payload::visit_paths(const std::function<void(const Path&)>& use) const {
  visit(parsed_->root, Spot(""), [&](const Node& node, const Spot&) {
    if (const auto* path = std::get_if<Path>(&node.is)) use(*path);
    if (const auto* call = std::get_if<Intrinsic>(&node.is))
      for (const Path* path : call->paths()) use(*path);
  });
}

void Payload::visit_expressions(
    const std::function<void(const jsonata::Expression&, const Spot& where)>& use) const {
  visit(parsed_->root, Spot(""), [&](const Node& node, const Spot& where) {
    if (const auto* expression = std::get_if<jsonata::Expression>(&node.is)) use(*expression, where);
  });
}

}  // namespace stoker::asl
