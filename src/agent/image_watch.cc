#include "agent/image_watch.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "base/image_reference.h"
#include "log/log.h"

namespace stoker::agent {

ImageWatch::ImageWatch(const std::string& socket, NewsSink& news, Patience patience)
    : news_(news), patience_(patience), engine_(socket), thread_("image-watch", [this] { work(); }) {}

ImageWatch::~ImageWatch() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  engine_.interrupt();
  wake_.notify_all();
}

void ImageWatch::used(const std::string& image) {
  std::string full = full_image_name(image);
  const std::lock_guard lock(mutex_);
  const bool known = std::ranges::binary_search(told_, full);
  std::erase_if(used_, [&](const Used& one) { return one.image == image; });
  used_.push_front({image, std::move(full)});
  if (used_.size() > wire::kImagesMax) used_.pop_back();
  if (known) return;
  look_ = true;
  wake_.notify_all();
}

void ImageWatch::work() {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    look_ = false;
    lock.unlock();
    auto images = look();
    lock.lock();
    if (ending_) return;
    if (images && *images != told_) {
      told_ = *std::move(images);
      log::info("images_changed", {{"images", told_.size()}});
      news_.push(ImagesHeld{told_});
    }
    wake_.wait_for(lock, std::chrono::milliseconds(patience_.rest.ms), [&] { return ending_; });
    wake_.wait_for(lock, std::chrono::milliseconds(patience_.every.ms), [&] { return ending_ || look_; });
  }
}

// Nothing while the engine does not answer: what was told stays.
std::optional<std::vector<std::string>> ImageWatch::look() {
  const auto listed = engine_.list_images();
  if (!listed) return std::nullopt;
  std::vector<std::string> full_names;
  for (const std::string& name : *listed) full_names.push_back(full_image_name(name));
  const std::set<std::string> there(full_names.begin(), full_names.end());
  std::deque<Used> used;
  {
    const std::lock_guard lock(mutex_);
    used = used_;
  }
  std::set<std::string> chosen;
  const auto choose = [&](const std::string& full) {
    if (chosen.size() < wire::kImagesMax && full.size() <= wire::kImageBytesMax) chosen.insert(full);
  };
  for (const Used& one : used)
    if (there.contains(one.full) || knows_by_another_name(one.image)) choose(one.full);
  for (const std::string& full : full_names) choose(full);
  return std::vector<std::string>(chosen.begin(), chosen.end());
}

// Engines have rules of their own for short names, and take ids. What is no longer there is not asked for
// again.
bool ImageWatch::knows_by_another_name(const std::string& image) {
  const auto found = engine_.has_image(image);
  if (!found || *found) return found.value_or(false);
  const std::lock_guard lock(mutex_);
  std::erase_if(used_, [&](const Used& one) { return one.image == image; });
  return false;
}

}  // namespace stoker::agent
