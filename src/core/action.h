#pragma once
// What the core wants done, after the changed records are durable. Actions are idempotent: they carry the
// token of the run, may be repeated, and are repeated after a crash as long as they are owed.
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "core/event.h"

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

using Action = std::variant<Replied, StartRun, StopRun, ForgetRun>;
using Actions = std::vector<Action>;

}  // namespace stoker::core
