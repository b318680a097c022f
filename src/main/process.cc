#include "main/process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "aws/sigv4.h"
#include "base/text.h"
#include "rt/clock.h"
#include "rt/file.h"

extern char** environ;

namespace stoker {
namespace {

cli::Size terminal_size() {
  winsize size{};
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO})
    if (::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
      return {.columns = size.ws_col, .rows = size.ws_row};
  return {};
}

// A reader that has gone ends us as it would end any program in a pipeline.
void write_or_end(int fd, std::string_view text) {
  if (rt::write_all(fd, text) || errno != EPIPE) return;
  ::signal(SIGPIPE, SIG_DFL);
  ::raise(SIGPIPE);
  ::_exit(128 + SIGPIPE);
}

cli::Stream stream_of(int fd, const cli::Context& context) {
  cli::Stream stream;
  stream.write = [fd](std::string_view text) { write_or_end(fd, text); };
  stream.terminal = ::isatty(fd) == 1;
  stream.colours =
      stream.terminal && context.variable("NO_COLOR").empty() && context.variable("TERM") != "dumb";
  if (stream.terminal) stream.columns = terminal_size().columns;
  return stream;
}

std::map<std::string, std::string, std::less<>> own_environment() {
  std::map<std::string, std::string, std::less<>> out;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos && equals > 0)
      out.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return out;
}

// PWD where it is true: it keeps the links that the person came by.
std::string current_directory(const cli::Context& context) {
  std::string path(4096, '\0');
  const std::string real = ::getcwd(path.data(), path.size()) == nullptr ? "/" : std::string(path.c_str());
  const std::string told(context.variable("PWD"));
  if (!told.starts_with('/')) return real;
  char* resolved = ::realpath(told.c_str(), nullptr);
  const bool same = resolved != nullptr && real == resolved;
  std::free(resolved);
  return same ? told : real;
}

class RawKeyboard : public cli::Keyboard {
 public:
  explicit RawKeyboard(const termios& before) : before_(before) {
    termios raw = before;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
  }
  ~RawKeyboard() override { ::tcsetattr(STDIN_FILENO, TCSANOW, &before_); }
  RawKeyboard(const RawKeyboard&) = delete;
  RawKeyboard& operator=(const RawKeyboard&) = delete;

  [[nodiscard]] int fd() const override { return STDIN_FILENO; }
  std::string read() override {
    std::string keys(64, '\0');
    const ssize_t got = ::read(STDIN_FILENO, keys.data(), keys.size());
    keys.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return keys;
  }

 private:
  termios before_;
};

std::unique_ptr<cli::Keyboard> open_keyboard() {
  termios before{};
  if (::isatty(STDIN_FILENO) != 1 || ::tcgetattr(STDIN_FILENO, &before) != 0) return nullptr;
  return std::make_unique<RawKeyboard>(before);
}

std::string first_set(const cli::Context& context, std::initializer_list<std::string_view> names,
                      std::string_view otherwise) {
  for (const std::string_view name : names)
    if (const auto value = context.variable(name); !value.empty()) return std::string(value);
  return std::string(otherwise);
}

// Where the environment has keys, requests are signed; a server that asks for no signatures ignores them.
void add_signing(cli::Context& context) {
  const aws::Credentials keys{.access_key = std::string(context.variable("AWS_ACCESS_KEY_ID")),
                              .secret_key = std::string(context.variable("AWS_SECRET_ACCESS_KEY")),
                              .session_token = std::string(context.variable("AWS_SESSION_TOKEN"))};
  if (keys.access_key.empty() || keys.secret_key.empty()) return;
  const std::string region = first_set(context, {"AWS_REGION", "AWS_DEFAULT_REGION"}, "us-east-1");
  context.sign = [keys, region](net::Request& request, std::string_view service) {
    aws::sign(request, keys, {.region = region, .service = std::string(service)}, rt::now());
  };
}

}  // namespace

cli::Context process_context() {
  rt::ignore_broken_pipes();
  cli::Context context;
  context.environment = own_environment();
  context.directory = current_directory(context);
  context.out = stream_of(STDOUT_FILENO, context);
  context.err = stream_of(STDERR_FILENO, context);
  context.now = rt::now;
  context.signals = [](std::initializer_list<int> signals) { return rt::Signals::block(signals); };
  context.keyboard = open_keyboard;
  context.size = terminal_size;
  add_signing(context);
  return context;
}

}  // namespace stoker
