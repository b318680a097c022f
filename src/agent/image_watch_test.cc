// What is told of the engine's images, and when it is asked for them.
#include "agent/image_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/container_driver.h"
#include "agent/container_fake_engine_test.h"
#include "rt/file.h"

namespace stoker::agent {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;
using testing::SizeIs;
using Images = std::vector<std::string>;

constexpr ImageWatch::Patience kOnlyWhenAsked{.rest = {}, .every = hours(1)};
constexpr ImageWatch::Patience kAllTheTime{.rest = {}, .every = milliseconds(1)};

class Told final : public NewsSink {
 public:
  void push(DriverNews news) override {
    auto* held = std::get_if<ImagesHeld>(&news);
    if (held == nullptr) return;
    {
      const std::lock_guard lock(mutex_);
      told_.push_back(std::move(held->images));
    }
    changed_.notify_all();
  }
  // The first piece of news after those that were waited for that is as wanted; what was last when none
  // comes.
  Images wait(const testing::Matcher<const Images&>& wanted) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(20), [&] {
      while (seen_ < told_.size() && !wanted.Matches(told_[seen_])) ++seen_;
      return seen_ < told_.size();
    });
    if (seen_ < told_.size()) return told_[seen_++];
    return told_.empty() ? Images{"nothing was told"} : told_.back();
  }
  std::size_t count() {
    const std::lock_guard lock(mutex_);
    return told_.size();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Images> told_;
  std::size_t seen_ = 0;
};

class ImageWatchTest : public testing::Test {
 protected:
  void hold(const Images& images) {
    engine_.with([&](auto& state) { state.images = {images.begin(), images.end()}; });
  }
  void list(const std::string& body) {
    engine_.with([&](auto& state) { state.garbage["GET /images/json"] = body; });
  }
  FakeEngine engine_;
  Told told_;
};

TEST_F(ImageWatchTest, TellsTagsAndDigestsByTheirFullNames) {
  const std::string digest = "sha256:" + std::string(64, 'd');
  list(
      R"([{"RepoTags":["busybox:latest","r.example/a:1"],"RepoDigests":["busybox@)" + digest +
      R"("]},{"RepoTags":["<none>:<none>"],"RepoDigests":["<none>@<none>"]},{"RepoTags":null,"RepoDigests":null},{}])");
  const ImageWatch watch(engine_.socket(), told_, kOnlyWhenAsked);
  const Images expected = {"docker.io/library/busybox:latest", "docker.io/library/busybox@" + digest,
                           "r.example/a:1"};
  EXPECT_EQ(told_.wait(SizeIs(3)), expected);
}

TEST_F(ImageWatchTest, LooksWhenARunUsedWhatIsNotKnownAndManyAreOneLook) {
  engine_.with([](auto& state) { state.hold_lists = true; });
  ImageWatch watch(engine_.socket(), told_, kOnlyWhenAsked);
  ASSERT_TRUE(engine_.wait_until([](const auto& state) { return state.lists == 1; }));
  Images images;
  for (int i = 0; i < 10; ++i) {
    images.push_back("a:" + std::to_string(i));
    hold(images);
    watch.used(images.back());
  }
  engine_.with([](auto& state) { state.hold_lists = false; });
  EXPECT_THAT(told_.wait(SizeIs(10)), SizeIs(10));
  for (int i = 0; i < 10; ++i) watch.used(images[0]);
  images.emplace_back("b:1");
  hold(images);
  watch.used("b:1");
  EXPECT_THAT(told_.wait(Contains("docker.io/library/b:1")), SizeIs(11));
  engine_.with([](auto& state) {
    EXPECT_LE(state.lists, 3) << "the first one, one for all that were used meanwhile, one for the new one";
  });
  EXPECT_EQ(told_.count(), 2U);
}

TEST_F(ImageWatchTest, FindsOutWhatOthersPullAndRemove) {
  hold({"a:1", "b:1"});
  const ImageWatch watch(engine_.socket(), told_, kAllTheTime);
  EXPECT_THAT(told_.wait(SizeIs(2)), ElementsAre("docker.io/library/a:1", "docker.io/library/b:1"));
  hold({"b:1", "c:1"});
  EXPECT_THAT(told_.wait(SizeIs(2)), ElementsAre("docker.io/library/b:1", "docker.io/library/c:1"));
  hold({});
  EXPECT_THAT(told_.wait(SizeIs(0)), SizeIs(0));
}

TEST_F(ImageWatchTest, OfTooManyThoseThatRunsUsedLastAreTold) {
  Images images;
  for (std::size_t i = 0; i < wire::kImagesMax + 10; ++i) images.push_back("a:" + std::to_string(1000 + i));
  hold(images);
  ImageWatch watch(engine_.socket(), told_, kOnlyWhenAsked);
  const std::string last = "docker.io/library/" + images.back();
  EXPECT_THAT(told_.wait(SizeIs(wire::kImagesMax)), Not(Contains(last)));
  watch.used(images.back());
  EXPECT_THAT(told_.wait(Contains(last)), SizeIs(wire::kImagesMax));
}

TEST_F(ImageWatchTest, WhatTheEngineKnowsByAShortNameIsToldAsJobsMeanIt) {
  hold({"train"});
  list(R"([{"RepoTags":["localhost/train:latest"]}])");
  ImageWatch watch(engine_.socket(), told_, kAllTheTime);
  EXPECT_THAT(told_.wait(SizeIs(1)), ElementsAre("localhost/train:latest"));
  watch.used("train");
  EXPECT_THAT(told_.wait(SizeIs(2)), ElementsAre("docker.io/library/train:latest", "localhost/train:latest"));
  hold({});
  EXPECT_THAT(told_.wait(SizeIs(1)), ElementsAre("localhost/train:latest"));
}

TEST_F(ImageWatchTest, AnEngineThatDoesNotAnswerChangesNothing) {
  hold({"a:1"});
  const ImageWatch watch(engine_.socket(), told_, kAllTheTime);
  EXPECT_THAT(told_.wait(SizeIs(1)), SizeIs(1));
  for (const char* body : {"no JSON", "{}", "7"}) {
    list(body);
    const int before = engine_.with([](auto& state) { return state.lists; });
    ASSERT_TRUE(engine_.wait_until([&](const auto& state) { return state.lists > before + 1; }));
  }
  EXPECT_EQ(told_.count(), 1U);
  hold({"a:1", "b:1"});
  engine_.with([](auto& state) { state.garbage.clear(); });
  EXPECT_THAT(told_.wait(SizeIs(2)), SizeIs(2));
}

TEST_F(ImageWatchTest, APulledImageIsToldByTheDriver) {
  const ContainerPatience patience{.sweep_after = hours(1), .images_rest = {}, .images_every = hours(1)};
  const auto driver = create_container_driver(
      ContainerOptions{engine_.socket(), engine_.folder() + "/state", "local", PullPolicy::IfMissing}, told_,
      patience);
  ASSERT_TRUE(engine_.wait_until([](const auto& state) { return state.lists == 1; }));
  RunSpec spec;
  spec.run.token = std::string(32, 'a');
  spec.run.image = "r.example/train:2";
  spec.dir = engine_.folder() + "/run";
  ASSERT_TRUE(rt::make_directories(spec.dir));
  driver->start(spec);
  EXPECT_THAT(told_.wait(SizeIs(1)), ElementsAre("r.example/train:2"));
}

}  // namespace
}  // namespace stoker::agent
