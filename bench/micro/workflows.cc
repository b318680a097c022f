// Executions with the server's own loop, commit thread and store, and nothing else: no HTTP, no client.
//
// usage: bench_workflows FOLDER|- DEFINITION.json INPUT.json EXECUTIONS
// The store lies in FOLDER; with "-" nothing is durable. Starts that many executions of the machine, and ends
// when all have succeeded and are on disk. Prints one JSON object: seconds, cpu_seconds, events, bytes.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>

#include <sys/resource.h>

#include "base/rng.h"
#include "core/core.h"
#include "core/workflow/run/execution.h"
#include "rt/clock.h"
#include "server/commit.h"
#include "server/turn.h"
#include "store/store.h"

namespace stoker::bench {
namespace {

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "bench_workflows: %s\n", why.c_str());
  std::exit(1);
}

std::string read_file(const char* name) {
  std::ifstream in(name, std::ios::binary);
  if (!in) give_up(std::string("cannot read ") + name);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// There are no nodes and nothing outside.
class Nobody : public server::NodeMessages, public server::Services {
 public:
  void send(server::NodeMessage) override {}
  void call(core::CallService) override {}
  void cancel(core::CancelService) override {}
  void describe(core::DescribeEndedJob) override {}
  void read_items(core::ReadMapItems) override {}
  void write_results(core::WriteMapResults) override {}
};

std::unique_ptr<store::Store> open(const std::string& folder) {
  if (folder == "-") return store::open_memory();
  std::filesystem::create_directories(folder);
  auto store = store::open_sqlite(folder + "/state.db");
  if (!store) give_up(store.error().message);
  return *std::move(store);
}

double cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

class Bench {
 public:
  explicit Bench(const std::string& folder)
      : store_(open(folder)), core_({}), commits_(*store_, nobody_), loop_(core_, commits_) {
    loop_.use(nobody_);
  }

  std::string make(std::string definition) {
    core::CreateStateMachine asked;
    asked.name = "bench";
    asked.definition = std::move(definition);
    asked.role_arn = "arn:aws:iam::000000000000:role/any";
    std::promise<std::string> made;
    loop_.request(std::move(asked), [&made](Result<core::Answer> answer) {
      if (!answer) give_up(answer.error().message);
      made.set_value(std::get<core::ArnCreated>(*answer).arn);
    });
    loop_.turn({});
    return made.get_future().get();
  }

  void start(const std::string& machine, const std::string& input) {
    core::StartExecution asked;
    asked.arn = machine;
    asked.input = input;
    asked.id = Uuid::from_random(rng_.next(), rng_.next());
    asked.seed = rng_.next();
    asked.seed2 = rng_.next();
    loop_.request(std::move(asked), [](Result<core::Answer> answer) {
      if (!answer) give_up(answer.error().message);
    });
  }

  // Until all have ended and everything is on disk.
  void finish(std::size_t executions) {
    const core::State& state = core_.state();
    do loop_.turn(seconds(1));
    while (!state.executions.running.empty() || state.executions.all.size() < executions);
    server::Commit last;
    std::promise<void> done;
    last.answers.emplace_back([&done] { done.set_value(); });
    commits_.push(std::move(last));
    done.get_future().wait();
  }

  // Of all histories; gives up when an execution did not succeed.
  std::uint64_t events() {
    std::uint64_t count = 0;
    for (const auto& [no, info] : core_.state().executions.all) {
      if (info.status != workflow::Status::Succeeded) give_up("an execution did not succeed");
      const auto last = store_->history({.execution = no.value, .after = 0, .count = 1, .reverse = true});
      if (!last || last->events.empty()) give_up("an execution has no history");
      count += last->events.front().id;
    }
    return count;
  }

 private:
  Nobody nobody_;
  std::unique_ptr<store::Store> store_;
  core::Core core_;
  server::CommitThread commits_;
  server::TurnLoop loop_;
  Rng rng_{1};
};

int run(int argc, char** argv) {
  if (argc != 5) give_up("usage: bench_workflows FOLDER|- DEFINITION.json INPUT.json EXECUTIONS");
  const bool durable = std::string_view(argv[1]) != "-";
  Bench bench(argv[1]);
  const std::string machine = bench.make(read_file(argv[2]));
  const std::string input = read_file(argv[3]);
  const auto executions = static_cast<std::size_t>(std::atol(argv[4]));
  const auto begin = std::chrono::steady_clock::now();
  const double cpu = cpu_seconds();
  for (std::size_t i = 0; i < executions; ++i) bench.start(machine, input);
  bench.finish(executions);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf(R"({"executions":%zu,"seconds":%.6f,"cpu_seconds":%.6f,"events":%llu})"
              "\n",
              executions, took.count(), cpu_seconds() - cpu,
              durable ? static_cast<unsigned long long>(bench.events()) : 0ULL);
  return 0;
}

}  // namespace
}  // namespace stoker::bench

int main(int argc, char** argv) {
  return stoker::bench::run(argc, argv);
}
