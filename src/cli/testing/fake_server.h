#pragma once
// A server for tests of commands: real HTTP on a free port, and behind it a little Batch that follows a
// script.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "json/json.h"
#include "net/http.h"
#include "rt/guarded.h"

namespace stoker::cli::testing {

struct Call {
  std::string operation{};  // in lower case: "submitjob", "getlogevents", "explain"
  json::Value input{};
};

// What it answers. Only changed through FakeServer::change().
struct Script {
  json::Array definitions{};  // as DescribeJobDefinitions gives them
  // What DescribeJobs says of a job, look after look; the last one stays.
  std::map<std::string, std::vector<json::Value>> jobs{};
  json::Array lines{};  // of ListAllJobs, newest first
  std::map<std::string, std::vector<std::string>> streams{};
  // What GetExecutionHistory knows, look after look, in the order of the ids; the last one stays.
  std::vector<json::Array> histories{};
  std::size_t history_looks = 0;
  std::map<std::string, json::Value> answers{};                   // by operation, before everything else
  std::map<std::string, std::pair<int, std::string>> refusals{};  // status and message by operation
  std::map<std::string, std::string> refusal_names{};             // __type, where a refusal has one
  std::map<std::string, int> failures{};  // how many calls of an operation get status 503 first
  std::string submitted_id = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";
  std::vector<Call> calls{};
};

class FakeServer {
 public:
  FakeServer();
  ~FakeServer();
  [[nodiscard]] std::string address() const { return "http://" + server_->address(); }
  template <class F>
  auto change(F&& use) {
    return script_.with(std::forward<F>(use));
  }
  // The inputs of all calls of one operation.
  std::vector<json::Value> inputs(std::string_view operation);

 private:
  net::Response answer(const net::Request& request);

  rt::Guarded<Script> script_;
  std::unique_ptr<net::Server> server_;
};

// JSON of a job as DescribeJobs gives it.
json::Value job_detail(std::string_view id, std::string_view status, std::string_view more = "{}");

}  // namespace stoker::cli::testing
