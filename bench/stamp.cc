// A job that says when it began: reads the clock first, then appends the time to a file.
//
// usage: bench_stamp FILE    appends one line, nanoseconds since 1970
#include <cstdio>
#include <ctime>

#include <fcntl.h>
#include <unistd.h>

int main(int argc, char** argv) {
  timespec time{};
  ::clock_gettime(CLOCK_REALTIME, &time);
  if (argc != 2) return 2;
  char line[32];
  const int length =
      std::snprintf(line, sizeof line, "%lld%09ld\n", static_cast<long long>(time.tv_sec), time.tv_nsec);
  const int file = ::open(argv[1], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  // One write, so that lines of jobs that run together do not mix.
  return file >= 0 && ::write(file, line, static_cast<std::size_t>(length)) == length ? 0 : 1;
}
