#pragma once
// Which images the container engine holds, for the server, which places runs by it. The engine is asked when
// a run used an image that is not known to be there, and from time to time, since others pull and remove
// images, too; at most once in a while, so that many pulls at a time are one piece of news.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "agent/container_engine.h"
#include "agent/driver.h"
#include "base/time.h"
#include "rt/thread.h"

namespace stoker::agent {

class ImageWatch {
 public:
  struct Patience {
    Duration rest;   // from one look to the next
    Duration every;  // when nobody asks for one
  };
  // Each change is pushed as ImagesHeld; before the first one the node holds none.
  ImageWatch(const std::string& socket, NewsSink& news, Patience patience);
  ~ImageWatch();
  ImageWatch(const ImageWatch&) = delete;
  ImageWatch& operator=(const ImageWatch&) = delete;

  // A run is about to use the image, as its job writes the name; the engine has it. From any thread.
  void used(const std::string& image);

 private:
  struct Used {
    std::string image;  // as written
    std::string full;
  };
  void work();
  std::optional<std::vector<std::string>> look();
  bool knows_by_another_name(const std::string& image);

  NewsSink& news_;
  const Patience patience_;
  Engine engine_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ending_ = false;
  bool look_ = false;
  std::deque<Used> used_;          // last first, each once, at most wire::kImagesMax
  std::vector<std::string> told_;  // sorted
  rt::Thread thread_;
};

}  // namespace stoker::agent
