#include "rt/thread.h"

#include <utility>

#include <pthread.h>

namespace stoker::rt {

void name_this_thread(std::string_view name) {
  constexpr std::size_t kNameMax = 15;
  ::pthread_setname_np(::pthread_self(), std::string(name.substr(0, kNameMax)).c_str());
}

Thread::Thread(std::string name, std::move_only_function<void()> body)
    : thread_([name = std::move(name), run = std::move(body)]() mutable {
        name_this_thread(name);
        run();
      }) {}

}  // namespace stoker::rt
