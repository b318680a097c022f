#include "core/workflow/jsonata/syntax/references.h"

#include <algorithm>
#include <set>

#include "core/workflow/jsonata/functions/builtin.h"

namespace stoker::jsonata {

namespace {

using Kind = Node::Kind;

bool is_builtin(std::string_view name) {
  return find_builtin(name, true) != nullptr || find_builtin(name, false) != nullptr;
}

class Finder {
 public:
  void visit(const Node& node, bool top) {
    switch (node.kind) {
      case Kind::Path:
        path(node, top);
        break;
      case Kind::Variable:
        variable(node, top, {});
        break;
      case Kind::Name:
        if (top) top_level("Reference to '" + node.text + "' at the top level is not supported.");
        break;
      case Kind::Wildcard:
      case Kind::Descendants:
        if (top) top_level("Reference to '" + node.text + "' at the top level is not supported.");
        break;
      case Kind::Block:
        in_scope([&] { children(node, top); });
        break;
      case Kind::Lambda:
        in_scope([&] {
          for (const Node* parameter : node.items) bound_.back().insert(parameter->text);
          visit(*node.right, false);
        });
        break;
      case Kind::Bind:
        visit(*node.right, top);
        bound_.back().insert(node.left->text);
        break;
      case Kind::Transform:
        for (const Node* part : {node.left, node.right, node.otherwise})
          if (part != nullptr) visit(*part, false);
        break;
      case Kind::Call:
      case Kind::Partial:
        call(node, top);
        break;
      default:
        children(node, top);
    }
    if (node.kind == Kind::Path) return;
    stages(node.predicates);
    group(node);
  }

  References out;

 private:
  template <class Body>
  void in_scope(const Body& body) {
    bound_.emplace_back();
    body();
    bound_.pop_back();
  }

  void children(const Node& node, bool top) {
    if (node.left != nullptr) visit(*node.left, top);
    if (node.right != nullptr) visit(*node.right, top);
    if (node.otherwise != nullptr) visit(*node.otherwise, top);
    for (const Node* item : node.items) visit(*item, top);
    for (const Pair& pair : node.pairs) {
      visit(*pair.key, top);
      visit(*pair.value, top);
    }
  }

  // The name of what is called is no member of the input, even when it lacks its $.
  void call(const Node& node, bool top) {
    const bool named = node.left->kind == Kind::Path && node.left->items.size() == 1;
    if (!named) visit(*node.left, top);
    for (const Node* item : node.items)
      if (item->kind != Kind::Placeholder) visit(*item, top);
  }

  void path(const Node& node, bool top) {
    in_scope([&] {  // @ and # bind for the steps that follow
      for (std::size_t i = 0; i < node.items.size(); ++i) {
        const Node& step = *node.items[i];
        if (i == 0 && step.kind == Kind::Variable) {
          std::vector<std::string> names;
          for (std::size_t j = 1; j < node.items.size() && node.items[j]->kind == Kind::Name; ++j)
            names.push_back(node.items[j]->text);
          variable(step, top, std::move(names));
          stages(step.predicates);
          group(step);
        } else if (step.kind == Kind::Sort) {
          for (const Node* term : step.items) visit(*term, false);
        } else {
          visit(step, top && i == 0);
        }
        for (const std::string& name : {step.focus, step.index})
          if (!name.empty()) bound_.back().insert(name);
        stages(step.stages);
      }
      group(node);
    });
  }

  void stages(const std::vector<Stage>& stages) {
    for (const Stage& stage : stages) {
      if (stage.filter != nullptr) visit(*stage.filter, false);
      if (!stage.variable.empty()) bound_.back().insert(stage.variable);
    }
  }

  void group(const Node& node) {
    if (node.group == nullptr) return;
    for (const Pair& pair : node.group->pairs) {
      visit(*pair.key, false);
      visit(*pair.value, false);
    }
  }

  void variable(const Node& node, bool top, std::vector<std::string> names) {
    if (node.text.empty()) {
      if (top) top_level("Reference to '$' at the top level is not supported.");
      return;
    }
    if (node.text == "$") {
      if (top) top_level("Reference to '$$' is not supported.");
      return;
    }
    const bool known = std::any_of(bound_.begin(), bound_.end(),
                                   [&](const auto& scope) { return scope.contains(node.text); });
    if (known || is_builtin(node.text)) return;
    names.insert(names.begin(), node.text);
    if (std::find(out.variables.begin(), out.variables.end(), names) == out.variables.end())
      out.variables.push_back(std::move(names));
  }

  void top_level(std::string sentence) {
    if (std::find(out.top_level.begin(), out.top_level.end(), sentence) == out.top_level.end())
      out.top_level.push_back(std::move(sentence));
  }

  std::vector<std::set<std::string>> bound_ = {{}};
};

}  // namespace

References find_references(const Node& root) {
  Finder finder;
  finder.visit(root, true);
  return std::move(finder.out);
}

}  // namespace stoker::jsonata
