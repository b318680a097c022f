// A load generator: one request over and over, as fast as it is answered (submissions, or any operation), or
// jobs one at a time.
//
// usage: bench_load submit  --address HOST:PORT --body JSON [--queue NAME] [--connections N] [--requests N]
//                           [--until answered|drained|array] [--seconds-max S] [--target SERVICE.OPERATION]
//        bench_load latency --address HOST:PORT --body JSON --stamps FILE [--queue NAME] [--jobs N] [--pause
//        S]
// Prints one JSON object. Any refusal ends it with status 1.
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "load/client.h"
#include "load/measures.h"

namespace {

using Options = std::map<std::string, std::string>;

Options read_options(int argc, char** argv) {
  Options options;
  for (int i = 2; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    if (!name.starts_with("--")) bench::give_up("not an option", name);
    options[std::string(name.substr(2))] = argv[i + 1];
  }
  return options;
}

std::string text(const Options& options, const std::string& name, const std::string& otherwise = {}) {
  const auto found = options.find(name);
  return found == options.end() ? otherwise : found->second;
}

double number(const Options& options, const std::string& name, double otherwise) {
  const auto found = options.find(name);
  return found == options.end() ? otherwise : std::atof(found->second.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  const Options options = read_options(argc, argv);
  if (what == "submit") {
    bench::SubmitPlan plan;
    plan.address = text(options, "address");
    plan.queue = text(options, "queue", plan.queue);
    plan.body = text(options, "body");
    plan.target = text(options, "target");
    plan.connections = static_cast<int>(number(options, "connections", 1));
    plan.requests = static_cast<long>(number(options, "requests", 1));
    plan.seconds_max = number(options, "seconds-max", plan.seconds_max);
    const std::string until = text(options, "until", "answered");
    if (until == "drained") plan.until = bench::Until::Drained;
    if (until == "array") plan.until = bench::Until::ArrayDone;
    bench::submit_many(plan);
  } else if (what == "latency") {
    bench::LatencyPlan plan;
    plan.address = text(options, "address");
    plan.queue = text(options, "queue", plan.queue);
    plan.body = text(options, "body");
    plan.stamps = text(options, "stamps");
    plan.jobs = static_cast<long>(number(options, "jobs", static_cast<double>(plan.jobs)));
    plan.pause_seconds = number(options, "pause", plan.pause_seconds);
    bench::submit_to_exec(plan);
  } else {
    bench::give_up("usage: bench_load submit|latency --address HOST:PORT --body JSON ...");
  }
  return 0;
}
