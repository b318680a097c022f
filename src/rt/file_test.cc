#include "rt/file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rt/thread.h"

namespace stoker::rt {
namespace {

class FileTest : public testing::Test {
 protected:
  void SetUp() override { dir_ = make_temporary_directory("/tmp/stoker-rt-test-").value(); }
  void TearDown() override { EXPECT_TRUE(remove_tree(dir_)); }
  [[nodiscard]] std::string path(const std::string& name) const { return dir_ + "/" + name; }

  std::string dir_;
};

TEST_F(FileTest, WhatIsWrittenIsReadBack) {
  std::string content(300'000, 'x');
  content[7] = '\0';
  for (const bool durable : {true, false}) {
    ASSERT_TRUE(write_file_atomically(path("a"), content, {.mode = 0640, .durable = durable}));
    EXPECT_EQ(read_file(path("a")).value(), content);
    content += "more";
  }
  struct stat info{};
  ASSERT_EQ(::stat(path("a").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0640u);
  EXPECT_THAT(list_directory(dir_).value(), testing::ElementsAre("a"));  // nothing temporary stays
}

TEST_F(FileTest, ReadingIsBounded) {
  ASSERT_TRUE(write_file_atomically(path("a"), "12345"));
  EXPECT_EQ(read_file(path("a"), 5).value(), "12345");
  EXPECT_EQ(read_file(path("a"), 4).error().code, Code::LimitExceeded);
  EXPECT_EQ(read_file(path("none")).error().code, Code::NotFound);
  EXPECT_EQ(read_file(dir_).error().code, Code::Io);
  EXPECT_THAT(read_file("/proc/self/status").value(), testing::HasSubstr("Name:"));
  EXPECT_EQ(read_file("/dev/zero", 100'000).error().code, Code::LimitExceeded);
}

TEST_F(FileTest, AWriteThatFailsLeavesTheOldFileAndNothingElse) {
  ASSERT_TRUE(make_directories(path("a/b")));
  EXPECT_FALSE(write_file_atomically(path("a"), "x"));  // a directory with something in it stays
  EXPECT_FALSE(write_file_atomically(path("none/a"), "x"));
  EXPECT_THAT(list_directory(dir_).value(), testing::ElementsAre("a"));
}

TEST_F(FileTest, WhetherAFileCanBeWrittenIsKnownBefore) {
  ASSERT_TRUE(make_directories(path("a")));
  ASSERT_TRUE(write_file_atomically(path("b"), "old"));
  EXPECT_EQ(check_can_write(path("a")).error().code, Code::Io);
  EXPECT_EQ(check_can_write(path("none/a")).error().code, Code::NotFound);
  EXPECT_TRUE(check_can_write(path("b")));
  EXPECT_TRUE(check_can_write(path("c")));
  EXPECT_EQ(read_file(path("b")).value(), "old");
  EXPECT_THAT(list_directory(dir_).value(), testing::ElementsAre("a", "b"));
}

TEST_F(FileTest, DirectoriesAreMadeWithTheirParents) {
  EXPECT_TRUE(make_directories(path("x/y//z/")));
  EXPECT_TRUE(make_directories(path("x/y/z")));
  EXPECT_TRUE(make_directories("/"));
  ASSERT_TRUE(write_file_atomically(path("file"), ""));
  EXPECT_EQ(make_directories(path("file/below")).error().code, Code::Io);
  EXPECT_TRUE(file_exists(path("x/y/z")));
}

TEST_F(FileTest, ListingsAreSortedAndBounded) {
  for (const char* name : {"b", "a", ".c"})
    ASSERT_TRUE(write_file_atomically(path(name), "", {.durable = false}));
  EXPECT_THAT(list_directory(dir_).value(), testing::ElementsAre(".c", "a", "b"));
  EXPECT_EQ(list_directory(dir_, 2).error().code, Code::LimitExceeded);
  EXPECT_EQ(list_directory(path("none")).error().code, Code::NotFound);
}

TEST_F(FileTest, RemovalFollowsNoSymbolicLink) {
  ASSERT_TRUE(make_directories(path("kept/inner")));
  ASSERT_TRUE(write_file_atomically(path("kept/file"), "precious"));
  ASSERT_TRUE(make_directories(path("tree/deep")));
  ASSERT_EQ(::symlink(path("kept").c_str(), path("tree/deep/link").c_str()), 0);
  ASSERT_EQ(::symlink(path("kept").c_str(), path("link").c_str()), 0);
  ASSERT_EQ(::symlink("nowhere", path("tree/dangling").c_str()), 0);
  ASSERT_TRUE(remove_tree(path("tree")));
  ASSERT_TRUE(remove_tree(path("link")));
  ASSERT_TRUE(remove_tree(path("never was")));
  EXPECT_THAT(list_directory(dir_).value(), testing::ElementsAre("kept"));
  EXPECT_EQ(read_file(path("kept/file")).value(), "precious");
}

TEST_F(FileTest, RemovalOpensWhatForbidsWriting) {
  ASSERT_TRUE(make_directories(path("tree/locked/inner")));
  ASSERT_TRUE(write_file_atomically(path("tree/locked/inner/file"), "x", {.mode = 0}));
  for (const char* name : {"tree/locked/inner", "tree/locked", "tree"})
    ASSERT_EQ(::chmod(path(name).c_str(), 0), 0);
  ASSERT_TRUE(remove_tree(path("tree")));
  EXPECT_FALSE(file_exists(path("tree")));
}

TEST_F(FileTest, RemovalGoesAsDeepAsATreeCanBe) {
  // 1000 levels: far more than the descriptors and the stack that a walk could use, and paths above PATH_MAX.
  UniqueFd at(::open(dir_.c_str(), O_RDONLY | O_DIRECTORY));
  for (int level = 0; level < 1000; ++level) {
    ASSERT_EQ(::mkdirat(at.get(), "down", 0755), 0);
    UniqueFd file(::openat(at.get(), "file", O_CREAT | O_WRONLY, 0644));
    ASSERT_TRUE(file);
    at.reset(::openat(at.get(), "down", O_RDONLY | O_DIRECTORY));
    ASSERT_TRUE(at);
  }
  ASSERT_TRUE(remove_tree(path("down")));
  EXPECT_THAT(list_directory(dir_).value(), testing::ElementsAre("file"));
}

TEST_F(FileTest, ALockHasOneHolder) {
  auto first = FileLock::try_lock(path("lock"));
  ASSERT_TRUE(first);
  EXPECT_EQ(FileLock::try_lock(path("lock")).error().code, Code::Conflict);
  EXPECT_EQ(FileLock::lock_within(path("lock"), milliseconds(30)).error().code, Code::Conflict);
  Thread waiter("waiter", [&] { EXPECT_TRUE(FileLock::lock_within(path("lock"), seconds(30))); });
  {
    const FileLock gone = std::move(*first);
  }
  waiter.join();
  EXPECT_TRUE(FileLock::try_lock(path("lock")));
}

}  // namespace
}  // namespace stoker::rt
