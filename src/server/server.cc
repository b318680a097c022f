#include "server/server.h"

#include <csignal>
#include <cstdio>
#include <future>

#include <unistd.h>

#include "aws/sigv4.h"
#include "engine/fake/fake_node.h"
#include "engine/local/local_engine.h"
#include "log/log.h"
#include "rt/clock.h"
#include "rt/file.h"
#include "rt/signals.h"
#include "rt/subprocess.h"
#include "server/agent_hub.h"
#include "server/backend.h"
#include "server/services.h"
#include "server/start.h"
#include "server/turn.h"

namespace stoker::server {
namespace {

// Messages to nodes go to the agents that are connected, or to the fake node when there is one.
class Nodes : public NodeMessages {
 public:
  explicit Nodes(AgentHub& hub) : hub_(hub) {}
  void use(engine::FakeNode* fake) { fake_ = fake; }
  void send(NodeMessage message) override {
    if (engine::FakeNode* fake = fake_)
      fake->send(std::move(message.message));
    else
      hub_.send(std::move(message));
  }

 private:
  AgentHub& hub_;
  std::atomic<engine::FakeNode*> fake_ = nullptr;
};

wire::Inventory fake_inventory(const Options& options) {
  wire::Inventory inventory;
  inventory.cpus_milli = static_cast<std::int64_t>(options.cpus.value_or(64) * 1000);
  inventory.memory_mib = options.memory_mib.value_or(1 << 20);
  inventory.containers = true;
  return inventory;
}

// Returns when everything that was handed to the commit thread is durable and let out.
void flush(CommitThread& commits) {
  std::promise<void> done;
  Commit last;
  last.answers.push_back([&done] { done.set_value(); });
  commits.push(std::move(last));
  done.get_future().wait();
}

// Ends every job and waits, for the stop grace and a little more, until none is active.
void end_all_jobs(TurnLoop& loop, Duration most) {
  const Instant until = rt::now() + most;
  bool asked = false;
  while (rt::now() < until) {
    bool active = false;
    std::vector<core::TerminateJob> ends;
    loop.read(
        [&](const core::State& state, Instant) {
          for (const auto& [name, node] : state.nodes)
            for (const core::JobNo no : node.runs) {
              const core::Job& job = *state.jobs.find(no);
              ends.push_back({job.id, job.index, "The server was stopped"});
              active = true;
            }
          return net::Response{};
        },
        [](net::Response) {});
    loop.turn({});
    if (!active) return;
    if (!asked)
      for (core::TerminateJob& end : ends) loop.request(std::move(end), [](Result<core::Answer>) {});
    asked = true;
    loop.turn(milliseconds(100));
  }
}

Result<void> run(const Options& options, rt::Signals& signals) {
  // 1. State.
  TRY(check_options(options));
  TRY(rt::make_directories(options.data, 0700));
  auto store = TRY(store::open_sqlite(options.data + "/stoker.db"));
  core::Settings settings;
  settings.history = options.history;
  settings.node_price = options.node_price;
  settings.place.region = options.region;
  settings.place.account = options.account;
  core::Core core(settings);
  TRY(load_or_found(core, *store, rt::now(), rt::new_uuid().str()));
  aws::FaceSettings face_settings{.region = options.region, .account = options.account, .access_keys = {}};
  if (!options.access_keys.empty())
    face_settings.access_keys =
        std::make_shared<const aws::AccessKeys>(TRY(aws::AccessKeys::load(options.access_keys)));

  // 2. Threads, from the inside out: each is gone before what it uses.
  LogThread logs(TRY(joblog::LogStore::open(options.data + "/logs")), options.logs);
  TurnLoop* loop_pointer = nullptr;
  AgentHub hub([&loop_pointer](core::Event event) { loop_pointer->event(std::move(event)); }, logs,
               [](const std::string& node) -> std::optional<std::string> {
                 if (node == engine::kLocalNode) return "local";
                 return std::nullopt;
               });
  Nodes nodes(hub);
  CommitThread commits(*store, nodes);
  TurnLoop loop(core, commits);
  loop_pointer = &loop;
  ServerBackend backend(loop, logs);
  aws::Face face(face_settings, backend);
  tasks::Options outside = options.tasks;
  outside.account = options.account;
  WorkflowServices services(loop, face, backend, outside);
  loop.use(services);

  // 3. Doors: the API for clients, a Unix socket for the agent of this machine.
  net::ServerHandlers handlers;
  handlers.on_request = [&face](net::Request request, net::Reply reply) {
    face.handle(std::move(request), std::move(reply));
  };
  handlers.malformed = [](int status, std::string_view why) { return aws::Face::malformed(status, why); };
  net::ServerHandlers agent_handlers = handlers;
  agent_handlers.on_websocket = [&hub](const net::Request& request, std::shared_ptr<net::WebSocket> socket) {
    return hub.on_websocket(request, std::move(socket));
  };
  const std::string agent_socket = options.data + "/agent.sock";
  ::unlink(agent_socket.c_str());  // of a server that was killed; the store's lock says that it is gone
  net::ServerOptions agent_door;
  agent_door.listen = "unix:" + agent_socket;
  auto agents = TRY(net::Server::start(agent_door, agent_handlers));
  net::ServerOptions door;
  door.listen = options.listen;
  door.tls = options.tls;
  door.threads = options.http_threads;
  auto http = TRY(net::Server::start(door, handlers));

  // 4. The node of this machine.
  std::unique_ptr<engine::FakeNode> fake;
  std::unique_ptr<engine::LocalEngine> local;
  if (options.engine == "fake") {
    engine::FakeNodeOptions pretend;
    pretend.inventory = fake_inventory(options);
    fake = std::make_unique<engine::FakeNode>(pretend, [&loop](wire::FromAgent message) {
      if (const auto* hello = std::get_if<wire::Hello>(&message))
        loop.event(to_event(*hello, "local"));
      else if (auto event = to_event(engine::kLocalNode, message))
        loop.event(std::move(*event));
    });
    nodes.use(fake.get());
  } else {
    local = std::make_unique<engine::LocalEngine>(
        engine::LocalEngineOptions{agent_command(options, rt::own_program(), agent_socket),
                                   options.data + "/node.log", options.data + "/node"},
        [](engine::NodeNews) {});
  }

  const std::string scheme = options.tls ? "https://" : "http://";
  if (!options.address_file.empty())
    TRY(rt::write_file_atomically(options.address_file, scheme + http->address() + "\n", {.durable = false}));
  std::fprintf(stderr, "stoker serves %s%s, state in %s\n", scheme.c_str(), http->address().c_str(),
               options.data.c_str());
  log::info("server_started", {{"address", http->address()}, {"jobs", core.state().jobs.size()}});

  // 5. Turns, until a signal.
  {
    rt::Thread waiter("signals", [&] {
      while (!signals.wait(hours(1))) {
      }
      loop.stop();
    });
    loop.run();
  }
  log::info("server_stopping");
  if (options.stop_jobs) end_all_jobs(loop, settings.stop_grace + seconds(10));
  flush(commits);  // who asked before the signal is answered
  http.reset();
  local.reset();
  agents.reset();
  nodes.use(nullptr);
  flush(commits);
  fake.reset();
  if (!options.address_file.empty()) ::unlink(options.address_file.c_str());
  ::unlink(agent_socket.c_str());
  return {};
}

}  // namespace

int serve(const Options& options) {
  rt::ignore_broken_pipes();
  auto signals = rt::Signals::block({SIGTERM, SIGINT});
  log::configure(log::level_of(options.log_level), options.log_file);
  const auto done = signals ? run(options, **signals) : Result<void>(std::unexpected(signals.error()));
  if (done) return 0;
  std::fprintf(stderr, "stoker serve: %s\n", done.error().message.c_str());
  return 1;
}

}  // namespace stoker::server
