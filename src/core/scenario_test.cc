// Scenario files: testdata/*.txt, each a story with its transcript. A block is command lines, "----", and
// what happened: actions, refusals, what `show` prints. STOKER_REWRITE=1 writes what happens now; the author
// reads the diff.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "base/text.h"
#include "core/provision/progress.h"
#include "core/schedule/preempt/claims.h"
#include "core/schedule/preempt/preempt.h"
#include "core/schedule/quota/gate.h"
#include "core/testing/driver.h"
#include "core/testing/fake_cloud.h"

namespace stoker::core {
namespace {

using testing::Driver;
using testing::FakeCloud;
using testing::on;

using Options = std::map<std::string, std::string>;

struct Command {
  std::string verb;
  std::vector<std::string> words;
  Options options;  // key=value
};

Command parse_command(std::string_view line) {
  Command command;
  for (const std::string_view part : split(line, ' ')) {
    if (part.empty()) continue;
    const auto equals = part.find('=');
    if (command.verb.empty())
      command.verb = part;
    else if (equals != std::string_view::npos)
      command.options.emplace(part.substr(0, equals), part.substr(equals + 1));
    else
      command.words.emplace_back(part);
  }
  return command;
}

class Scenario {
 public:
  std::string run(const std::string& line) {
    out_.str({});
    const Command command = parse_command(line);
    obey(command);
    tell_actions();
    driver_.check();
    return out_.str();
  }

 private:
  static std::int64_t number(const Options& options, const std::string& key, std::int64_t otherwise = 0) {
    const auto found = options.find(key);
    return found == options.end() ? otherwise : parse_int(found->second).value_or(otherwise);
  }
  static Resources resources(const Options& options) {
    return {.cpus_milli = number(options, "cpu", 1) * 1000,
            .memory_mib = number(options, "memory", 100),
            .gpus = number(options, "gpu")};
  }

  void obey(const Command& c) {
    if (c.verb == "node")
      node(c);
    else if (c.verb == "define")
      define(c);
    else if (c.verb == "submit")
      submit(c);
    else if (c.verb == "fair")
      fair(c);
    else if (c.verb == "limit")
      tell(driver_.ask(
          TagResource{{ResourceKind::JobQueue, c.words.at(0), 0}, {{"stoker:max-running", c.words.at(1)}}}));
    else if (c.verb == "update")
      update(c);
    else if (c.verb == "start")
      driver_.start(id(c.words.at(0)), index(c.words.at(0)));
    else if (c.verb == "share")
      share(c);
    else if (c.verb == "shares")
      tell_shares();
    else if (c.verb == "finish")
      finish(c);
    else if (c.verb == "cancel")
      tell(driver_.ask(CancelJob{id(c.words.at(0)), index(c.words.at(0)), "cancelled by test"}));
    else if (c.verb == "terminate")
      tell(driver_.ask(TerminateJob{id(c.words.at(0)), index(c.words.at(0)), "terminated by test"}));
    else if (c.verb == "lose")
      driver_.event(NodeLost{c.words.at(0), "gone"});
    else if (c.verb == "disconnect")
      driver_.event(NodeDisconnected{c.words.at(0)});
    else if (c.verb == "advance")
      driver_.advance(seconds(parse_int(c.words.at(0)).value()));
    else if (c.verb == "crash")
      crash();
    else if (c.verb == "fleet")
      fleet(c);
    else if (c.verb == "boot")
      cloud_.boot_all();
    else if (c.verb == "hello")
      cloud_.boot(c.words.at(0));
    else if (c.verb == "refuse")
      refuse(c);
    else if (c.verb == "notice")
      driver_.event(InterruptionNotice{c.words.at(0), driver_.now + minutes(2)});
    else if (c.verb == "advise")
      driver_.event(RebalanceAdvised{c.words.at(0)});
    else if (c.verb == "reclaim")
      cloud_.gone(c.words.at(0), true);
    else if (c.verb == "machines")
      out_ << cloud_.summary() << '\n';
    else if (c.verb == "show")
      show(c);
    else
      out_ << "unknown command " << c.verb << '\n';
  }

  // model=, gpu_memory= of its GPUs; mig=yes lets the core plan their MIG devices; rack=; the first bad= of
  // them are out of order.
  void node(const Command& c) {
    const auto model = c.options.find("model");
    Node node =
        Driver::a_node(c.words.at(0), resources(c.options), model == c.options.end() ? "T4" : model->second,
                       number(c.options, "gpu_memory", 16'384));
    if (c.options.contains("mig"))
      for (NodeGpu& gpu : node.gpus) gpu.mig = MigMode::Dynamic;
    for (std::int64_t i = 0; i < number(c.options, "bad"); ++i)
      node.gpus.at(static_cast<std::size_t>(i)).health = GpuHealth::Bad;
    if (c.options.contains("rack")) node.rack = c.options.at("rack");
    driver_.connect(std::move(node), known_runs(c));
  }

  // The MANAGED environment "gpu": types=, spot=, window=, budget=, minimum=, consolidate=.
  void fleet(const Command& c) {
    Tags tags;
    for (const auto& [option, tag] : {std::pair{"spot", "stoker:spot"},
                                      {"window", "stoker:warm-window"},
                                      {"budget", "stoker:budget"},
                                      {"consolidate", "stoker:consolidate-after"}})
      if (c.options.contains(option)) tags[tag] = c.options.at(option);
    std::string types;
    for (const std::string_view type : split(c.options.at("types"), ','))
      types += (types.empty() ? "\"" : ",\"") + std::string(type) + "\"";
    cloud_.create(R"(,"minvCpus":)" + std::to_string(number(c.options, "minimum")), tags, "EC2", types);
  }
  // All launches under way bring nothing.
  void refuse(const Command& c) {
    const std::string& why = c.words.at(0);
    for (const std::string& name : cloud_.in(FakeCloud::Phase::Asked))
      cloud_.fail(name, why == "capacity" ? std::optional(fleet::LaunchFailure::Capacity)
                        : why == "quota"  ? std::optional(fleet::LaunchFailure::Quota)
                                          : std::nullopt);
  }
  void crash() {
    driver_.crash();
    for (auto& [name, machine] : cloud_.machines) machine.connected = false;
    driver_.event(TimerFired{});
  }

  void define(const Command& c) {
    std::string more;
    const auto add = [&](const std::string& json) { more += (more.empty() ? "" : ",") + json; };
    if (c.options.contains("attempts"))
      add(R"("retryStrategy":{"attempts":)" + c.options.at("attempts") + "}");
    if (c.options.contains("timeout"))
      add(R"("timeout":{"attemptDurationSeconds":)" + c.options.at("timeout") + "}");
    if (c.options.contains("nodes")) {
      driver_.define_gang(c.words.at(0), static_cast<int>(number(c.options, "nodes")), resources(c.options),
                          more);
      return;
    }
    const auto value = c.options.find("gpus");  // as a GPU value is written
    driver_.define(c.words.at(0), resources(c.options), more, value == c.options.end() ? "" : value->second);
  }

  void submit(const Command& c) {
    SubmitJob request;
    request.id = Uuid::from_random(driver_.ids.next(), driver_.ids.next());
    request.job_name = c.words.at(0);
    const bool fair = c.options.contains("share") && driver_.state().find_queue("fair") != nullptr;
    request.queue = fair ? "fair" : "default";
    request.definition = c.words.at(1);
    json::Object overrides;
    if (c.options.contains("share")) overrides["shareIdentifier"] = c.options.at("share");
    if (c.options.contains("priority"))
      overrides["schedulingPriorityOverride"] = number(c.options, "priority");
    if (c.options.contains("nodes"))
      overrides["nodeOverrides"] = json::Object{{"numNodes", number(c.options, "nodes")}};
    if (!overrides.empty()) request.overrides = std::make_shared<const json::Value>(std::move(overrides));
    request.array_size = static_cast<int>(number(c.options, "array"));
    for (const auto& [key, tag] : {std::pair{"models", "stoker:gpu-models"},
                                   {"preemptible", "stoker:preemptible"},
                                   {"retries", "stoker:preemption-retries"},
                                   {"topology", "stoker:topology"},
                                   {"checkpoint", "stoker:checkpoint"},
                                   {"deadline", "stoker:deadline"},
                                   {"run_time", "stoker:run-time"}})
      if (c.options.contains(key)) {
        if (!request.tags) request.tags.emplace();
        (*request.tags)[tag] = c.options.at(key);
      }
    for (const auto& [key, type] :
         {std::pair{"after", DependencyType::Whole}, {"n_to_n", DependencyType::NToN}})
      if (c.options.contains(key))
        for (const std::string_view name : split(c.options.at(key), ','))
          request.depends_on.push_back(on(id(std::string(name)), type));
    if (c.words.size() > 2 && c.words[2] == "sequential")
      request.depends_on.push_back({{}, -1, DependencyType::Sequential});
    names_[request.id.str()] = request.job_name;
    ids_[request.job_name] = request.id;
    tell(driver_.ask(request));
  }

  // Makes the queue "fair", whose policy gives the shares these weights.
  void fair(const Command& c) {
    json::Array shares;
    for (const auto& [share, weight] : c.options)
      shares.push_back(json::Object{{"shareIdentifier", share}, {"weightFactor", *json::parse(weight)}});
    tell(driver_.ask(CreateSchedulingPolicy{
        "policy",
        std::make_shared<const json::Value>(
            json::Object{{"fairsharePolicy", json::Object{{"shareDistribution", std::move(shares)}}}}),
        {}}));
    CreateJobQueue queue;
    queue.name = "fair";
    queue.priority = 1;
    queue.environments = {{.order = 1, .environment = "local"}};
    queue.scheduling_policy = "policy";
    tell(driver_.ask(queue));
  }

  void update(const Command& c) {
    UpdateJob request{
        .id = id(c.words.at(0)), .index = index(c.words.at(0)), .priority = {}, .share = {}, .queue = {}};
    if (c.options.contains("priority")) request.priority = static_cast<int>(number(c.options, "priority"));
    if (c.options.contains("share")) request.share = c.options.at("share");
    if (c.options.contains("queue")) request.queue = c.options.at("queue");
    tell(driver_.ask(request));
  }

  // share NAME UNIT=MAX... strategy=RESERVE borrow=PERCENT inside=yes; again to change it. Its queue:
  // default.
  void share(const Command& c) {
    std::vector<CapacityLimit> limits;
    for (const auto& [key, value] : c.options)
      if (key != "strategy" && key != "borrow" && key != "inside")
        limits.push_back({.max = number(c.options, key), .given = key, .unit = {}});
    using enum QuotaSharing::Strategy;
    static const std::map<std::string, QuotaSharing::Strategy> kStrategies = {
        {"RESERVE", Reserve}, {"LEND", Lend}, {"LEND_AND_BORROW", LendAndBorrow}};
    const QuotaSharing sharing{kStrategies.at(c.options.at("strategy")),
                               number(c.options, "borrow", QuotaSharing::kNoBorrowLimit)};
    const bool inside = c.options.contains("inside");
    const std::string& name = c.words.at(0);
    const JobQueue& queue = *driver_.state().find_queue("default");
    if (driver_.state().find_quota_share(queue.no, name) == nullptr)
      tell(driver_.ask(CreateQuotaShare{.name = name,
                                        .queue = "default",
                                        .limits = limits,
                                        .sharing = sharing,
                                        .preempts_inside = inside}));
    else
      tell(driver_.ask(UpdateQuotaShare{.queue = "default",
                                        .name = name,
                                        .limits = limits,
                                        .sharing = sharing,
                                        .preempts_inside = inside}));
  }

  void tell_shares() {
    const JobQueue& queue = *driver_.state().find_queue("default");
    const QuotaShares& shares = *quota_shares_of(driver_.state(), queue.no);
    const QuotaView view = quota_view(driver_.state(), queue.no, shares);
    for (const auto& [name, one] : shares) out_ << describe(view, one) << '\n';
  }

  void finish(const Command& c) {
    driver_.finish(id(c.words.at(0)), static_cast<int>(parse_int(c.words.at(1)).value()),
                   index(c.words.at(0)));
  }

  // runs=a,b:1 are those the node knows of, all started.
  std::vector<KnownRun> known_runs(const Command& c) {
    std::vector<KnownRun> runs;
    if (c.options.contains("runs"))
      for (const std::string_view name : split(c.options.at("runs"), ','))
        runs.push_back({driver_.token(id(std::string(name)), index(std::string(name))), true, false});
    return runs;
  }

  Uuid id(const std::string& name) { return ids_.at(name.substr(0, name.find_first_of(":#"))); }
  static int index(const std::string& name) {
    const auto colon = name.find_first_of(":#");  // a child, a node
    return colon == std::string::npos ? -1 : static_cast<int>(parse_int(name.substr(colon + 1)).value());
  }
  // Ids as the names of the story.
  std::string named(std::string text) const {
    for (const auto& [id, name] : names_)
      for (auto at = text.find(id); at != std::string::npos; at = text.find(id))
        text.replace(at, id.size(), name);
    return text;
  }

  void tell(const Result<Answer>& answer) {
    if (!answer) out_ << "refused: " << named(answer.error().message) << '\n';
  }
  void tell_actions() {
    for (const StartRun& start : std::exchange(driver_.starts, {})) {
      out_ << "start " << named(start.job_id) << " attempt " << start.token.attempt << " on " << start.node;
      for (const std::string& gpu : start.gpus) out_ << ' ' << gpu;
      out_ << '\n';
    }
    const auto job_of = [&](const RunToken& token) {
      const Job* job = driver_.state().jobs.find(token.job);
      return job == nullptr ? token.str() : named(job->public_id());
    };
    for (const StopRun& stop : std::exchange(driver_.stops, {}))
      out_ << "stop " << job_of(stop.token) << '\n';
    for (const ForgetRun& forget : std::exchange(driver_.forgets, {}))
      out_ << "forget " << job_of(forget.token) << " attempt " << forget.token.attempt << '\n';
    for (const LaunchNodes& launch : driver_.launches) {
      out_ << "launch " << launch.nodes.size() << " x " << fleet::describe(launch.pool) << ':';
      for (const std::string& name : launch.nodes) out_ << ' ' << name;
      out_ << '\n';
    }
    for (const RetireNode& retire : driver_.retirements)
      out_ << "retire " << retire.node << ": " << retire.why << '\n';
    cloud_.absorb();
  }

  [[nodiscard]] std::string why(const Job& job) const {
    if (job.is_node()) return "with its job";
    const auto claim = driver_.state().claims.find(job.no);
    return claim != driver_.state().claims.end() ? claim_text(driver_.state(), claim->second)
                                                 : find_wait_reason(driver_.state(), job)->text;
  }

  void show(const Command& c) {
    for (const std::string& name : c.words) {
      const Job& job = driver_.job(id(name), index(name));
      out_ << name << ' ' << name_of(job.status);
      if (job.status == JobStatus::Runnable)
        out_ << ": " << named(why(job));
      else if (job.extra && !job.extra->status_reason.empty())
        out_ << ": " << named(job.extra->status_reason);
      else if (is_preempted(job))
        out_ << ": " << named(job.extra->attempts.back().status_reason);
      if (const std::string due = deadline_text(driver_.state(), job);
          !due.empty() && !is_terminal(job.status))
        out_ << "; " << due;
      out_ << '\n';
    }
  }

  Driver driver_{FakeCloud::settings()};
  FakeCloud cloud_{driver_};
  std::map<std::string, Uuid> ids_;
  std::map<std::string, std::string> names_;  // by id
  std::ostringstream out_;
};

// The file with each block's output as it is now.
std::string replay(const std::string& text) {
  Scenario scenario;
  std::string result;
  std::string output;
  bool in_output = false;
  for (const std::string_view line : split(text, '\n')) {
    const bool comment = line.starts_with("#") || line.empty();
    if (line == "----") {
      in_output = true;
      result += "----\n" + output;
      output.clear();
      continue;
    }
    if (in_output && !line.empty()) continue;  // the old output
    in_output = false;
    result += std::string(line) + '\n';
    if (!comment) output += scenario.run(std::string(line));
  }
  result.pop_back();  // split gave one more line than there are
  return result;
}

TEST(Scenarios, happen_as_their_files_say) {
  const std::filesystem::path folder = std::string(STOKER_SOURCE_DIR) + "/src/core/testdata";
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".txt") continue;
    ++count;
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    const std::string now = replay(text.str());
    if (std::getenv("STOKER_REWRITE") != nullptr)
      std::ofstream(entry.path()) << now;
    else
      EXPECT_EQ(now, text.str()) << entry.path();
  }
  EXPECT_GE(count, 4);
}

}  // namespace
}  // namespace stoker::core
