#pragma once
// What the core wants done, after the changed records are durable. Actions are idempotent: they carry the
// token of the run, may be repeated, and are repeated after a crash as long as they are owed.
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "core/event.h"
#include "core/workflow/run/effects.h"

namespace stoker::workflow {
class Program;
}

namespace stoker::core {

struct Replied {
  RequestId request;
  Result<Answer> answer;
};
struct StartRun {
  std::string node;
  RunToken token;
  std::string job_id;  // public id
  std::string job_name;
  const JobSpec* spec = nullptr;  // valid until the turn's actions were handed out
  std::vector<std::string> gpus;
  std::vector<std::pair<std::string, std::string>> environment;  // complete
};
struct StopRun {
  std::string node;
  RunToken token;
  Duration grace;
};
struct ForgetRun {
  std::string node;
  RunToken token;
};

// ---- workflows; owed until news answers them ----

// A task whose service the core has not: the face's other operations, functions, the web.
struct CallService {
  workflow::StartTask task;
  std::string execution_arn;
};
// Its answer is wanted no more: best effort.
struct CancelService {
  workflow::TaskToken token;
};
// How a job that a task waited for looks, now that it has ended (or is not there any more).
struct DescribeEndedJob {
  workflow::TaskToken token;
  Uuid job;
};
// The reader and the writer of a distributed Map. The program keeps what the effect points to.
struct ReadMapItems {
  workflow::ReadItems wanted;
  std::shared_ptr<const workflow::Program> program;
};
struct WriteMapResults {
  workflow::WriteResults wanted;
  std::uint64_t execution = 0;  // whose map results in the store are meant
  std::shared_ptr<const workflow::Program> program;
};
// All records of an ended execution, from the store.
struct FetchExecution {
  std::uint64_t execution = 0;
};

// Launch machines of one pool, each under its name, which is also the token that makes it happen once.
struct LaunchNodes {
  std::string environment;
  fleet::Pool pool;
  std::string subnet;  // of its environment, in the zone of the pool; "": any
  std::vector<std::string> nodes;
  std::string why;
  bool mig = false;  // their agents switch MIG on
};
// End the machine, or see to it that it is never launched. Owed until NodeLost or LaunchFailed comes.
struct RetireNode {
  std::string node;
  std::string instance;  // "": the engine has not said that it has it
  std::string why;
};
// Tell where these lie, by SubnetsFound.
struct FindSubnets {
  std::string environment;
  std::vector<std::string> subnets;
};

using Action =
    std::variant<Replied, StartRun, StopRun, ForgetRun, LaunchNodes, RetireNode, FindSubnets, CallService,
                 CancelService, DescribeEndedJob, ReadMapItems, WriteMapResults, FetchExecution>;
using Actions = std::vector<Action>;

}  // namespace stoker::core
