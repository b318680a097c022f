// Top-down operator precedence (Pratt): each token has a power with which it binds what stands on its left.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "core/workflow/jsonata/syntax/parse.h"
#include "core/workflow/jsonata/syntax/signature.h"
#include "core/workflow/jsonata/syntax/token.h"
#include "core/workflow/jsonata/value/number.h"
#include "json/json.h"

namespace stoker::jsonata {

namespace {

using Kind = Node::Kind;

std::unexpected<Fault> too_deep(std::size_t position) {
  return std::unexpected(Fault("U1001").at(position).saying("Expression is nested too deeply"));
}

// The value of a token or node as it stands in messages.
std::string shown(const Token& token) {
  std::string out;
  switch (token.kind) {
    case Token::Kind::Number:
      return number_text(token.number);
    case Token::Kind::True:
    case Token::Kind::False:
    case Token::Kind::Null:
      return token.text;
    case Token::Kind::Regex:
      return "{}";
    default:
      json::write_string(out, token.text);
      return out;
  }
}

std::string shown(const Node& node) {
  if (node.kind == Kind::Number) return number_text(node.number);
  if (node.kind == Kind::Literal) return node.text;
  std::string out;
  json::write_string(out, node.text);
  return out;
}

class Parser {
 public:
  explicit Parser(std::string_view source) : lexer_(source) {}

  Answer<Ast> run() {
    TRY(advance());
    ast_.root = TRY(expression(0));
    if (token_.kind != Token::Kind::End)
      return std::unexpected(Fault("S0201").at(token_.position).with("token", shown(token_)));
    return std::move(ast_);
  }

 private:
  // `operand_ended`: a '/' that follows divides.
  Answer<void> advance(bool operand_ended = false) {
    token_ = TRY(lexer_.next(operand_ended));
    if (token_.is("!") || token_.is("~"))
      return std::unexpected(Fault("S0204").at(token_.position).with("token", shown(token_)));
    return {};
  }
  Answer<void> expect(std::string_view op, bool operand_ended = false) {
    if (!token_.is(op)) {
      Fault fault(token_.kind == Token::Kind::End ? "S0203" : "S0202");
      return std::unexpected(
          std::move(fault).at(token_.position).with("token", shown(token_)).with_text("value", op));
    }
    return advance(operand_ended);
  }

  Answer<Node*> expression(int right_power) {
    if (nesting_ >= kNestingMax) return too_deep(token_.position);
    ++nesting_;
    auto out = climb(right_power);
    --nesting_;
    return out;
  }

  Answer<Node*> climb(int right_power) {
    Token first = std::move(token_);
    TRY(advance(true));
    Node* left = TRY(prefix(std::move(first)));
    TRY(measure(*left));
    while (token_.kind == Token::Kind::Operator && right_power < binding_power(token_.text)) {
      Token op = std::move(token_);
      TRY(advance());
      left = TRY(infix(std::move(op), left));
      TRY(measure(*left));
    }
    return left;
  }

  static Answer<void> measure(Node& node) {
    std::size_t below = 0;
    const auto look = [&](const Node* child) {
      if (child != nullptr) below = std::max(below, child->height);
    };
    for (const Node* child : {node.left, node.right, node.otherwise}) look(child);
    for (const Node* child : node.items) look(child);
    for (const Pair& pair : node.pairs) {
      look(pair.key);
      look(pair.value);
    }
    node.height = below + 1;
    if (node.height > kHeightMax) return too_deep(node.position);
    return {};
  }

  Node* make(Kind kind, const Token& token) {
    Node* node = ast_.make(kind, token.position);
    node->text = token.text;
    node->number = token.number;
    node->regex = token.regex;
    return node;
  }

  Answer<Node*> prefix(Token token) {
    switch (token.kind) {
      case Token::Kind::End:
        return make(Kind::End, token);
      case Token::Kind::Name:
        return make(Kind::Name, token);
      case Token::Kind::Variable:
        return make(Kind::Variable, token);
      case Token::Kind::Text:
        return make(Kind::Text, token);
      case Token::Kind::Number:
        return make(Kind::Number, token);
      case Token::Kind::True:
      case Token::Kind::False:
      case Token::Kind::Null:
        return make(Kind::Literal, token);
      case Token::Kind::Regex:
        return make(Kind::Regex, token);
      case Token::Kind::Operator:
        break;
    }
    const std::string_view op = token.text;
    if (op == "and" || op == "or" || op == "in") return make(Kind::Keyword, token);
    if (op == "*") return make(Kind::Wildcard, token);
    if (op == "**") return make(Kind::Descendants, token);
    if (op == "%") return make(Kind::Parent, token);
    if (op == "-") return negation(token);
    if (op == "(") return block(token);
    if (op == "[") return array(token);
    if (op == "{") return members(make(Kind::Object, token));
    if (op == "|") return transform(token);
    return std::unexpected(Fault("S0211").at(token.position).with("token", shown(token)));
  }

  Answer<Node*> infix(Token token, Node* left) {
    const std::string_view op = token.text;
    if (op == "(") return call(token, left);
    if (op == "[") return filter(token, left);
    if (op == "{") {
      Node* node = make(Kind::GroupBy, token);
      node->left = left;
      return members(node);
    }
    if (op == "^") return order(token, left);
    if (op == "?") return condition(token, left);
    if (op == ":=") return bind(token, left);
    if (op == "@" || op == "#") return path_variable(token, left);
    const Kind kind = op == "."     ? Kind::Dot
                      : op == "and" ? Kind::And
                      : op == "or"  ? Kind::Or
                      : op == "~>"  ? Kind::Apply
                                    : Kind::Binary;
    Node* node = make(kind, token);
    node->left = left;
    node->right = TRY(expression(binding_power(op)));
    return node;
  }

  Answer<Node*> negation(const Token& token) {
    constexpr int kUnaryPower = 70;
    Node* node = make(Kind::Negate, token);
    node->left = TRY(expression(kUnaryPower));
    return node;
  }

  Answer<Node*> block(const Token& token) {
    Node* node = make(Kind::Block, token);
    while (!token_.is(")")) {
      node->items.push_back(TRY(expression(0)));
      if (!token_.is(";")) break;
      TRY(advance());
    }
    TRY(expect(")", true));
    return node;
  }

  Answer<Node*> array(const Token& token) {
    Node* node = make(Kind::Array, token);
    if (!token_.is("]")) {
      while (true) {
        node->items.push_back(TRY(element()));
        if (!token_.is(",")) break;
        TRY(advance());
      }
    }
    TRY(expect("]", true));
    return node;
  }

  Answer<Node*> element() {
    Node* first = TRY(expression(0));
    if (!token_.is("..")) return first;
    Node* range = make(Kind::Range, token_);
    TRY(advance());
    range->left = first;
    range->right = TRY(expression(0));
    TRY(measure(*range));
    return range;
  }

  Answer<Node*> members(Node* node) {
    if (!token_.is("}")) {
      while (true) {
        Node* key = TRY(expression(0));
        TRY(expect(":"));
        Node* value = TRY(expression(0));
        node->pairs.push_back({key, value});
        if (!token_.is(",")) break;
        TRY(advance());
      }
    }
    TRY(expect("}", true));
    return node;
  }

  Answer<Node*> transform(const Token& token) {
    Node* node = make(Kind::Transform, token);
    node->left = TRY(expression(0));
    TRY(expect("|"));
    node->right = TRY(expression(0));
    if (token_.is(",")) {
      TRY(advance());
      node->otherwise = TRY(expression(0));
    }
    TRY(expect("|"));
    return node;
  }

  Answer<Node*> filter(const Token& token, Node* left) {
    if (token_.is("]")) {  // an empty predicate keeps arrays of one item as they are
      Node* step = left;
      while (step->kind == Kind::Filter) step = step->left;
      step->keep_array = true;
      TRY(advance());
      return left;
    }
    Node* node = make(Kind::Filter, token);
    node->left = left;
    node->right = TRY(expression(0));
    TRY(expect("]", true));
    return node;
  }

  Answer<Node*> order(const Token& token, Node* left) {
    Node* node = make(Kind::OrderBy, token);
    node->left = left;
    TRY(expect("("));
    while (true) {
      const bool descending = token_.is(">");
      if (descending || token_.is("<")) TRY(advance());
      node->descending.push_back(descending);
      node->items.push_back(TRY(expression(0)));
      if (!token_.is(",")) break;
      TRY(advance());
    }
    TRY(expect(")"));
    return node;
  }

  Answer<Node*> condition(const Token& token, Node* left) {
    Node* node = make(Kind::Condition, token);
    node->left = left;
    node->right = TRY(expression(0));
    if (token_.is(":")) {
      TRY(advance());
      node->otherwise = TRY(expression(0));
    }
    return node;
  }

  Answer<Node*> bind(const Token& token, Node* left) {
    if (left->kind != Kind::Variable)
      return std::unexpected(Fault("S0212").at(left->position).with("token", shown(*left)));
    Node* node = make(Kind::Bind, token);
    node->left = left;
    node->right = TRY(expression(binding_power(":=") - 1));  // groups from the right
    return node;
  }

  Answer<Node*> path_variable(const Token& token, Node* left) {
    Node* node = make(token.text == "@" ? Kind::Focus : Kind::Index, token);
    node->left = left;
    node->right = TRY(expression(binding_power(token.text)));
    if (node->right->kind != Kind::Variable)
      return std::unexpected(Fault("S0214").at(node->right->position).with_text("token", token.text));
    return node;
  }

  Answer<Node*> call(const Token& token, Node* left) {
    Node* node = make(Kind::Call, token);
    node->left = left;
    if (!token_.is(")")) {
      while (true) {
        if (token_.is("?")) {
          node->kind = Kind::Partial;
          node->items.push_back(make(Kind::Placeholder, token_));
          TRY(advance());
        } else {
          node->items.push_back(TRY(expression(0)));
        }
        if (!token_.is(",")) break;
        TRY(advance());
      }
    }
    TRY(expect(")", true));
    const bool defines = left->kind == Kind::Name && (left->text == "function" || left->text == "\xce\xbb");
    if (defines) TRY(lambda(*node));
    return node;
  }

  // The call of a function named `function` is a definition: the rest of it follows.
  Answer<void> lambda(Node& node) {
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const Node& parameter = *node.items[i];
      if (parameter.kind != Kind::Variable)
        return std::unexpected(Fault("S0208")
                                   .at(parameter.position)
                                   .with("token", shown(parameter))
                                   .with("value", std::to_string(i + 1)));
    }
    node.kind = Kind::Lambda;
    node.left = nullptr;
    if (token_.is("<")) node.signature = TRY(signature());
    TRY(expect("{"));
    node.right = TRY(expression(0));
    return expect("}");
  }

  Answer<std::shared_ptr<const Signature>> signature() {
    const std::size_t position = token_.position;
    std::string text = "<";
    for (int open = 1; open > 0 && !token_.is("{") && token_.kind != Token::Kind::End;) {
      TRY(advance());
      if (token_.is(">")) --open;
      if (token_.is("<")) ++open;
      text += token_.text;
    }
    TRY(expect(">"));
    auto parsed = Signature::parse(text, position);
    if (!parsed) return std::unexpected(std::move(parsed).error());
    return std::make_shared<const Signature>(*std::move(parsed));
  }

  Lexer lexer_;
  Token token_;
  Ast ast_;
  std::size_t nesting_ = 0;
};

}  // namespace

Answer<Ast> parse_expression(std::string_view source) {
  if (!is_valid_utf8(source))
    return std::unexpected(Fault("S0201").saying("Syntax error: the expression is not valid UTF-8"));
  Ast ast = TRY(Parser(source).run());
  TRY(resolve(ast));
  return ast;
}

}  // namespace stoker::jsonata
