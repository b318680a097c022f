// The plainest way to run N processes one after another: posix_spawn and waitpid in one thread.
//
// usage: bench_spawn N PROGRAM [ARGUMENT...]    prints {"processes":N,"seconds":S}
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

double now() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc >= 3 ? std::atoi(argv[1]) : 0;
  if (count < 1) {
    std::fputs("usage: bench_spawn N PROGRAM [ARGUMENT...]\n", stderr);
    return 2;
  }
  const double begin = now();
  for (int i = 0; i < count; ++i) {
    pid_t child = 0;
    if (const int error = ::posix_spawn(&child, argv[2], nullptr, nullptr, argv + 2, ::environ); error != 0) {
      std::fprintf(stderr, "bench_spawn: %s does not start (errno %d)\n", argv[2], error);
      return 1;
    }
    int status = 0;
    if (::waitpid(child, &status, 0) != child || status != 0) {
      std::fprintf(stderr, "bench_spawn: %s ended with status %d\n", argv[2], status);
      return 1;
    }
  }
  std::printf("{\"processes\":%d,\"seconds\":%.6f}\n", count, now() - begin);
  return 0;
}
