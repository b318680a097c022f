#include "agent/images.h"

#include <array>
#include <chrono>

#include "agent/images_auth.h"
#include "base/text.h"
#include "log/log.h"
#include "rt/clock.h"

namespace stoker::agent {
namespace {

constexpr std::chrono::milliseconds kLook{200};
constexpr std::uint64_t kProgressEveryUs = 1'000'000;
constexpr int kAttemptsMax = 3;
constexpr std::int64_t kMiB = 1 << 20;

// Parts of engines' messages about things that pass: registries and networks, in several tongues.
constexpr std::array<std::string_view, 10> kPassing = {
    "timeout",         "timed out",         "connection reset", "connection refused",   "unexpected EOF",
    "toomanyrequests", "Too Many Requests", "503 Service",      "temporary failure in", "502 Bad Gateway"};

bool may_pass(const Error& error) {
  if (error.code == Code::Unavailable) return true;
  for (const auto part : kPassing)
    if (error.message.find(part) != std::string::npos) return true;
  return false;
}

}  // namespace

void PullProgress::add(const Engine::PullLine& line) {
  if (line.layer.empty() || (layers_.size() >= kLayersMax && !layers_.contains(line.layer))) return;
  auto& layer = layers_[line.layer];
  // Unpacking counts from the beginning again, and is not what takes long.
  if (line.status == "Downloading") {
    layer.total = std::max(layer.total, line.total);
    layer.current = std::clamp(line.current, layer.current, std::max(layer.total, layer.current));
  }
  if (line.status == "Download complete" || line.status == "Pull complete" ||
      line.status == "Already exists") {
    layer.current = layer.total;
    layer.done = true;
  }
}

std::string PullProgress::text() const {
  std::int64_t current = 0, total = 0;
  std::size_t done = 0;
  for (const auto& [id, layer] : layers_) {
    current += layer.current;
    total += layer.total;
    if (layer.done) ++done;
  }
  std::string text = "pulling " + image_;
  // A layer may be new to us at any moment; the sum grows then.
  if (total >= kMiB)
    text += ": " + std::to_string(current / kMiB) + " of " + std::to_string(total / kMiB) + " MiB";
  else if (!layers_.empty())
    text += ": " + std::to_string(done) + " of " + std::to_string(layers_.size()) + " layers";
  return text;
}

// Shared by all that wait for one image; guarded by the puller's mutex.
struct ImagePuller::Pull {
  std::string image;
  int waiters = 0;
  bool ended = false;
  Result<void> result;
  std::string progress;
  std::uint64_t version = 0;  // of progress
  Engine* engine = nullptr;   // while it is being pulled
};

ImagePuller::ImagePuller(std::string socket, PullPolicy policy) : policy_(policy) {
  for (int i = 0; i < kParallelPulls; ++i) engines_.push_back(std::make_unique<Engine>(socket));
  for (auto& engine : engines_) threads_.emplace_back("image-pull", [this, &engine] { work(*engine); });
}

ImagePuller::~ImagePuller() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    for (auto& engine : engines_) engine->interrupt();
  }
  changed_.notify_all();
}

Result<void> ImagePuller::ensure(Engine& engine, const std::string& image, const Waiter& waiter) {
  if (!parse_image_reference(image)) return fail(Code::InvalidArgument, "invalid reference format: " + image);
  if (policy_ != PullPolicy::Always) {
    if (TRY(engine.has_image(image))) return {};
    if (policy_ == PullPolicy::Never)
      return fail(Code::NotFound, "the image " + image + " is not on this node, and this node pulls none");
  }
  const auto pull = join(image);
  auto result = wait_for(pull, waiter);
  leave(pull);
  return result;
}

std::shared_ptr<ImagePuller::Pull> ImagePuller::join(const std::string& image) {
  const std::lock_guard lock(mutex_);
  auto& pull = pulls_[image];
  if (!pull) {
    pull = std::make_shared<Pull>();
    pull->image = image;
    const bool must_wait = queue_.size() + busy_ >= kParallelPulls;
    pull->progress = (must_wait ? "waiting to pull " : "pulling ") + image;
    pull->version = 1;
    queue_.push_back(pull);
    changed_.notify_all();
  }
  ++pull->waiters;
  return pull;
}

Result<void> ImagePuller::wait_for(const std::shared_ptr<Pull>& pull, const Waiter& waiter) {
  std::uint64_t told = 0;
  std::uint64_t told_at = 0;
  std::unique_lock lock(mutex_);
  while (!pull->ended) {
    if (ending_ || waiter.gave_up()) return fail(Code::Unavailable, "given up");
    if (told != pull->version && (told == 0 || rt::monotonic_us() - told_at >= kProgressEveryUs)) {
      const std::string text = pull->progress;
      told = pull->version;
      told_at = rt::monotonic_us();
      lock.unlock();
      waiter.on_progress(text);
      lock.lock();
      continue;
    }
    changed_.wait_for(lock, kLook);
  }
  return pull->result;
}

// What nobody waits for any more is not pulled any further.
void ImagePuller::leave(const std::shared_ptr<Pull>& pull) {
  const std::lock_guard lock(mutex_);
  if (--pull->waiters > 0 || pull->ended) return;
  if (pull->engine != nullptr) pull->engine->interrupt();
  if (const auto found = pulls_.find(pull->image); found != pulls_.end() && found->second == pull)
    pulls_.erase(found);
  std::erase(queue_, pull);
}

void ImagePuller::work(Engine& engine) {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ending_ || !queue_.empty(); });
    if (ending_) return;
    const auto pull = queue_.front();
    queue_.pop_front();
    pull->engine = &engine;
    ++busy_;
    lock.unlock();
    auto result = pull_with_retries(engine, *pull);
    lock.lock();
    --busy_;
    pull->engine = nullptr;
    pull->result = std::move(result);
    pull->ended = true;
    if (const auto found = pulls_.find(pull->image); found != pulls_.end() && found->second == pull)
      pulls_.erase(found);
    changed_.notify_all();
  }
}

Result<void> ImagePuller::pull_with_retries(Engine& engine, Pull& pull) {
  for (int attempt = 1;; ++attempt) {
    auto result = this->pull(engine, pull);
    if (result || attempt == kAttemptsMax || !may_pass(result.error())) return result;
    std::unique_lock lock(mutex_);
    pull.progress = "pulling " + pull.image + ": trying again after: " + result.error().message;
    ++pull.version;
    changed_.notify_all();
    changed_.wait_for(lock, std::chrono::seconds(attempt * 2), [&] { return ending_ || pull.waiters == 0; });
    if (ending_ || pull.waiters == 0) return result;
  }
}

Result<void> ImagePuller::pull(Engine& engine, Pull& pull) {
  const auto reference = parse_image_reference(pull.image);
  if (!reference) return fail(Code::InvalidArgument, "invalid reference format: " + pull.image);
  Engine::PullRequest request{.name = reference->name, .tag = reference->tag, .registry_auth = {}};
  auto auth = registry_auth(*reference, auth_files());
  if (auth) request.registry_auth = *std::move(auth);
  // Many registries give without credentials; when this one does not, its refusal is the better text.
  else
    log::warning("registry_credentials_unreadable",
                 {{"registry", reference->registry}, {"error", auth.error().message}});
  log::info("image_pull_began", {{"image", pull.image}});
  PullProgress progress(pull.image);
  const auto pulled = engine.pull(request, [&](const Engine::PullLine& line) {
    progress.add(line);
    const std::lock_guard lock(mutex_);
    if (auto text = progress.text(); text != pull.progress) {
      pull.progress = std::move(text);
      ++pull.version;
    }
    return !ending_ && pull.waiters > 0;
  });
  log::info("image_pull_ended",
            {{"image", pull.image}, {"error", pulled ? "" : std::string_view(pulled.error().message)}});
  return pulled;
}

}  // namespace stoker::agent
