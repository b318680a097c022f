#pragma once
// A core with nodes and jobs, for measuring: everything goes through the core's own events, as in a server.
#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "base/rng.h"
#include "core/core.h"
#include "json/json.h"

namespace stoker::bench {

class FilledCore {
 public:
  // Machines of one type rarely report the same memory to the MiB, and each holds the images of what it ran:
  // here half of kImages, another half for each of so many nodes that follow one another.
  enum class Nodes : std::uint8_t { Alike, OddMemory, SomeImages };
  static constexpr int kImages = 20;
  static std::string image(int number);  // of as many
  // One queue on one environment with nodes of that many vCPUs and GPUs each.
  FilledCore(int nodes, int cpus, int gpus = 0, Nodes kind = Nodes::Alike);

  // A definition of jobs that ask for that much. Its name, as submissions give it. `gpus` as a GPU value is
  // written: "1", "0.5"; "": none. `image`: a plain process, or an image.
  std::string define(int cpus, int memory_mib = 4, const std::string& gpus = "",
                     const std::string& image = "host");
  // A job, or an array when `array_size` is not 0. Ends the program when it is refused. `share`: of the queue
  // that has a fair-share policy; "": of the other queue.
  void submit(const std::string& definition, int array_size = 0, const std::string& share = "");
  // A job of a queue with quota shares, of a share that borrows all it has and lets high priority stop low.
  void submit_borrower(const std::string& definition, int priority);
  // The oldest run says that it started and ended with 0. Some run must be active.
  void finish_oldest();
  // Something happened that makes a placement pass due and changes nothing else.
  void ask_for_pass();
  // A placement pass, and the records of all that changed. How many runs it started.
  std::size_t turn();

  [[nodiscard]] std::size_t running() const { return runs_.size(); }
  [[nodiscard]] std::size_t records() const { return records_; }  // made by all turns so far

 private:
  void request(core::Request request);
  void submit_to(const std::string& queue, const std::string& definition, int array_size,
                 json::Object overrides);

  struct Run {
    core::RunToken token;
    std::string node;
  };
  core::Core core_{core::Settings{.jobs_waiting_max = 50'000'000}};
  core::Actions actions_;
  std::deque<Run> runs_;  // in the order of their start
  Rng rng_{1};
  Instant now_{1'700'000'000'000};
  std::uint64_t next_request_ = 1;
  std::size_t records_ = 0;
};

}  // namespace stoker::bench
