#include "core/workflow/jsonata/value/frame.h"

namespace stoker::jsonata {

Frame::Frame(Heap& owner, Frame* around)
    : HeapObject(owner, kObjectBytes), outer(around), next_(owner.frames_) {
  if (next_ != nullptr) next_->previous_ = this;
  owner.frames_ = this;
}

Frame::~Frame() {
  (previous_ != nullptr ? previous_->next_ : heap.frames_) = next_;
  if (next_ != nullptr) next_->previous_ = previous_;
}

void Heap::release_frames() {
  std::vector<Ref<Frame>> all;
  for (Frame* frame = frames_; frame != nullptr; frame = frame->next_) all.emplace_back(frame);
  for (const Ref<Frame>& frame : all) {
    frame->names.clear();
    frame->outer = {};
  }
}

}  // namespace stoker::jsonata
