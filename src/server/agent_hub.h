#pragma once
// The agents that are connected: turns what they say into events of the core and sends them what it decided.
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "core/event.h"
#include "net/http.h"
#include "rt/guarded.h"
#include "server/commit.h"
#include "server/log_thread.h"

namespace stoker::server {

inline constexpr std::string_view kAgentPath = "/stoker/v1/node";

class AgentHub : public NodeMessages {
 public:
  // `emit` takes events from any thread. `environment_of` says which compute environment a node belongs to;
  // nothing: such a node is not expected and is refused.
  AgentHub(std::function<void(core::Event)> emit, LogThread& logs,
           std::function<std::optional<std::string>(const std::string& node)> environment_of);

  // For ServerHandlers::on_websocket of listeners that only agents can reach.
  std::optional<net::WebSocketEvents> on_websocket(const net::Request& request,
                                                   std::shared_ptr<net::WebSocket> socket);
  // Dropped when the node is not connected: its next hello makes the core repeat what is owed.
  void send(NodeMessage message) override;

 private:
  struct Connection;
  void on_message(const std::shared_ptr<Connection>& connection, net::WebSocket::Kind kind,
                  std::string bytes);
  void on_hello(const std::shared_ptr<Connection>& connection, wire::Hello hello);
  void on_close(const std::shared_ptr<Connection>& connection);

  std::function<void(core::Event)> emit_;
  LogThread& logs_;
  std::function<std::optional<std::string>(const std::string&)> environment_of_;
  rt::Guarded<std::map<std::string, std::shared_ptr<Connection>>> connections_;  // by node
};

// A message of an agent as the event it means; nothing for a hello and for logs.
std::optional<core::Event> to_event(const std::string& node, const wire::FromAgent& message);
core::NodeConnected to_event(const wire::Hello& hello, std::string environment);

}  // namespace stoker::server
