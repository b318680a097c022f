#include "core/workflow/run/testing/author.h"

namespace stoker::workflow::testing {
namespace {

// The next state always can be reached, so that no definition is refused.
std::string way_out(const std::vector<std::string>& names, std::size_t at) {
  return at + 1 < names.size() ? R"("Next":")" + names[at + 1] + "\"" : R"("End":true)";
}

}  // namespace

std::string Author::definition() {
  return "{" + machine(0) + (rng_.chance(1, 8) ? ",\"TimeoutSeconds\":9}" : "}");
}

std::string Author::machine(int depth) {
  const std::size_t count = 1 + rng_.below(4);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back("s" + std::to_string(++states_));
  std::string states;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) states += ",";
    states += "\"" + names[i] + "\":" + state(names, i, depth);
  }
  return R"("StartAt":")" + names[0] + R"(","States":{)" + states + "}";
}

std::string Author::handlers(const std::vector<std::string>& names, std::size_t at) {
  std::string text;
  if (chance(40))
    text += R"(,"Retry":[{"ErrorEquals":[")" + pick({"A", "B", "States.ALL", "States.TaskFailed"}) +
            R"("],"IntervalSeconds":2,"MaxAttempts":2)" +
            (chance(30) ? R"(,"JitterStrategy":"FULL"}])" : "}]");
  if (at + 1 < names.size() && chance(50))
    text += R"(,"Catch":[{"ErrorEquals":[")" + pick({"A", "States.Timeout", "States.ALL"}) +
            R"("],"Next":")" + later(names, at) +
            (chance(30) ? R"(","Assign":{"v)" + std::to_string(++variables_) + R"(":1}}])" : "\"}]");
  return text;
}

std::string Author::state(const std::vector<std::string>& names, std::size_t at, int depth) {
  const std::string out = way_out(names, at);
  const std::uint64_t kind = rng_.below(depth < 3 ? 12 : 7);
  if (kind == 0 && at + 1 < names.size())
    return R"({"Type":"Choice","QueryLanguage":"JSONata","Choices":[{"Condition":"{% $random() > 0.5 %}","Next":")" +
           later(names, at) + R"("}],"Default":")" + names[at + 1] + "\"}";
  if (kind == 1) return R"({"Type":"Wait","Seconds":)" + std::to_string(rng_.below(4)) + "," + out + "}";
  if (kind == 2 && at + 1 == names.size())
    return chance(70) ? R"({"Type":"Succeed"})" : R"({"Type":"Fail","Error":")" + pick({"A", "B"}) + "\"}";
  if (kind == 3)
    return R"({"Type":"Pass","QueryLanguage":"JSONata","Assign":{"v)" + std::to_string(++variables_) +
           R"(":"{% $states.input %}"},"Output":)" +
           pick({R"("{% $states.input %}")", R"([1,2])", R"("{% $uuid() %}")",
                 R"("{% $states.input.no.such %}")"}) +
           "," + out + "}";
  if (kind <= 6) return task(names, at, out);
  if (kind <= 8) {
    std::string branches;
    for (std::uint64_t i = 0, n = 1 + rng_.below(3); i < n; ++i)
      branches += (i > 0 ? ",{" : "{") + machine(depth + 1) + "}";
    return R"({"Type":"Parallel","Branches":[)" + branches + "]," + out + handlers(names, at) + "}";
  }
  return map(names, at, depth, out);
}

std::string Author::map(const std::vector<std::string>& names, std::size_t at, int depth,
                        const std::string& out) {
  const std::string head = R"({"Type":"Map","QueryLanguage":"JSONata","Items":)";
  const std::string tail = "}," + out + handlers(names, at) + "}";
  if (!chance(33))
    return head + pick({"[1,2,3]", "[]", R"({"a":1,"b":2})"}) + R"(,"MaxConcurrency":)" +
           std::to_string(rng_.below(3)) + R"(,"ItemProcessor":{)" + machine(depth + 1) + tail;
  // Express children may not wait for jobs and workers.
  const bool express = chance(50);
  const std::string child = "d" + std::to_string(++states_);
  return head + R"([1,2,3,4],"MaxConcurrency":2,"ToleratedFailureCount":)" + std::to_string(rng_.below(2)) +
         R"(,"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":")" +
         (express ? "EXPRESS" : "STANDARD") + "\"}," +
         (express ? R"("StartAt":")" + child + R"(","States":{")" + child + R"(":{"Type":"Pass","End":true}})"
                  : machine(depth + 1)) +
         tail;
}

std::string Author::task(const std::vector<std::string>& names, std::size_t at, const std::string& out) {
  const std::string more = (chance(30) ? R"("TimeoutSeconds":5,)" : std::string()) +
                           (chance(20) ? R"("HeartbeatSeconds":3,)" : "") + out + handlers(names, at) + "}";
  if (!callee_.empty() && chance(30))
    return R"({"Type":"Task","Resource":"arn:aws:states:::states:startExecution)" +
           pick({"", ".sync", ".sync:2"}) + R"(","Parameters":{"StateMachineArn":")" + callee_ + "\"}," +
           more;
  return R"({"Type":"Task","Resource":")" +
         pick({"arn:aws:states:us-east-1:000000000000:activity:w", "arn:aws:states:::batch:submitJob.sync",
               "arn:aws:lambda:us-east-1:000000000000:function:f",
               "arn:aws:states:::sqs:sendMessage.waitForTaskToken"}) +
         "\"," + more;
}

}  // namespace stoker::workflow::testing
