#include "agent/inbox.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include "base/assert.h"

namespace stoker::agent {

Inbox::Inbox() : event_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  ASSERT(event_.get() >= 0);
}

void Inbox::push_input(Input input) {
  queue_.push(std::move(input));
  if (armed_.exchange(false)) {
    const std::uint64_t one = 1;
    (void)!::write(event_.get(), &one, sizeof one);
  }
}

bool Inbox::arm() {
  armed_ = true;
  return queue_.size() > 0;
}

void Inbox::disarm() {
  if (armed_.exchange(false)) return;  // nobody pushed
  std::uint64_t count = 0;
  (void)!::read(event_.get(), &count, sizeof count);
}

}  // namespace stoker::agent
