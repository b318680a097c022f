#include "core/workflow/jsonata/value/value.h"

#include <cmath>

#include "core/workflow/jsonata/value/function.h"

namespace stoker::jsonata {

Value Value::null() {
  Value out;
  out.type_ = Type::Null;
  return out;
}

Value Value::boolean(bool b) {
  Value out;
  out.type_ = Type::Boolean;
  out.boolean_ = b;
  return out;
}

Value Value::number(double n) {
  Value out;
  out.type_ = Type::Number;
  out.number_ = n;
  return out;
}

Value Value::borrow(std::string_view text) {
  Value out;
  out.type_ = Type::BorrowedText;
  out.chars_ = text.data();
  out.length_ = static_cast<std::uint32_t>(text.size());
  return out;
}

Value Value::borrow(const json::Value& value) {
  Value out;
  switch (value.kind()) {
    case boost::json::kind::null:
      return null();
    case boost::json::kind::bool_:
      return boolean(value.get_bool());
    case boost::json::kind::int64:
      return number(static_cast<double>(value.get_int64()));
    case boost::json::kind::uint64:
      return number(static_cast<double>(value.get_uint64()));
    case boost::json::kind::double_:
      return number(value.get_double());
    case boost::json::kind::string:
      return borrow(json::text(value.get_string()));
    case boost::json::kind::array:
      out.type_ = Type::BorrowedArray;
      out.json_array_ = &value.get_array();
      return out;
    case boost::json::kind::object:
      out.type_ = Type::BorrowedMap;
      out.json_object_ = &value.get_object();
      return out;
  }
  return out;
}

Value Value::text(Heap& heap, std::string text) {
  Value out;
  out.object_ = new TextObject(heap, std::move(text));
  ++out.object_->references;
  out.type_ = Type::Text;
  return out;
}

Value Value::of(const Ref<ArrayObject>& array) {
  Value out;
  out.type_ = Type::Array;
  out.object_ = array.get();
  ++out.object_->references;
  return out;
}

Value Value::of(const Ref<MapObject>& map) {
  Value out;
  out.type_ = Type::Map;
  out.object_ = map.get();
  ++out.object_->references;
  return out;
}

Value Value::of(const Ref<FunctionObject>& function) {
  Value out;
  out.type_ = Type::Function;
  out.object_ = function.get();
  ++out.object_->references;
  return out;
}

std::string_view Value::as_text() const {
  if (type_ == Type::BorrowedText) return {chars_, length_};
  if (type_ == Type::Text) return static_cast<const TextObject*>(object_)->text;
  return {};
}

ArrayObject* Value::own_array() const {
  return type_ == Type::Array ? static_cast<ArrayObject*>(object_) : nullptr;
}

MapObject* Value::own_map() const {
  return type_ == Type::Map ? static_cast<MapObject*>(object_) : nullptr;
}

FunctionObject* Value::function() const {
  return type_ == Type::Function ? static_cast<FunctionObject*>(object_) : nullptr;
}

std::size_t Value::size() const {
  switch (type_) {
    case Type::BorrowedArray:
      return json_array_->size();
    case Type::Array:
      return own_array()->items.size();
    case Type::BorrowedMap:
      return json_object_->size();
    case Type::Map:
      return own_map()->entries.size();
    default:
      return 0;
  }
}

Value Value::at(std::size_t index) const {
  switch (type_) {
    case Type::BorrowedArray:
      return borrow((*json_array_)[index]);
    case Type::Array:
      return own_array()->items[index];
    case Type::BorrowedMap:
      return borrow((json_object_->begin() + static_cast<std::ptrdiff_t>(index))->value());
    case Type::Map:
      return own_map()->entries[index].value;
    default:
      return {};
  }
}

Value Value::key_at(std::size_t index) const {
  if (type_ == Type::BorrowedMap) {
    const auto key = (json_object_->begin() + static_cast<std::ptrdiff_t>(index))->key();
    return borrow(std::string_view(key.data(), key.size()));
  }
  return type_ == Type::Map ? own_map()->entries[index].key : Value();
}

Value Value::member(std::string_view key) const {
  if (type_ == Type::BorrowedMap) {
    const json::Value* found = json_object_->if_contains(key);
    return found == nullptr ? Value() : borrow(*found);
  }
  if (type_ != Type::Map) return {};
  const MapObject::Entry* entry = own_map()->find(key);
  return entry == nullptr ? Value() : entry->value;
}

bool Value::has_member(std::string_view key) const {
  if (type_ == Type::BorrowedMap) return json_object_->contains(key);
  return type_ == Type::Map && own_map()->find(key) != nullptr;
}

bool Value::is_sequence() const {
  return type_ == Type::Array && own_array()->sequence;
}

bool Value::is_constructed() const {
  return type_ == Type::Array && own_array()->constructed;
}

bool Value::is_tuples() const {
  return type_ == Type::Array && own_array()->tuples;
}

Value Value::unwrapped() const {
  return type_ == Type::Array && own_array()->wrapper && size() > 0 ? at(0) : *this;
}

bool Value::same(const Value& other) const {
  if (is_text()) return other.is_text() && as_text() == other.as_text();
  if (type_ != other.type_) return false;
  switch (type_) {
    case Type::Undefined:
    case Type::Null:
      return true;
    case Type::Boolean:
      return boolean_ == other.boolean_;
    case Type::Number:
      return number_ == other.number_;
    default:
      return object_ == other.object_;
  }
}

bool Value::truthy() const {
  switch (type_) {
    case Type::Undefined:
    case Type::Null:
      return false;
    case Type::Boolean:
      return boolean_;
    case Type::Number:
      return number_ != 0 && !std::isnan(number_);
    case Type::BorrowedText:
    case Type::Text:
      return !as_text().empty();
    default:
      return true;
  }
}

TextObject::TextObject(Heap& owner, std::string content)
    : HeapObject(owner, kObjectBytes + content.size()), text(std::move(content)) {}

namespace {

constexpr std::size_t kUnindexedMax = 8;  // maps up to this size are searched item by item

std::uint64_t hash_of(std::string_view text) {  // FNV-1a
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001b3U;
  return hash;
}

}  // namespace

// The slot that holds the key, or the free one where it belongs.
std::size_t MapObject::slot_of(std::string_view key) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash_of(key) & mask;
  while (slots_[at] != 0 && entries[slots_[at] - 1].key.as_text() != key) at = (at + 1) & mask;
  return at;
}

void MapObject::index_all() {
  std::size_t size = 4 * kUnindexedMax;
  while (size < 2 * entries.size()) size *= 2;
  slots_.assign(size, 0);
  for (std::size_t i = 0; i < entries.size(); ++i)
    slots_[slot_of(entries[i].key.as_text())] = static_cast<std::uint32_t>(i + 1);
}

const MapObject::Entry* MapObject::find(std::string_view key) const {
  if (!slots_.empty()) {
    const std::uint32_t found = slots_[slot_of(key)];
    return found == 0 ? nullptr : &entries[found - 1];
  }
  for (const Entry& entry : entries)
    if (entry.key.as_text() == key) return &entry;
  return nullptr;
}

void MapObject::set(const Value& key, Value value) {
  if (const Entry* entry = find(key.as_text())) {
    const_cast<Entry*>(entry)->value = std::move(value);
    return;
  }
  entries.push_back({key, std::move(value)});
  grow(2 * kItemBytes);
  if (entries.size() <= kUnindexedMax) return;
  if (slots_.size() < 2 * entries.size())
    index_all();
  else
    slots_[slot_of(key.as_text())] = static_cast<std::uint32_t>(entries.size());
}

void MapObject::erase(std::string_view key) {
  const Entry* entry = find(key);
  if (entry == nullptr) return;
  entries.erase(entries.begin() + (entry - entries.data()));
  if (!slots_.empty()) index_all();
}

Ref<ArrayObject> new_array(Heap& heap) {
  return Ref<ArrayObject>(new ArrayObject(heap));
}

Ref<ArrayObject> new_sequence(Heap& heap) {
  Ref<ArrayObject> out(new ArrayObject(heap));
  out->sequence = true;
  return out;
}

Ref<ArrayObject> sequence_of(Heap& heap, Value value) {
  Ref<ArrayObject> out = new_sequence(heap);
  out->push(std::move(value));
  return out;
}

Ref<MapObject> new_map(Heap& heap) {
  return Ref<MapObject>(new MapObject(heap));
}

}  // namespace stoker::jsonata
