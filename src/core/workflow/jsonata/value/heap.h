#pragma once
// What one evaluation allocates, with its bounds. Objects are counted references within one thread; frames
// that hold each other in a circle are freed at the end of the evaluation.
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/workflow/jsonata/value/fault.h"

namespace stoker::jsonata {

class Heap;
struct Frame;

struct HeapObject {
  HeapObject(Heap& owner, std::size_t size);
  virtual ~HeapObject();
  HeapObject(const HeapObject&) = delete;
  HeapObject& operator=(const HeapObject&) = delete;
  void grow(std::size_t more);  // counts `more` bytes as held by this object
  void release();

  Heap& heap;
  std::size_t bytes;
  std::uint32_t references = 0;
};

class Heap {
 public:
  explicit Heap(const Limits& limits)
      : steps_left_(static_cast<std::int64_t>(limits.steps)),
        bytes_left_(static_cast<std::int64_t>(limits.bytes)) {}

  // Counting goes on after a bound is passed; who loops looks at `exhausted()` and gives up.
  void spend(std::size_t steps) { steps_left_ -= static_cast<std::int64_t>(steps); }
  void charge(std::size_t bytes) {
    bytes_left_ -= static_cast<std::int64_t>(bytes);
    if (bytes_left_ < 0) overdrawn_ = true;
  }
  void refund(std::size_t bytes) { bytes_left_ += static_cast<std::int64_t>(bytes); }
  [[nodiscard]] bool exhausted() const { return steps_left_ < 0 || overdrawn_; }
  [[nodiscard]] std::int64_t steps_left() const { return steps_left_; }

  // Spends and checks at once.
  [[nodiscard]] Answer<void> step(std::size_t steps = 1) {
    spend(steps);
    if (exhausted()) [[unlikely]]
      return out_of_bounds();
    return {};
  }
  // To be asked before something of that size is built.
  [[nodiscard]] Answer<void> room(double bytes) {
    if (!(bytes <= static_cast<double>(bytes_left_))) overdrawn_ = true;
    if (exhausted()) [[unlikely]]
      return out_of_bounds();
    return {};
  }
  [[nodiscard]] std::unexpected<Fault> out_of_bounds() const;
  // Frees frames that functions within them keep alive. Nothing may be evaluated afterwards.
  void release_frames();

 private:
  friend struct HeapObject;
  friend struct Frame;
  void drain(HeapObject* first);

  std::int64_t steps_left_;
  std::int64_t bytes_left_;
  bool overdrawn_ = false;
  // Objects without references wait here instead of freeing what they hold by recursion.
  bool draining_ = false;
  std::vector<HeapObject*> doomed_;
  Frame* frames_ = nullptr;  // all that are alive
};

template <class T>
class Ref {
 public:
  Ref() = default;
  explicit Ref(T* object) : object_(object) {
    if (object_ != nullptr) ++object_->references;
  }
  Ref(const Ref& other) : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_ != nullptr) object_->release();
  }
  T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  T* object_ = nullptr;
};

}  // namespace stoker::jsonata
