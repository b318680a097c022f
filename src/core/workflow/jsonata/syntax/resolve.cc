// The second pass over the tree, bottom up.
#include <algorithm>

#include "core/workflow/jsonata/syntax/parse.h"
#include "core/workflow/jsonata/value/number.h"

namespace stoker::jsonata {

namespace {

using Kind = Node::Kind;

std::unexpected<Fault> fault_at(std::string_view code, const Node& node) {
  return std::unexpected(Fault(std::string(code)).at(node.position));
}

// ---- calls in tail position, which need no stack ----

bool is_bare_call(const Node& node) {
  return node.kind == Kind::Call && node.predicates.empty() && node.group == nullptr && !node.keep_array;
}

Node* mark_tail_calls(Ast& ast, Node* node) {
  if (is_bare_call(*node)) {
    Node* thunk = ast.make(Kind::Thunk, node->position);
    thunk->left = node;
    return thunk;
  }
  const bool plain = node->predicates.empty() && node->group == nullptr && !node->keep_array;
  if (!plain) return node;
  if (node->kind == Kind::Condition) {
    node->right = mark_tail_calls(ast, node->right);
    if (node->otherwise != nullptr) node->otherwise = mark_tail_calls(ast, node->otherwise);
  } else if (node->kind == Kind::Block && !node->items.empty()) {
    node->items.back() = mark_tail_calls(ast, node->items.back());
  }
  return node;
}

// ---- parents ----

// Counts the slot's level down to the step that the parent operator means, which then binds it.
Answer<void> seek_parent(Node& node, Slot& slot) {
  switch (node.kind) {
    case Kind::Name:
    case Kind::Wildcard:
      if (--slot.level == 0) {
        if (node.ancestor != nullptr) slot.label = node.ancestor->label;
        node.ancestor = &slot;
        node.tuple = true;
      }
      return {};
    case Kind::Parent:
      ++slot.level;
      return {};
    case Kind::Block:
      if (node.items.empty()) return {};
      node.tuple = true;
      return seek_parent(*node.items.back(), slot);
    case Kind::Path: {
      node.tuple = true;
      std::size_t at = node.items.size() - 1;
      TRY(seek_parent(*node.items[at], slot));
      while (slot.level > 0 && at > 0) TRY(seek_parent(*node.items[--at], slot));
      return {};
    }
    default:
      return fault_at("S0217", node);
  }
}

// What `part` seeks is sought by the node around it.
void hand_up(Node& node, const Node& part) {
  node.seeking.insert(node.seeking.end(), part.seeking.begin(), part.seeking.end());
  if (part.kind == Kind::Parent) node.seeking.push_back(part.slot);
}

// Looks among the steps before the last for what the last one seeks.
Answer<void> resolve_parents(Node& path) {
  const Node& last = *path.items.back();
  std::vector<Slot*> slots = last.seeking;
  if (last.kind == Kind::Parent) slots.push_back(last.slot);
  for (Slot* slot : slots) {
    std::size_t before = path.items.size() - 1;
    while (slot->level > 0) {
      if (before == 0) {
        path.seeking.push_back(slot);
        break;
      }
      Node* step = path.items[--before];
      // Of neighbours that bind the focus the first counts: they share a context.
      while (before > 0 && !step->focus.empty() && !path.items[before - 1]->focus.empty())
        step = path.items[--before];
      TRY(seek_parent(*step, *slot));
    }
  }
  return {};
}

class Resolver {
 public:
  explicit Resolver(Ast& ast) : ast_(ast) {}

  Answer<Node*> resolve(Node* node) {
    Node* out = TRY(by_kind(node));
    if (node->keep_array) out->keep_array = true;
    return out;
  }

 private:
  Answer<Node*> by_kind(Node* node) {
    switch (node->kind) {
      case Kind::Dot:
        return dot(*node);
      case Kind::Filter:
        return filter(*node);
      case Kind::GroupBy:
        return group_by(*node);
      case Kind::OrderBy:
        return order_by(*node);
      case Kind::Focus:
        return focus(*node);
      case Kind::Index:
        return index(*node);
      case Kind::Keyword:
        node->kind = Kind::Name;
        return name(node);
      case Kind::Name:
        return name(node);
      case Kind::Parent:
        node->slot = &ast_.slots.emplace_back();
        node->slot->label = "!" + std::to_string(ast_.slots.size() - 1);
        return node;
      case Kind::End:
        return fault_at("S0207", *node);
      case Kind::Negate:
        return negate(*node);
      case Kind::Apply:
        node->left = TRY(resolve(node->left));
        node->right = TRY(resolve(node->right));
        node->keep_array = node->left->keep_array || node->right->keep_array;
        return node;
      case Kind::Lambda:
        node->right = mark_tail_calls(ast_, TRY(resolve(node->right)));
        return node;
      case Kind::Transform:
        node->left = TRY(resolve(node->left));
        node->right = TRY(resolve(node->right));
        if (node->otherwise != nullptr) node->otherwise = TRY(resolve(node->otherwise));
        return node;
      case Kind::Call:
      case Kind::Partial:
        TRY(resolve_all(*node, node->items));
        node->left = TRY(resolve(node->left));
        return node;
      case Kind::Block:
        TRY(resolve_all(*node, node->items));
        for (const Node* item : node->items)
          if (item->constructed || (item->kind == Kind::Path && item->items.front()->constructed))
            node->constructed = true;
        return node;
      case Kind::Array:
        TRY(resolve_all(*node, node->items));
        return node;
      case Kind::Object:
        for (Pair& pair : node->pairs) {
          TRY(resolve_part(*node, pair.key));
          TRY(resolve_part(*node, pair.value));
        }
        return node;
      case Kind::Bind:
        TRY(resolve_part(*node, node->right));
        return node;
      case Kind::Binary:
      case Kind::And:
      case Kind::Or:
      case Kind::Range:
      case Kind::Condition:
        TRY(resolve_part(*node, node->left));
        TRY(resolve_part(*node, node->right));
        if (node->otherwise != nullptr) TRY(resolve_part(*node, node->otherwise));
        return node;
      default:
        return node;
    }
  }

  Answer<void> resolve_part(Node& around, Node*& part) {
    part = TRY(resolve(part));
    hand_up(around, *part);
    return {};
  }
  Answer<void> resolve_all(Node& around, std::vector<Node*>& parts) {
    for (Node*& part : parts) TRY(resolve_part(around, part));
    return {};
  }

  Node* path_of(Node* step) {
    if (step->kind == Kind::Path) return step;
    Node* path = ast_.make(Kind::Path, step->position);
    path->items.push_back(step);
    return path;
  }

  Answer<Node*> name(Node* node) {
    Node* path = path_of(node);
    path->keep_singleton = node->keep_array;
    return path;
  }

  Answer<Node*> dot(Node& node) {
    Node* left = TRY(resolve(node.left));
    Node* path = path_of(left);
    if (left->kind == Kind::Parent) path->seeking = {left->slot};
    Node* rest = TRY(resolve(node.right));
    if (rest->kind == Kind::Path) {
      path->items.insert(path->items.end(), rest->items.begin(), rest->items.end());
    } else {
      if (!rest->predicates.empty()) rest->stages = std::exchange(rest->predicates, {});
      path->items.push_back(rest);
    }
    for (Node* step : path->items) {
      if (step->kind == Kind::Number || step->kind == Kind::Literal)
        return std::unexpected(
            Fault("S0213")
                .at(step->position)
                .with("value", step->kind == Kind::Number ? number_text(step->number) : step->text));
      if (step->kind == Kind::Text) step->kind = Kind::Name;
      if (step->keep_array) path->keep_singleton = true;
    }
    for (Node* step : {path->items.front(), path->items.back()})
      if (step->kind == Kind::Array) step->constructed = true;
    TRY(resolve_parents(*path));
    return path;
  }

  Answer<Node*> filter(Node& node) {
    Node* out = TRY(resolve(node.left));
    const bool in_path = out->kind == Kind::Path;
    Node* step = in_path ? out->items.back() : out;
    if (step->group != nullptr) return fault_at("S0209", node);
    Node* predicate = TRY(resolve(node.right));
    if (!predicate->seeking.empty()) {
      for (Slot* slot : predicate->seeking) {
        if (slot->level == 1)
          TRY(seek_parent(*step, *slot));
        else
          --slot->level;
      }
      hand_up(*step, *predicate);
    }
    (in_path ? step->stages : step->predicates)
        .push_back({Stage::Kind::Filter, predicate, {}, node.position});
    return out;
  }

  Answer<Node*> group_by(Node& node) {
    Node* out = TRY(resolve(node.left));
    if (out->group != nullptr) return fault_at("S0210", node);
    auto group = std::make_unique<Group>();
    group->position = node.position;
    for (const Pair& pair : node.pairs) {
      Node* key = TRY(resolve(pair.key));
      Node* value = TRY(resolve(pair.value));
      group->pairs.push_back({key, value});
    }
    out->group = std::move(group);
    return out;
  }

  Answer<Node*> order_by(Node& node) {
    Node* path = path_of(TRY(resolve(node.left)));
    Node* sort = ast_.make(Kind::Sort, node.position);
    sort->descending = node.descending;
    for (Node* term : node.items) {
      Node* resolved = TRY(resolve(term));
      hand_up(*sort, *resolved);
      sort->items.push_back(resolved);
    }
    path->items.push_back(sort);
    TRY(resolve_parents(*path));
    return path;
  }

  Answer<Node*> focus(Node& node) {
    Node* out = TRY(resolve(node.left));
    Node* step = out->kind == Kind::Path ? out->items.back() : out;
    if (!step->stages.empty() || !step->predicates.empty()) return fault_at("S0215", node);
    if (step->kind == Kind::Sort) return fault_at("S0216", node);
    if (node.keep_array) step->keep_array = true;
    step->focus = node.right->text;
    step->tuple = true;
    return out;
  }

  Answer<Node*> index(Node& node) {
    Node* out = TRY(resolve(node.left));
    Node* step = out;
    if (out->kind == Kind::Path) {
      step = out->items.back();
    } else {
      out = path_of(out);
      if (!step->predicates.empty()) step->stages = std::exchange(step->predicates, {});
    }
    if (step->stages.empty())
      step->index = node.right->text;
    else
      step->stages.push_back({Stage::Kind::Index, nullptr, node.right->text, node.position});
    step->tuple = true;
    return out;
  }

  Answer<Node*> negate(Node& node) {
    Node* operand = TRY(resolve(node.left));
    if (operand->kind == Kind::Number) {
      operand->number = -operand->number;
      return operand;
    }
    node.left = operand;
    hand_up(node, *operand);
    return &node;
  }

  Ast& ast_;
};

}  // namespace

Answer<void> resolve(Ast& ast) {
  ast.root = TRY(Resolver(ast).resolve(ast.root));
  if (ast.root->kind == Kind::Parent || !ast.root->seeking.empty()) return fault_at("S0217", *ast.root);
  return {};
}

}  // namespace stoker::jsonata
