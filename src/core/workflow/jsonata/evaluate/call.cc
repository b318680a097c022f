#include <cmath>

#include "core/workflow/jsonata/evaluate/deeper.h"
#include "core/workflow/jsonata/functions/builtin.h"
#include "core/workflow/jsonata/regex/regex.h"
#include "core/workflow/jsonata/value/convert.h"
#include "core/workflow/jsonata/value/text.h"

namespace stoker::jsonata {

using Kind = Node::Kind;

namespace {

// The name of what is called, as it is written.
std::optional<std::string_view> called_name(const Node& procedure) {
  if (procedure.kind == Kind::Path) return procedure.items.front()->text;
  if (procedure.kind == Kind::Block || procedure.kind == Kind::Lambda || procedure.kind == Kind::Condition)
    return std::nullopt;
  return procedure.text;
}

const Value& argument(const std::vector<Value>& arguments, std::size_t index) {
  static const Value undefined;
  return index < arguments.size() ? arguments[index] : undefined;
}

}  // namespace

std::size_t arity(const FunctionObject& function) {
  struct Visitor {
    std::size_t operator()(const BuiltinFunction& f) const { return f.builtin->arity; }
    std::size_t operator()(const Closure& f) const { return f.lambda->items.size(); }
    std::size_t operator()(const PartialCall& f) const { return f.open.size(); }
    std::size_t operator()(const Matcher&) const { return 2; }
    std::size_t operator()(const NextMatch&) const { return 0; }
    std::size_t operator()(const TailCall&) const { return 0; }
    std::size_t operator()(const Chain&) const { return 1; }
    std::size_t operator()(const Transformer&) const { return 1; }
  };
  return std::visit(Visitor{}, function.kind);
}

// `first`: an argument in front of those written, as ~> gives it.
Answer<Value> Evaluator::call_node(const Node& node, const Value& input, Frame& frame, const Value* first) {
  const Value procedure = TRY(evaluate(*node.left, input, frame));
  const auto name = called_name(*node.left);
  if (procedure.is_undefined() && node.left->kind == Kind::Path && !lookup(*name, frame).is_undefined())
    return std::unexpected(Fault("T1005").at(node.position).with_text("token", *name));
  std::vector<Value> arguments;
  arguments.reserve(node.items.size() + 1);
  if (first != nullptr) arguments.push_back(*first);
  for (const Node* item : node.items) arguments.push_back(TRY(evaluate(*item, input, frame)));
  auto result = apply(procedure, std::move(arguments), input, frame, {name, node.position});
  if (!result) {
    if (!result.error().has_position()) result.error().set_position(node.position);
    if (!result.error().has("token") && name) result.error().set_token(*name);
  }
  return result;
}

Answer<Value> Evaluator::partial(const Node& node, const Value& input, Frame& frame) {
  PartialCall out;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const bool open = node.items[i]->kind == Kind::Placeholder;
    if (open) out.open.push_back(i);
    out.arguments.push_back(open ? Value() : TRY(evaluate(*node.items[i], input, frame)));
  }
  out.function = TRY(evaluate(*node.left, input, frame));
  const auto name = called_name(*node.left);
  if (!out.function.is_function()) {
    const bool forgot =
        out.function.is_undefined() && node.left->kind == Kind::Path && !lookup(*name, frame).is_undefined();
    Fault fault = Fault(forgot ? "T1007" : "T1008").at(node.position);
    if (name) fault.set_token(*name);
    return std::unexpected(std::move(fault));
  }
  return new_function(heap_, std::move(out));
}

// a ~> b
Answer<Value> Evaluator::chain(const Node& node, const Value& input, Frame& frame) {
  const Value left = TRY(evaluate(*node.left, input, frame));
  const bool bare = node.right->predicates.empty() && node.right->group == nullptr;
  if (node.right->kind == Kind::Call && bare) return call_node(*node.right, input, frame, &left);
  Value function = TRY(evaluate(*node.right, input, frame));
  if (!function.is_function())
    return std::unexpected(Fault("T2006").at(node.position).with("value", shown(function)));
  if (left.is_function()) return new_function(heap_, Chain{left, std::move(function)});
  return apply(std::move(function), {left}, Value::null(), frame, {std::nullopt, node.position});
}

Answer<Value> Evaluator::call(const Value& function, std::vector<Value> arguments, Frame& frame) {
  return apply(function, std::move(arguments), Value::null(), frame, {});
}

// Calls in tail position come back as such and are carried out here, without growing the stack.
Answer<Value> Evaluator::apply(Value function, std::vector<Value> arguments, const Value& input, Frame& frame,
                               Site site) {
  const Deeper deeper(calls_, environment_.limits.depth + 1);
  TRY(deeper.check());
  while (true) {
    TRY(heap_.step());
    const FunctionObject* object = function.function();
    if (const auto* partial = object == nullptr ? nullptr : std::get_if<PartialCall>(&object->kind)) {
      std::vector<Value> all = partial->arguments;
      for (std::size_t i = 0; i < partial->open.size(); ++i) all[partial->open[i]] = argument(arguments, i);
      arguments = std::move(all);
      function = Value(partial->function);
      continue;
    }
    if (const auto* chain = object == nullptr ? nullptr : std::get_if<Chain>(&object->kind)) {
      Value between = TRY(apply(chain->first, std::move(arguments), Value::null(), frame, {}));
      function = Value(chain->second);
      arguments.assign(1, std::move(between));
      continue;
    }
    auto result = apply_once(function, std::move(arguments), input, frame);
    if (!result) {
      if (!result.error().has("token") && site.token) result.error().set_token(*site.token);
      if (site.position != 0) result.error().set_position(site.position);
      return result;
    }
    const FunctionObject* returned = result->function();
    const auto* tail = returned == nullptr ? nullptr : std::get_if<TailCall>(&returned->kind);
    if (tail == nullptr) return result;
    const Value held = *result;
    const Node& next = *tail->call;
    function = TRY(evaluate(*next.left, tail->input, *tail->frame));
    arguments.clear();
    for (const Node* item : next.items) arguments.push_back(TRY(evaluate(*item, tail->input, *tail->frame)));
    site = {
        next.left->kind == Kind::Variable ? std::optional<std::string_view>(next.left->text) : std::nullopt,
        next.left->position};
  }
}

Answer<Value> Evaluator::apply_once(const Value& function, std::vector<Value> arguments, const Value& input,
                                    Frame& frame) {
  const FunctionObject* object = function.function();
  if (object == nullptr) return fault("T1006");
  if (const auto* builtin = std::get_if<BuiltinFunction>(&object->kind))
    return apply_builtin(*builtin->builtin, std::move(arguments), input, frame);
  if (const auto* closure = std::get_if<Closure>(&object->kind))
    return apply_closure(*closure, std::move(arguments), input);
  if (const auto* transformer = std::get_if<Transformer>(&object->kind)) {
    static const Signature signature = *Signature::parse("<(oa):o>");
    arguments = TRY(signature.validate(heap_, std::move(arguments), input));
    return transform(*transformer->node, argument(arguments, 0), *transformer->frame);
  }
  if (const auto* matcher = std::get_if<Matcher>(&object->kind)) {
    const Value& text = argument(arguments, 0);
    if (!text.is_text()) return Value();
    TRY(heap_.room(2 * static_cast<double>(text.as_text().size())));
    TRY(heap_.step(text.as_text().size() / 8));
    const Ref<SubjectObject> subject(new SubjectObject(heap_, to_utf16(text.as_text())));
    const Value& from = argument(arguments, 1);
    const double at = from.is_number() && from.as_number() > 0 ? std::floor(from.as_number()) : 0;
    if (at > static_cast<double>(subject->text.size())) return Value();
    return apply_matcher(*matcher->node, subject, static_cast<std::size_t>(at));
  }
  if (const auto* next = std::get_if<NextMatch>(&object->kind)) return next_match(*next);
  return fault("T1006");
}

Answer<Value> Evaluator::apply_builtin(const Builtin& builtin, std::vector<Value> arguments,
                                       const Value& input, Frame& frame) {
  auto valid = signature_of(builtin).validate(heap_, std::move(arguments), input);
  if (!valid) {
    valid.error().set_token(builtin.name);
    return std::unexpected(std::move(valid).error());
  }
  return builtin.run(Call{*this, *valid, input, frame});
}

Answer<Value> Evaluator::apply_closure(const Closure& closure, std::vector<Value> arguments,
                                       const Value& input) {
  const Node& lambda = *closure.lambda;
  if (lambda.signature != nullptr)
    arguments = TRY(lambda.signature->validate(heap_, std::move(arguments), input));
  const Ref<Frame> frame(new Frame(heap_, closure.frame.get()));
  for (std::size_t i = 0; i < lambda.items.size(); ++i)
    frame->bind(lambda.items[i]->text, argument(arguments, i));
  return evaluate(*lambda.right, closure.input, *frame);
}

// A match as an object; undefined when there is none.
Answer<Value> Evaluator::apply_matcher(const Node& regex, const Ref<SubjectObject>& subject,
                                       std::size_t from) {
  Regex::Groups found;
  std::int64_t steps = heap_.steps_left();
  const std::int64_t before = steps;
  const auto outcome = regex.regex->search(subject->text, from, steps, found);
  TRY(heap_.step(static_cast<std::size_t>(before - std::max<std::int64_t>(steps, 0))));
  if (outcome == Regex::Found::OutOfSteps)
    return std::unexpected(Fault("U1001").saying("Regular expression takes too many steps to match"));
  if (outcome == Regex::Found::No) return Value();
  const std::u16string_view whole = subject->text;
  const auto key = [](std::string_view name) { return Value::borrow(name); };
  const Ref<ArrayObject> groups = new_array(heap_);
  for (std::size_t group = 1; 2 * group < found.size(); ++group) {
    const std::size_t begin = found[2 * group];
    const std::size_t end = found[2 * group + 1];
    const bool took_part = begin != Regex::npos && end != Regex::npos;
    groups->push(took_part ? text(to_utf8(whole.substr(begin, end - begin))) : Value());
  }
  const Ref<MapObject> match = new_map(heap_);
  match->set(key("match"), text(to_utf8(whole.substr(found[0], found[1] - found[0]))));
  match->set(key("start"), Value::number(found[0]));
  match->set(key("end"), Value::number(found[1]));
  match->set(key("groups"), Value::of(groups));
  match->set(key("next"), new_function(heap_, NextMatch{&regex, subject, found[1]}));
  return Value::of(match);
}

Answer<Value> Evaluator::next_match(const NextMatch& next) {
  if (next.from >= next.subject->text.size()) return Value();
  Value match = TRY(apply_matcher(*next.node, next.subject, next.from));
  if (match.is_map() && match.member("match").as_text().empty())
    return std::unexpected(Fault("D1004").at(next.node->position));
  return match;
}

}  // namespace stoker::jsonata
