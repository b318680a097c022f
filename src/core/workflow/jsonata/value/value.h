#pragma once
// The values of an evaluation. What comes from outside (the input, the variables, literals of the expression)
// is borrowed, never copied; what the evaluation makes lies on its heap. Sixteen bytes, cheap to copy.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/workflow/jsonata/value/heap.h"
#include "json/json.h"

namespace stoker::jsonata {

struct TextObject;
struct ArrayObject;
struct MapObject;
struct FunctionObject;

class Value {
 public:
  enum class Type : std::uint8_t {
    Undefined,
    Null,
    Boolean,
    Number,
    BorrowedText,
    Text,
    BorrowedArray,
    Array,
    BorrowedMap,
    Map,
    Function
  };

  Value() : number_(0) {}
  Value(const Value& other) : type_(other.type_), length_(other.length_), number_(0) { share(other); }
  Value(Value&& other) noexcept : type_(other.type_), length_(other.length_), number_(0) { steal(other); }
  Value& operator=(const Value& other) {
    Value copy(other);
    swap(copy);
    return *this;
  }
  Value& operator=(Value&& other) noexcept {
    Value moved(std::move(other));
    swap(moved);
    return *this;
  }
  ~Value() {
    if (on_heap()) object_->release();
  }

  static Value null();
  static Value boolean(bool b);
  static Value number(double n);
  static Value number(std::size_t n) { return number(static_cast<double>(n)); }
  static Value borrow(std::string_view text);
  static Value borrow(const json::Value& value);
  static Value text(Heap& heap, std::string text);
  static Value of(const Ref<ArrayObject>& array);
  static Value of(const Ref<MapObject>& map);
  static Value of(const Ref<FunctionObject>& function);

  [[nodiscard]] Type type() const { return type_; }
  [[nodiscard]] bool is_undefined() const { return type_ == Type::Undefined; }
  [[nodiscard]] bool is_null() const { return type_ == Type::Null; }
  [[nodiscard]] bool is_boolean() const { return type_ == Type::Boolean; }
  [[nodiscard]] bool is_number() const { return type_ == Type::Number; }
  [[nodiscard]] bool is_text() const { return type_ == Type::Text || type_ == Type::BorrowedText; }
  [[nodiscard]] bool is_array() const { return type_ == Type::Array || type_ == Type::BorrowedArray; }
  [[nodiscard]] bool is_map() const { return type_ == Type::Map || type_ == Type::BorrowedMap; }
  [[nodiscard]] bool is_function() const { return type_ == Type::Function; }

  [[nodiscard]] bool as_boolean() const { return boolean_; }
  [[nodiscard]] double as_number() const { return number_; }
  [[nodiscard]] std::string_view as_text() const;  // empty when it is no text

  // Arrays and maps alike: the number of items, and the item; keys of maps.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] Value at(std::size_t index) const;
  [[nodiscard]] Value key_at(std::size_t index) const;
  // Undefined when it is no map or has no such member.
  [[nodiscard]] Value member(std::string_view key) const;
  [[nodiscard]] bool has_member(std::string_view key) const;

  // Null when it is none or a borrowed one.
  [[nodiscard]] ArrayObject* own_array() const;
  [[nodiscard]] MapObject* own_map() const;
  [[nodiscard]] FunctionObject* function() const;
  // Null when it is none or not borrowed.
  [[nodiscard]] const json::Array* borrowed_array() const {
    return type_ == Type::BorrowedArray ? json_array_ : nullptr;
  }
  [[nodiscard]] const json::Object* borrowed_map() const {
    return type_ == Type::BorrowedMap ? json_object_ : nullptr;
  }

  [[nodiscard]] bool is_sequence() const;
  [[nodiscard]] bool is_constructed() const;  // made by [...] at an end of a path: paths do not flatten it
  [[nodiscard]] bool is_tuples() const;
  // The input array under its wrapping, else the value itself.
  [[nodiscard]] Value unwrapped() const;

  // `===` of JavaScript: arrays and maps by identity.
  [[nodiscard]] bool same(const Value& other) const;
  // Which of JavaScript's conditions hold: not undefined, null, false, 0, NaN, "".
  [[nodiscard]] bool truthy() const;

 private:
  [[nodiscard]] bool on_heap() const {
    return type_ == Type::Text || type_ == Type::Array || type_ == Type::Map || type_ == Type::Function;
  }
  void share(const Value& other) {
    object_ = other.object_;
    if (on_heap()) ++object_->references;
  }
  void steal(Value& other) {
    object_ = other.object_;
    other.type_ = Type::Undefined;
  }
  void swap(Value& other) noexcept {
    std::swap(type_, other.type_);
    std::swap(length_, other.length_);
    std::swap(object_, other.object_);
  }

  Type type_ = Type::Undefined;
  std::uint32_t length_ = 0;  // of borrowed text
  union {
    bool boolean_;
    double number_;
    const char* chars_;
    const json::Array* json_array_;
    const json::Object* json_object_;
    HeapObject* object_;
  };
};

struct TextObject final : HeapObject {
  TextObject(Heap& owner, std::string content);
  std::string text;
};

// 19 bytes an item and not 16: so AWS's bound of bytes and its measured longest $range agree.
inline constexpr std::size_t kItemBytes = 19;
inline constexpr std::size_t kObjectBytes = 48;

struct ArrayObject final : HeapObject {
  explicit ArrayObject(Heap& owner) : HeapObject(owner, kObjectBytes) {}
  void push(Value value) {
    items.push_back(std::move(value));
    grow(kItemBytes);
  }
  std::vector<Value> items;
  bool sequence = false;        // the result of a query: one item stands for itself, none for undefined
  bool keep_singleton = false;  // unless `[]` was written
  bool constructed = false;
  bool tuples = false;   // items are maps of variables, the context under '@'
  bool wrapper = false;  // the input array within a sequence of one
};

// Members in the order of their insertion.
struct MapObject final : HeapObject {
  explicit MapObject(Heap& owner) : HeapObject(owner, kObjectBytes) {}
  struct Entry {
    Value key, value;
  };
  [[nodiscard]] const Entry* find(std::string_view key) const;
  void set(const Value& key, Value value);
  void erase(std::string_view key);
  std::vector<Entry> entries;

 private:
  [[nodiscard]] std::size_t slot_of(std::string_view key) const;
  void index_all();
  std::vector<std::uint32_t> slots_;  // open addressing: index + 1, or 0; empty while the map is small
};

Ref<ArrayObject> new_array(Heap& heap);
Ref<ArrayObject> new_sequence(Heap& heap);
Ref<ArrayObject> sequence_of(Heap& heap, Value value);
Ref<MapObject> new_map(Heap& heap);

}  // namespace stoker::jsonata
