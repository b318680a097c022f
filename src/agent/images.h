#pragma once
// The images of this node: each pulled once however many runs wait for it, few at a time, with progress in
// words.
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "agent/container_engine.h"
#include "agent/driver.h"
#include "base/result.h"
#include "rt/thread.h"

namespace stoker::agent {

// What a pull has done so far, over all layers, as text: "pulling busybox: 12 of 40 MiB".
class PullProgress {
 public:
  explicit PullProgress(std::string image) : image_(std::move(image)) {}
  void add(const Engine::PullLine& line);
  [[nodiscard]] std::string text() const;

  static constexpr std::size_t kLayersMax = 10'000;

 private:
  struct Layer {
    std::int64_t current = 0;
    std::int64_t total = 0;
    bool done = false;
  };
  std::string image_;
  std::map<std::string, Layer> layers_;
};

class ImagePuller {
 public:
  static constexpr int kParallelPulls = 2;

  ImagePuller(std::string socket, PullPolicy policy);
  ~ImagePuller();  // gives up what is being pulled
  ImagePuller(const ImagePuller&) = delete;
  ImagePuller& operator=(const ImagePuller&) = delete;

  // How the caller hears of progress and says that it no longer waits.
  struct Waiter {
    std::function<void(const std::string&)> on_progress;  // at most one text a second; no lock is held
    std::function<bool()> gave_up;                        // looked at several times a second
  };
  // Blocks until the image is on the node. `engine` is the caller's own, for the question whether it is
  // there. Unavailable when the caller gave up; else the reason, without Batch's prefix.
  Result<void> ensure(Engine& engine, const std::string& image, const Waiter& waiter);

 private:
  struct Pull;
  Result<void> wait_for(const std::shared_ptr<Pull>& pull, const Waiter& waiter);
  std::shared_ptr<Pull> join(const std::string& image);
  void leave(const std::shared_ptr<Pull>& pull);
  void work(Engine& engine);
  Result<void> pull(Engine& engine, Pull& pull);
  Result<void> pull_with_retries(Engine& engine, Pull& pull);

  const PullPolicy policy_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ending_ = false;
  std::size_t busy_ = 0;                                // pulls under way
  std::map<std::string, std::shared_ptr<Pull>> pulls_;  // waiting or under way
  std::deque<std::shared_ptr<Pull>> queue_;
  std::vector<std::unique_ptr<Engine>> engines_;  // one a thread
  std::vector<rt::Thread> threads_;
};

}  // namespace stoker::agent
