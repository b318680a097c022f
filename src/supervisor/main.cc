// stoker-supervisor SOCKET STATE_DIR: the agent's zygote. Started by the agent only; see zygote.h and
// protocol.h.
#include <cstdlib>

#include <sys/syscall.h>
#include <unistd.h>

#include "supervisor/zygote.h"

int main(int count, char** arguments) {
  if (count != 3) return 64;
  const int socket = std::atoi(arguments[1]);
  if (socket < 3) return 64;
  // Nothing else the agent had open may reach a job.
  ::syscall(SYS_close_range, 3U, static_cast<unsigned>(socket - 1), 0);
  ::syscall(SYS_close_range, static_cast<unsigned>(socket + 1), ~0U, 0);
  return stoker::supervisor::zygote(socket, arguments[2]);
}
