#pragma once
// What a command sees of the process around it. main fills it from the real world, tests from a script.
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "net/http.h"
#include "rt/signals.h"

namespace stoker::cli {

// Where text goes.
struct Stream {
  std::function<void(std::string_view)> write{};
  bool terminal = false;  // a person looks: fit the width, progress may be shown
  bool colours = false;
  int columns = 0;  // 0: unbounded
};

struct Size {
  int columns = 80;
  int rows = 24;
};

// The keyboard of a terminal in raw mode, for as long as the object lives.
class Keyboard {
 public:
  virtual ~Keyboard() = default;
  [[nodiscard]] virtual int fd() const = 0;  // readable when keys wait
  // What was typed, "" for nothing.
  virtual std::string read() = 0;
};

struct Context {
  std::map<std::string, std::string, std::less<>> environment{};  // of this process
  std::string directory{};                                        // the current one
  Stream out{};
  Stream err{};
  std::function<Instant()> now{};
  // Blocks the signals and hands out what arrives (see rt::Signals). Called before the first connection.
  std::function<Result<std::unique_ptr<rt::Signals>>(std::initializer_list<int>)> signals{};
  // Signs a request for a service ("batch", "logs", "stoker"); empty: requests go unsigned.
  std::function<void(net::Request&, std::string_view service)> sign{};
  // For full-screen commands; nothing when the input is no terminal.
  std::function<std::unique_ptr<Keyboard>()> keyboard{};
  std::function<Size()> size{};  // of the terminal, now

  // A variable of the environment, "" when it is unset.
  [[nodiscard]] std::string_view variable(std::string_view name) const {
    const auto found = environment.find(name);
    return found == environment.end() ? std::string_view{} : std::string_view(found->second);
  }
};

// "stoker: TEXT" on standard error.
void complain(Context& context, std::string_view text);
// The same for an error; returns the exit status for it.
int complain(Context& context, const Error& error);

}  // namespace stoker::cli
