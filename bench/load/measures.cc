#include "load/measures.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

#include "load/client.h"

namespace bench {
namespace {

constexpr int kStampWaitMs = 30'000;

void pause(double seconds) {
  timespec time{};
  time.tv_sec = static_cast<time_t>(seconds);
  time.tv_nsec = static_cast<long>((seconds - static_cast<double>(time.tv_sec)) * 1e9);
  ::nanosleep(&time, nullptr);
}

// The value at that share of the sorted values, 0.5 for the median.
double quantile(std::vector<double>& values, double share) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const auto at = static_cast<std::size_t>(share * static_cast<double>(values.size()));
  return values[std::min(at, values.size() - 1)];
}

std::string member(std::string_view body, std::string_view key) {
  std::string start("\"");
  start.append(key).append("\":\"");
  const auto at = body.find(start);
  if (at == std::string_view::npos) give_up("no " + std::string(key) + " in an answer", body);
  const auto begin = at + start.size();
  return std::string(body.substr(begin, body.find('"', begin) - begin));
}

// Jobs only move forward, so a state that was seen empty after the last submission stays empty.
void wait_drained(Connection& connection, const SubmitPlan& plan, double begin) {
  for (const char* status : {"SUBMITTED", "PENDING", "RUNNABLE", "STARTING", "RUNNING"}) {
    const std::string question =
        post(plan.address, "/v1/listjobs",
             R"({"jobQueue":")" + plan.queue + R"(","jobStatus":")" + status + R"(","maxResults":1})");
    while (connection.call(question).find("\"jobSummaryList\":[]") == std::string_view::npos) {
      const double passed = seconds_now() - begin;
      if (passed > plan.seconds_max) give_up("jobs are not done in time; still some are", status);
      pause(std::clamp(passed / 200, 0.001, 0.02));  // an error of at most half a percent
    }
  }
}

void wait_array(Connection& connection, const SubmitPlan& plan, const std::string& id, double begin) {
  const std::string question = post(plan.address, "/v1/describejobs", R"({"jobs":[")" + id + R"("]})");
  while (true) {
    const std::string_view answer = connection.call(question);
    if (answer.find(R"("status":"SUCCEEDED")") != std::string_view::npos) return;
    if (answer.find(R"("status":"FAILED")") != std::string_view::npos) give_up("the array failed", answer);
    const double passed = seconds_now() - begin;
    if (passed > plan.seconds_max) give_up("the array is not done in time", answer);
    pause(std::clamp(passed / 200, 0.001, 0.02));
  }
}

// All connections are busy all the time: whoever has an answer sends the next request. The id of the last
// job.
std::string keep_busy(std::vector<Connection>& connections, const SubmitPlan& plan,
                      std::vector<double>& answer_ms) {
  const std::string request = plan.target.empty() ? post(plan.address, "/v1/submitjob", plan.body)
                                                  : post(plan.address, "/", plan.body, plan.target);
  const long requests = plan.requests;
  const int watch = ::epoll_create1(EPOLL_CLOEXEC);
  std::vector<double> sent_at(connections.size());
  long sent = 0;
  const auto send_next = [&](std::size_t at) {
    sent_at[at] = seconds_now();
    connections[at].send(request);
    ++sent;
  };
  for (std::size_t i = 0; i < connections.size(); ++i) {
    epoll_event event{.events = EPOLLIN, .data = {.u64 = i}};
    if (::epoll_ctl(watch, EPOLL_CTL_ADD, connections[i].descriptor(), &event) != 0)
      give_up("epoll", std::strerror(errno));
    if (sent < requests) send_next(i);
  }
  std::array<epoll_event, 64> ready{};
  std::string last;
  for (long answered = 0; answered < requests;) {
    const int count = ::epoll_wait(watch, ready.data(), static_cast<int>(ready.size()), -1);
    if (count < 0 && errno != EINTR) give_up("epoll", std::strerror(errno));
    for (int i = 0; i < count; ++i) {
      const std::size_t at = ready[static_cast<std::size_t>(i)].data.u64;
      const std::string_view body = connections[at].receive();
      answer_ms.push_back((seconds_now() - sent_at[at]) * 1000);
      if (++answered == requests && plan.target.empty()) last = member(body, "jobId");
      if (sent < requests) send_next(at);
    }
  }
  ::close(watch);
  return last;
}

// Waits until the file is longer than `size`, and reads the number in its last line.
long long next_stamp(int watch, const std::string& file, off_t& size) {
  const int stamps = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (stamps < 0) give_up("no file " + file, std::strerror(errno));
  std::array<char, 64> line{};
  while (true) {
    const ssize_t got = ::pread(stamps, line.data(), line.size() - 1, size);
    if (got > 0 && line[static_cast<std::size_t>(got) - 1] == '\n') {
      size += got;
      ::close(stamps);
      long long stamp = 0;
      std::from_chars(line.data(), line.data() + got, stamp);
      return stamp;
    }
    pollfd wait{.fd = watch, .events = POLLIN, .revents = 0};
    if (::poll(&wait, 1, kStampWaitMs) <= 0) give_up("a job did not say when it began");
    std::array<char, 4096> events{};
    if (::read(watch, events.data(), events.size()) < 0) give_up("inotify", std::strerror(errno));
  }
}

void print_spread(const char* name, std::vector<double>& values) {
  std::printf(",\"%s\":{\"median\":%.3f,\"p99\":%.3f}", name, quantile(values, 0.5), quantile(values, 0.99));
}

}  // namespace

void submit_many(const SubmitPlan& plan) {
  std::vector<Connection> connections;
  for (int i = 0; i < plan.connections; ++i) connections.emplace_back(plan.address);
  std::vector<double> answer_ms;
  answer_ms.reserve(static_cast<std::size_t>(plan.requests));

  const double begin = seconds_now();
  const std::string id = keep_busy(connections, plan, answer_ms);
  const double answered = seconds_now();
  if (plan.until == Until::Drained) wait_drained(connections.front(), plan, begin);
  if (plan.until == Until::ArrayDone) wait_array(connections.front(), plan, id, begin);
  const double done = seconds_now();

  std::printf("{\"requests\":%ld,\"connections\":%d,\"submit_seconds\":%.6f,\"total_seconds\":%.6f",
              plan.requests, plan.connections, answered - begin, done - begin);
  print_spread("answer_ms", answer_ms);
  std::printf(",\"last_id\":\"%s\"}\n", id.c_str());
}

void submit_to_exec(const LatencyPlan& plan) {
  Connection connection(plan.address);
  const std::string request = post(plan.address, "/v1/submitjob", plan.body);
  ::close(::open(plan.stamps.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  const int watch = ::inotify_init1(IN_CLOEXEC);
  if (::inotify_add_watch(watch, plan.stamps.c_str(), IN_MODIFY) < 0)
    give_up("inotify", std::strerror(errno));

  SubmitPlan until;
  until.address = plan.address;
  until.queue = plan.queue;
  std::vector<double> answer_ms;
  std::vector<double> exec_ms;
  std::vector<double> succeeded_ms;
  off_t size = 0;
  for (long i = 0; i < plan.jobs; ++i) {
    const long long begin = wall_clock_ns();
    const auto since_begin = [begin](long long at) { return static_cast<double>(at - begin) / 1e6; };
    connection.call(request);
    answer_ms.push_back(since_begin(wall_clock_ns()));
    exec_ms.push_back(since_begin(next_stamp(watch, plan.stamps, size)));
    wait_drained(connection, until, seconds_now());
    succeeded_ms.push_back(since_begin(wall_clock_ns()));
    pause(plan.pause_seconds);
  }
  std::printf("{\"jobs\":%ld", plan.jobs);
  print_spread("answer_ms", answer_ms);
  print_spread("exec_ms", exec_ms);
  print_spread("succeeded_ms", succeeded_ms);
  std::printf("}\n");
  ::close(watch);
}

}  // namespace bench
