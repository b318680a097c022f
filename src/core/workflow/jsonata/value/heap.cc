#include "core/workflow/jsonata/value/heap.h"

namespace stoker::jsonata {

HeapObject::HeapObject(Heap& owner, std::size_t size) : heap(owner), bytes(size) {
  heap.charge(bytes);
}

HeapObject::~HeapObject() {
  heap.refund(bytes);
}

void HeapObject::grow(std::size_t more) {
  bytes += more;
  heap.charge(more);
}

void HeapObject::release() {
  if (--references == 0) heap.drain(this);
}

void Heap::drain(HeapObject* first) {
  doomed_.push_back(first);
  if (draining_) return;
  draining_ = true;
  while (!doomed_.empty()) {
    HeapObject* object = doomed_.back();
    doomed_.pop_back();
    delete object;  // what it held may be pushed
  }
  draining_ = false;
}

std::unexpected<Fault> Heap::out_of_bounds() const {
  return std::unexpected(
      Fault("U1001").saying(overdrawn_ ? "Expression evaluation memory limit exceeded"
                                       : "Expression evaluation timeout: Check for infinite loop"));
}

}  // namespace stoker::jsonata
