#include "micro/filled_core.h"

#include <algorithm>

#include "base/assert.h"
#include "json/json.h"

namespace stoker::bench {

std::string FilledCore::image(int number) {
  return "docker.io/library/image:" + std::to_string(number % kImages);
}

FilledCore::FilledCore(int nodes, int cpus, int gpus, Nodes kind) {
  core::CreateComputeEnvironment environment;
  environment.name = "local";
  environment.managed = false;
  environment.uuid = "00000000-0000-4000-8000-000000000000";
  environment.document = std::make_shared<const json::Value>(json::Object{});
  request(std::move(environment));
  core::CreateJobQueue queue;
  queue.name = "default";
  queue.priority = 1;
  queue.environments = {{.order = 1, .environment = "local"}};
  request(std::move(queue));
  request(core::CreateSchedulingPolicy{.name = "policy", .document = nullptr, .tags = {}});
  queue = {};
  queue.name = "fair";
  queue.environments = {{.order = 1, .environment = "local"}};
  queue.scheduling_policy = "policy";
  request(std::move(queue));
  queue = {};
  queue.name = "quota";
  queue.environments = {{.order = 1, .environment = "local"}};
  request(std::move(queue));
  core::CreateQuotaShare lender;
  lender.name = "lender";
  lender.queue = "quota";
  lender.limits = {{.max = 1'000'000, .given = "GPU", .unit = {}}};
  lender.sharing.strategy = core::QuotaSharing::Strategy::Lend;
  request(std::move(lender));
  core::CreateQuotaShare borrower;
  borrower.name = "borrower";
  borrower.queue = "quota";
  borrower.limits = {{.max = 0, .given = "GPU", .unit = {}}};
  borrower.sharing.strategy = core::QuotaSharing::Strategy::LendAndBorrow;
  borrower.preempts_inside = true;
  request(std::move(borrower));
  for (int i = 0; i < nodes; ++i) {
    core::NodeConnected connected;
    connected.node.name = "node-" + std::to_string(i);
    connected.node.environment = "local";
    connected.node.instance = "first boot";
    const int odd_mib = kind == Nodes::OddMemory ? i : 0;
    connected.node.total = {.cpus_milli = cpus * 1000, .memory_mib = (1 << 20) + odd_mib, .gpus = gpus};
    for (int gpu = 0; gpu < gpus; ++gpu)
      connected.node.gpus.push_back(
          {connected.node.name + "-GPU-" + std::to_string(gpu), "A100-80GB", 81'920, {}});
    if (kind == Nodes::SomeImages) {
      connected.node.containers = true;
      std::vector<std::string> images;
      for (int held = 0; held < kImages / 2; ++held) images.push_back(image(i + held));
      connected.node.images = core::held_images(std::move(images));
    }
    core_.apply(now_, core::Event{std::move(connected)}, actions_);
  }
}

std::string FilledCore::define(int cpus, int memory_mib, const std::string& gpus, const std::string& image) {
  std::string name = "cpus-" + std::to_string(cpus) + "-mib-" + std::to_string(memory_mib) + "-gpus-" + gpus;
  std::ranges::replace(name, '.', '_');
  const std::string gpu = gpus.empty() ? "" : R"(,{"type":"GPU","value":")" + gpus + R"("})";
  auto document = json::parse(R"({"jobDefinitionName":")" + name +
                              R"(","type":"container","containerProperties":{
      "image":")" + image + R"(","command":["/bin/true"],"resourceRequirements":[{"type":"VCPU","value":")" +
                              std::to_string(cpus) + R"("},{"type":"MEMORY","value":")" +
                              std::to_string(memory_mib) + R"("})" + gpu + "]}}");
  ASSERT(document, "the definition is no JSON");
  request(core::RegisterJobDefinition{name, std::make_shared<const json::Value>(std::move(*document)), {}});
  return name;
}

void FilledCore::submit(const std::string& definition, int array_size, const std::string& share) {
  if (share.empty())
    submit_to("default", definition, array_size, {});
  else
    submit_to("fair", definition, array_size, {{"shareIdentifier", share}});
}

void FilledCore::submit_borrower(const std::string& definition, int priority) {
  submit_to("quota", definition, 0,
            {{"shareIdentifier", "borrower"}, {"schedulingPriorityOverride", priority}});
}

void FilledCore::submit_to(const std::string& queue, const std::string& definition, int array_size,
                           json::Object overrides) {
  core::SubmitJob submit;
  submit.id = Uuid::from_random(rng_.next(), rng_.next());
  submit.job_name = "bench";
  submit.queue = queue;
  if (!overrides.empty()) submit.overrides = std::make_shared<const json::Value>(std::move(overrides));
  submit.definition = definition;
  submit.array_size = array_size;
  request(std::move(submit));
}

void FilledCore::request(core::Request request) {
  core_.apply(now_, core::Requested{core::RequestId{next_request_++}, std::move(request)}, actions_);
  const auto& answer = std::get<core::Replied>(actions_.back()).answer;
  ASSERT(answer, "a request of the benchmark was refused: " + answer.error().message);
}

void FilledCore::finish_oldest() {
  ASSERT(!runs_.empty(), "nothing runs");
  const Run run = std::move(runs_.front());
  runs_.pop_front();
  core::RunEnded ended;
  ended.node = run.node;
  ended.token = run.token;
  ended.started_at = now_;
  ended.at = now_;
  ended.exit_code = 0;
  core_.apply(now_, core::Event{std::move(ended)}, actions_);
}

void FilledCore::ask_for_pass() {
  core_.apply(now_, core::Event{core::NodeDisconnected{"no such node"}}, actions_);
}

std::size_t FilledCore::turn() {
  now_ = now_ + milliseconds(1);
  core_.schedule(now_, actions_);
  const core::Records changed = core_.take_changes();
  records_ += changed.jobs.size() + changed.documents.size();
  std::size_t started = 0;
  for (core::Action& action : actions_) {
    auto* start = std::get_if<core::StartRun>(&action);
    if (start == nullptr) continue;
    runs_.push_back({start->token, std::move(start->node)});
    ++started;
  }
  actions_.clear();
  return started;
}

}  // namespace stoker::bench
