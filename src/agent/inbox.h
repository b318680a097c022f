#pragma once
// Everything that reaches the agent's core, in one queue that its poll loop can wait for.
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "agent/driver.h"
#include "agent/gpu_health.h"
#include "rt/fd.h"
#include "rt/queue.h"
#include "wire/messages.h"

namespace stoker::net {
class WebSocket;
}

namespace stoker::agent {

struct Connected {
  std::uint64_t connection = 0;  // counts up
  std::shared_ptr<net::WebSocket> socket;
};
struct Disconnected {
  std::uint64_t connection = 0;
};
struct Received {
  std::uint64_t connection = 0;
  wire::ToAgent message;
};
// The MIG of some GPUs is not as the server was told: all GPUs of the node as they are now.
struct GpusChanged {
  std::vector<GpuDevice> gpus;
  std::vector<std::string> warnings;
};
// Which GPUs are not well is not as it was told last.
struct GpuHealthChanged {
  GpuTroubles troubles;
};
using Input = std::variant<DriverNews, Connected, Disconnected, Received, GpusChanged, GpuHealthChanged>;

class Inbox final : public NewsSink {
 public:
  Inbox();
  void push(DriverNews news) override { push_input(Input(std::move(news))); }
  void push_input(Input input);
  void take_all(std::vector<Input>& out) { queue_.take_all(out, {}); }

  // For the consumer's poll: between arm() and disarm() every push makes fd() readable. arm() says whether
  // something is there already, so that nothing is slept over.
  [[nodiscard]] int fd() const { return event_.get(); }
  bool arm();
  void disarm();

 private:
  rt::Queue<Input> queue_;
  rt::UniqueFd event_;
  std::atomic<bool> armed_ = false;
};

}  // namespace stoker::agent
