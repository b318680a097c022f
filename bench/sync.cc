// What durability costs on this disk: appends blocks of 4 KiB to a file, each followed by fdatasync.
//
// usage: bench_sync FILE SECONDS    prints {"syncs":N,"seconds":S}; the file is removed
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include <fcntl.h>
#include <unistd.h>

namespace {

double now() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: bench_sync FILE SECONDS\n", stderr);
    return 2;
  }
  const int file = ::open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) {
    std::perror(argv[1]);
    return 1;
  }
  static const char block[4096] = {};
  const double begin = now();
  const double until = begin + std::atof(argv[2]);
  long syncs = 0;
  do {
    if (::write(file, block, sizeof block) != static_cast<ssize_t>(sizeof block) || ::fdatasync(file) != 0) {
      std::perror(argv[1]);
      return 1;
    }
    ++syncs;
  } while (now() < until);
  std::printf("{\"syncs\":%ld,\"seconds\":%.6f}\n", syncs, now() - begin);
  ::unlink(argv[1]);
  return 0;
}
