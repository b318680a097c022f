#pragma once
// The server process: everything wired together. The only place that knows everything.
#include <optional>
#include <string>

#include "base/money.h"
#include "base/result.h"
#include "base/time.h"
#include "net/http.h"
#include "server/log_thread.h"
#include "tasks/task.h"

namespace stoker::server {

struct Options {
  std::string listen = "127.0.0.1:7790";
  std::string data;            // state directory; made when absent
  std::string address_file;    // "": none; gets http://HOST:PORT once requests are answered
  std::string gpus = "auto";   // auto | none | NxMODEL: handed to the local agent
  std::optional<double> cpus;  // vCPUs for jobs; none: what the machine has
  std::optional<std::int64_t> memory_mib;
  std::string containers = "auto";  // auto | none | path of the engine's socket
  std::string pull = "if-missing";  // | always | never: when the local agent pulls images
  std::string rack;                 // of this machine; "": not told
  std::string engine = "local";     // local | fake (a node that only pretends; for measuring)
  bool stop_jobs = false;           // SIGTERM ends running jobs too
  std::string access_keys;          // file; "": no signatures asked, loopback only
  std::optional<net::TlsFiles> tls;
  std::string region = "us-east-1";
  std::string account = "000000000000";
  std::string log_level = "info";
  std::string log_file = "stderr";
  Duration history = days(7);
  Money node_price = {};  // per hour, of this machine
  LogBounds logs;
  tasks::Options tasks = {};  // what tasks of workflows may reach outside of this server
  int http_threads = 1;
};

// Runs until SIGTERM or SIGINT; the exit status of the process. Says on stderr why it does not start.
int serve(const Options& options);

}  // namespace stoker::server
