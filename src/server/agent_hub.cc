#include "server/agent_hub.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "log/log.h"
#include "rt/clock.h"

namespace stoker::server {
namespace {
constexpr Duration kAppendPause = milliseconds(500);
}

struct AgentHub::Connection {
  std::shared_ptr<net::WebSocket> socket;
  std::string node;  // "" before its hello; set once, on the connection's own thread
};

namespace {

core::NodeGpu to_core(const wire::Gpu& gpu) {
  core::NodeGpu out{.uuid = gpu.uuid,
                    .model = gpu.model,
                    .memory_mib = gpu.memory_mib,
                    .holder = {},
                    .numa_node = gpu.numa_node,
                    .nvlink_group = gpu.nvlink_group,
                    .health = static_cast<core::GpuHealth>(gpu.health),
                    .mig = static_cast<core::MigMode>(gpu.mig)};
  for (const wire::MigDevice& device : gpu.mig_devices)
    out.devices.push_back({device.uuid, device.profile, device.start, {}});
  std::ranges::stable_sort(out.devices, {}, &core::MigDevice::start);
  return out;
}

}  // namespace

core::NodeConnected to_event(const wire::Hello& hello, std::string environment) {
  core::NodeConnected event;
  core::Node& node = event.node;
  node.name = hello.node;
  node.environment = std::move(environment);
  node.instance = hello.instance;
  node.total = {hello.inventory.cpus_milli, hello.inventory.memory_mib,
                static_cast<std::int64_t>(hello.inventory.gpus.size())};
  for (const wire::Gpu& gpu : hello.inventory.gpus) node.gpus.push_back(to_core(gpu));
  node.containers = hello.inventory.containers;
  node.warnings = hello.inventory.warnings;
  node.address = hello.inventory.address;
  node.rack = hello.inventory.rack;
  node.images = core::held_images(hello.inventory.images);
  for (const wire::RunReport& run : hello.runs)
    if (const auto token = core::RunToken::parse(run.token))
      event.runs.push_back(
          {*token, run.phase != wire::RunPhase::Starting, run.phase == wire::RunPhase::Exited});
  return event;
}

std::optional<core::Event> to_event(const std::string& node, const wire::FromAgent& message) {
  if (const auto* changed = std::get_if<wire::ImagesChanged>(&message))
    return core::NodeImagesChanged{node, core::held_images(changed->images)};
  if (const auto* started = std::get_if<wire::RunStarted>(&message)) {
    if (const auto token = core::RunToken::parse(started->token))
      return core::RunStarted{*token, started->at};
  } else if (const auto* progress = std::get_if<wire::RunProgress>(&message)) {
    if (const auto token = core::RunToken::parse(progress->token))
      return core::RunProgressed{*token, progress->text};
  } else if (const auto* exited = std::get_if<wire::RunExited>(&message)) {
    if (const auto token = core::RunToken::parse(exited->token)) {
      const wire::RunEnd& end = exited->end;
      return core::RunEnded{node,          *token,     exited->started_at, end.at,
                            end.exit_code, end.reason, end.started,        end.node_failure};
    }
  }
  return std::nullopt;
}

AgentHub::AgentHub(std::function<void(core::Event)> emit, LogThread& logs,
                   std::function<std::optional<std::string>(const std::string&)> environment_of)
    : emit_(std::move(emit)), logs_(logs), environment_of_(std::move(environment_of)) {}

std::optional<net::WebSocketEvents> AgentHub::on_websocket(const net::Request& request,
                                                           std::shared_ptr<net::WebSocket> socket) {
  if (request.target != kAgentPath) return std::nullopt;
  auto connection = std::make_shared<Connection>();
  connection->socket = std::move(socket);
  net::WebSocketEvents events;
  events.on_message = [this, connection](net::WebSocket::Kind kind, std::string bytes) {
    on_message(connection, kind, std::move(bytes));
  };
  events.on_close = [this, connection] { on_close(connection); };
  return events;
}

void AgentHub::on_message(const std::shared_ptr<Connection>& connection, net::WebSocket::Kind kind,
                          std::string bytes) {
  auto message = wire::decode_from_agent(kind == net::WebSocket::Kind::Binary, bytes);
  if (!message) {
    log::error("agent_message_refused", {{"node", connection->node}, {"why", message.error().message}});
    connection->socket->close();
    return;
  }
  if (auto* hello = std::get_if<wire::Hello>(&*message)) {
    on_hello(connection, std::move(*hello));
  } else if (connection->node.empty()) {
    connection->socket->close();  // hello comes first
  } else if (auto* chunk = std::get_if<wire::LogChunk>(&*message)) {
    logs_.push([socket = connection->socket, chunk = std::move(*chunk),
                most = logs_.bounds().stream_bytes_max](joblog::LogStore& store) {
      const auto next = store.append(rt::now(), chunk.token, chunk.offset, chunk.bytes, most);
      if (next) {
        socket->send(net::WebSocket::Kind::Text,
                     wire::encode(wire::ToAgent{wire::LogAck{chunk.token, *next}}).bytes);
        return;
      }
      // What is not acknowledged is sent again on the next connection: a full disk may be emptied.
      log::error("log_append_failed", {{"token", chunk.token}, {"why", next.error().message}});
      std::this_thread::sleep_for(std::chrono::milliseconds(kAppendPause.ms));
      socket->close();
    });
  } else if (auto event = to_event(connection->node, *message)) {
    emit_(std::move(*event));
  }
}

void AgentHub::on_hello(const std::shared_ptr<Connection>& connection, wire::Hello hello) {
  const auto environment = environment_of_(hello.node);
  if (!environment || (!connection->node.empty() && connection->node != hello.node)) {
    log::warning("agent_refused", {{"node", hello.node}});
    connection->socket->close();
    return;
  }
  connection->node = hello.node;
  // The newest connection of a node is the one that counts.
  const auto older = connections_.with(
      [&](auto& connections) { return std::exchange(connections[hello.node], connection); });
  if (older && older != connection) older->socket->close();
  log::info("node_connected",
            {{"node", hello.node}, {"gpus", hello.inventory.gpus.size()}, {"runs", hello.runs.size()}});
  for (const std::string& warning : hello.inventory.warnings)
    log::warning("node_limit_missing", {{"node", hello.node}, {"what", warning}});

  emit_(to_event(hello, *environment));
  // What the agent could not tell while there was no connection; it is not said again. Known news does
  // nothing.
  for (const wire::RunReport& run : hello.runs) {
    if (run.started_at)
      if (auto event = to_event(hello.node, wire::RunStarted{run.token, run.started_at}))
        emit_(std::move(*event));
    if (run.end)
      if (auto event = to_event(hello.node, wire::RunExited{run.token, run.started_at, *run.end}))
        emit_(std::move(*event));
  }
  logs_.push([socket = connection->socket, runs = std::move(hello.runs)](joblog::LogStore& store) {
    for (const wire::RunReport& run : runs)
      if (const auto next = store.next(run.token))
        socket->send(net::WebSocket::Kind::Text,
                     wire::encode(wire::ToAgent{wire::LogAck{run.token, *next}}).bytes);
  });
}

void AgentHub::on_close(const std::shared_ptr<Connection>& connection) {
  if (connection->node.empty()) return;
  const bool current = connections_.with([&](auto& connections) {
    const auto found = connections.find(connection->node);
    if (found == connections.end() || found->second != connection) return false;
    connections.erase(found);
    return true;
  });
  if (!current) return;
  log::info("node_disconnected", {{"node", connection->node}});
  emit_(core::NodeDisconnected{connection->node});
}

void AgentHub::send(NodeMessage message) {
  const auto connection = connections_.with([&](auto& connections) {
    const auto found = connections.find(message.node);
    return found == connections.end() ? nullptr : found->second;
  });
  if (!connection) return;
  auto frame = wire::encode(message.message);
  const auto kind = frame.binary ? net::WebSocket::Kind::Binary : net::WebSocket::Kind::Text;
  // A socket that takes no more has a peer that does not read: a new connection starts from a new hello.
  if (!connection->socket->send(kind, std::move(frame.bytes))) connection->socket->close();
}

}  // namespace stoker::server
