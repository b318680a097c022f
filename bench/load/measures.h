#pragma once
// What bench_load can measure. Each prints one JSON object on stdout.
#include <string>

namespace bench {

enum class Until { Answered, Drained, ArrayDone };

struct SubmitPlan {
  std::string address;
  std::string queue = "default";
  std::string body;    // the same for all
  std::string target;  // X-Amz-Target of the operation; "": SubmitJob
  int connections = 1;
  long requests = 1;
  Until until = Until::Answered;  // when the second clock stops
  double seconds_max = 600;       // gives up after that
};
// {"requests","connections","submit_seconds","total_seconds","answer_ms_median","answer_ms_p99","last_id"}
void submit_many(const SubmitPlan& plan);

struct LatencyPlan {
  std::string address;
  std::string queue = "default";
  std::string body;    // a job that appends the time of its start to `stamps`
  std::string stamps;  // that file
  long jobs = 50;
  double pause_seconds = 0.05;  // between the end of a job and the next submission
};
// {"jobs","answer_ms":{median,p99},"exec_ms":{…},"succeeded_ms":{…}}, each from before the request was sent.
void submit_to_exec(const LatencyPlan& plan);

}  // namespace bench
