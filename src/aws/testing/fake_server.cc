#include "aws/testing/fake_server.h"

#include <filesystem>

#include <stdlib.h>

#include "aws/validate.h"
#include "base/assert.h"
#include "base/text.h"
#include "joblog/format.h"

namespace stoker::aws::testing {
namespace {

constexpr std::uint64_t kLogBytesMax = 8u << 20;

const Operation& operation_named(std::string_view name) {
  for (const Operation& one : operations()) {
    if (one.name == name) return one;
  }
  ASSERT(false, name);
  return operations().front();
}

// The request that an SDK would send.
net::Request request_for(const Operation& operation, std::string_view input) {
  net::Request out{
      std::string(operation.method), std::string(operation.uri), {{"Host", "localhost"}}, std::string(input)};
  if (const std::string_view prefix = facts(operation.service).target_prefix; !prefix.empty()) {
    out.headers.push_back({"X-Amz-Target", std::string(prefix) + '.' + std::string(operation.name)});
    out.headers.push_back({"Content-Type", std::string(facts(operation.service).content_type)});
  }
  const std::size_t brace = out.target.find('{');
  if (brace == std::string::npos) return out;
  const json::Value parsed = *json::parse(input);
  out.target = out.target.substr(0, brace) + percent_encode(json::get_string(parsed, "resourceArn"));
  char separator = '?';
  for (const json::Value& key : json::get_array(parsed, "tagKeys")) {
    out.target += separator + std::string("tagKeys=") + percent_encode(json::text(key));
    separator = '&';
  }
  return out;
}

}  // namespace

FakeServer::FakeServer(FaceSettings settings) : face_(std::move(settings), *this) {
  std::string name = (std::filesystem::temp_directory_path() / "stoker-face-XXXXXX").string();
  ASSERT(mkdtemp(name.data()) != nullptr);
  log_dir_ = name;
  logs_ = std::make_unique<joblog::LogStore>(std::move(*joblog::LogStore::open(log_dir_)));
  must(core::CreateComputeEnvironment{.name = "local",
                                      .managed = false,
                                      .enabled = true,
                                      .document = std::make_shared<const json::Value>(json::Object{}),
                                      .uuid = new_uuid().str(),
                                      .tags = {}});
  core::CreateJobQueue queue;
  queue.name = "default";
  queue.priority = 1;
  queue.environments = {{.order = 1, .environment = "local"}};
  must(queue);
}

FakeServer::~FakeServer() {
  std::error_code ignored;
  std::filesystem::remove_all(log_dir_, ignored);
}

void FakeServer::must(core::Request request) {
  this->request(std::move(request),
                [](Result<core::Answer> answer) { ASSERT(answer.has_value(), answer.error().message); });
}

net::Response FakeServer::handle(net::Request request) {
  std::optional<net::Response> out;
  face_.handle(std::move(request), [&](net::Response response) {
    ASSERT(!out.has_value(), "answered twice");
    out = std::move(response);
  });
  ASSERT(out.has_value(), "not answered");
  return *out;
}

std::string_view error_name(const net::Response& response) {
  for (const net::Header& field : response.headers) {
    if (field.name == "x-amzn-ErrorType") return field.value;
  }
  return {};
}

std::string FakeServer::call(std::string_view operation_name, std::string_view input) {
  const Operation& operation = operation_named(operation_name);
  const net::Response response = handle(request_for(operation, input));
  const auto body = json::parse(response.body);
  ASSERT(body.has_value(), response.body);
  if (response.status != 200) {
    return std::to_string(response.status) + ' ' + std::string(error_name(response)) + ": " +
           std::string(json::get_string(*body, "message"));
  }
  // Where AWS's answers differ from the model: a job that never ran has no startedAt, and a thing without
  // tags has {}.
  auto faults =
      operation.output == kNoShape ? std::vector<std::string>() : faults_of_answer(operation.output, *body);
  std::erase_if(faults, [](const std::string& fault) {
    return fault.find("startedAt'") != std::string::npos ||
           (fault.starts_with("Value '{0 members}'") && fault.find("tags'") != std::string::npos);
  });
  ASSERT(faults.empty(), faults.front() + " in " + response.body);
  return response.body;
}

void FakeServer::event(core::Event event) {
  core_.apply(now_, event, actions_);
  core_.schedule(now_, actions_);
  store_.commit(core_.take_changes());
  if (++events_ <= kCheckedEvents || events_ % kCheckEvery == 0) core_.check_invariants();
  for (core::Action& action : actions_) {
    if (auto* start = std::get_if<core::StartRun>(&action)) asked_.push_back(std::move(*start));
  }
}

void FakeServer::request(core::Request request, std::move_only_function<void(Result<core::Answer>)> done) {
  const core::RequestId id{next_request_++};
  callers_.emplace(id, std::move(done));
  actions_.clear();
  event(core::Requested{id, std::move(request)});
  for (core::Action& action : std::exchange(actions_, {})) {
    auto* replied = std::get_if<core::Replied>(&action);
    if (replied == nullptr) continue;
    auto caller = callers_.extract(replied->request);
    ASSERT(!caller.empty(), "an answer that nobody asked for");
    caller.mapped()(std::move(replied->answer));
  }
}

void FakeServer::read_history(core::HistoryRange range,
                              std::move_only_function<void(Result<core::HistoryPage>)> done) {
  auto events = store_.history(range.execution);
  if (range.reverse) std::ranges::reverse(events);
  std::erase_if(events, [&](const workflow::HistoryEvent& event) {
    return range.after != 0 && (range.reverse ? event.id >= range.after : event.id <= range.after);
  });
  core::HistoryPage page{.events = std::move(events)};
  if (page.events.size() > range.count) {
    page.events.resize(range.count);
    page.more = true;
  }
  done(std::move(page));
}

void FakeServer::read_execution(
    std::uint64_t no, std::move_only_function<void(Result<std::optional<workflow::Snapshot>>)> done) {
  done(store_.execution(no));
}

void FakeServer::read(std::move_only_function<net::Response(const core::State&, Instant now)> read,
                      net::Reply reply) {
  reply(read(core_.state(), now_));
}

void FakeServer::read_logs(std::move_only_function<void(joblog::LogStore&)> work) {
  work(*logs_);
}

void FakeServer::connect_node(const std::string& name, core::Resources total,
                              std::vector<core::NodeGpu> gpus) {
  core::Node node;
  node.name = name;
  node.environment = "local";
  node.instance = "i";
  node.total = total;
  node.gpus = std::move(gpus);
  actions_.clear();
  event(core::NodeConnected{node, {}});
}

void FakeServer::start_all() {
  for (core::StartRun& run : std::exchange(asked_, {})) {
    actions_.clear();
    event(core::RunStarted{run.token, now_});
    running_.push_back(std::move(run));
  }
}

void FakeServer::finish_all(int exit_code, const std::string& reason) {
  for (const core::StartRun& run : std::exchange(running_, {})) {
    actions_.clear();
    core::RunEnded ended{.node = run.node,
                         .token = run.token,
                         .started_at = now_,
                         .at = now_,
                         .exit_code = exit_code,
                         .reason = reason};
    event(std::move(ended));
  }
}

void FakeServer::advance(Duration by) {
  now_ = now_ + by;
}

void FakeServer::write_log(const std::string& stream_name, const std::vector<std::string>& lines) {
  const std::string token = stream_name.substr(stream_name.rfind('/') + 1);
  std::string bytes;
  for (const std::string& line : lines) joblog::append_frame(bytes, now_, line, 0);
  const auto end = logs_->next(token);
  ASSERT(end.has_value());
  ASSERT(logs_->append(now_, token, *end, bytes, kLogBytesMax).has_value());
}

}  // namespace stoker::aws::testing
