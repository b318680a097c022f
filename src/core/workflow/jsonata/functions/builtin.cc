#include "core/workflow/jsonata/functions/builtin.h"

#include <algorithm>

#include "base/assert.h"

namespace stoker::jsonata {

namespace {

struct Table {
  std::vector<Builtin> builtins;
  std::vector<Signature> signatures;
};

Table make_table() {
  Table table;
  for (const auto& some : {number_functions(), text_functions(), pattern_functions(), encoding_functions(),
                           picture_functions(), array_functions(), object_functions(),
                           higher_order_functions(), general_functions(), aws_functions()})
    table.builtins.insert(table.builtins.end(), some.begin(), some.end());
  std::stable_sort(table.builtins.begin(), table.builtins.end(),
                   [](const Builtin& a, const Builtin& b) { return a.name < b.name; });
  for (const Builtin& builtin : table.builtins) {
    auto signature = Signature::parse(builtin.signature);
    ASSERT(signature.has_value(), builtin.name);
    table.signatures.push_back(*std::move(signature));
  }
  return table;
}

const Table& table() {
  static const Table built = make_table();
  return built;
}

}  // namespace

const Value& Call::operator[](std::size_t index) const {
  static const Value undefined;
  return index < arguments.size() ? arguments[index] : undefined;
}

std::vector<Builtin> all_builtins() {
  return table().builtins;
}

const Builtin* find_builtin(std::string_view name, bool aws) {
  const auto& all = table().builtins;
  auto found =
      std::lower_bound(all.begin(), all.end(), name,
                       [](const Builtin& builtin, std::string_view wanted) { return builtin.name < wanted; });
  for (; found != all.end() && found->name == name; ++found)
    if (found->where == Where::Everywhere || (found->where == Where::Aws) == aws) return &*found;
  return nullptr;
}

std::size_t builtin_count() {
  return table().builtins.size();
}

std::size_t index_of(const Builtin& builtin) {
  return static_cast<std::size_t>(&builtin - table().builtins.data());
}

const Signature& signature_of(const Builtin& builtin) {
  return table().signatures[index_of(builtin)];
}

}  // namespace stoker::jsonata
