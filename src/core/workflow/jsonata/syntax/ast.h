#pragma once
// The tree of an expression. The parser makes it as it is written; `resolve` brings it into the form that the
// evaluation wants: steps of paths in a row, predicates at their steps, parents tied to the steps they mean,
// calls at the end of functions marked. Immutable afterwards and shared by evaluations.
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace stoker::jsonata {

class Regex;
class Signature;
struct Node;

// Where a parent operator finds its object: the step that binds it gets `label` as a variable.
struct Slot {
  std::string label;
  int level = 1;
};

struct Stage {
  enum class Kind { Filter, Index };
  Kind kind = Kind::Filter;
  const Node* filter = nullptr;
  std::string variable;  // of Index
  std::size_t position = 0;
};

struct Pair {
  Node* key;
  Node* value;
};

struct Group {
  std::vector<Pair> pairs;
  std::size_t position = 0;
};

struct Node {
  enum class Kind {
    // As written, gone after resolving:
    Dot,
    Filter,
    GroupBy,
    OrderBy,
    Focus,
    Index,
    Keyword,      // `and`, `or`, `in` where a name may stand
    Placeholder,  // `?` among arguments
    End,
    Other,  // punctuation where an operand should stand
    // Both before and after:
    Name,
    Text,
    Number,
    Literal,  // true, false, null
    Variable,
    Regex,
    Wildcard,
    Descendants,
    Parent,
    Binary,
    And,
    Or,
    Range,
    Bind,
    Apply,
    Negate,
    Array,
    Object,
    Block,
    Condition,
    Call,
    Partial,
    Lambda,
    Transform,
    // Only after:
    Path,
    Sort,
    Thunk,
  };

  Kind kind = Kind::End;
  std::size_t position = 0;
  std::size_t height = 1;  // of the tree below, itself included
  std::string text;        // name, variable without $, text, operator, literal
  double number = 0;
  std::shared_ptr<const stoker::jsonata::Regex> regex;
  std::shared_ptr<const Signature> signature;

  Node* left = nullptr;          // operand, condition, procedure, pattern
  Node* right = nullptr;         // operand, then, body, update
  Node* otherwise = nullptr;     // else, deletions
  std::vector<Node*> items;      // steps, elements, expressions of blocks, arguments, terms of order
  std::vector<bool> descending;  // of terms of order
  std::vector<Pair> pairs;

  bool keep_array = false;      // `[]` was written
  bool keep_singleton = false;  // of paths: at one of its steps
  bool constructed = false;     // arrays at an end of a path
  bool tuple = false;           // binds variables for later steps
  std::vector<Stage> predicates;
  std::vector<Stage> stages;  // the same at steps of paths
  std::unique_ptr<Group> group;
  std::string focus, index;  // variables of @ and #
  Slot* slot = nullptr;      // of Parent
  Slot* ancestor = nullptr;
  std::vector<Slot*> seeking;  // parents that no step has been found for yet
};

struct Ast {
  std::deque<Node> nodes;
  std::deque<Slot> slots;
  Node* root = nullptr;

  Node* make(Node::Kind kind, std::size_t position) {
    Node& node = nodes.emplace_back();
    node.kind = kind;
    node.position = position;
    return &node;
  }
};

}  // namespace stoker::jsonata
