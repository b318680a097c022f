// Credentials, progress in words.
#include "agent/images.h"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "agent/images_auth.h"
#include "base/text.h"
#include "rt/file.h"

namespace stoker::agent {
namespace {

using testing::HasSubstr;

class Auth : public testing::Test {
 protected:
  Auth() : path_(rt::make_temporary_directory("/tmp/stoker-auth-").value()) {}
  ~Auth() override { (void)rt::remove_tree(path_); }
  std::string file(const std::string& name, std::string_view text) {
    EXPECT_TRUE(rt::write_file_atomically(path_ + "/" + name, text));
    return path_ + "/" + name;
  }
  static std::string decoded(const Result<std::string>& header) {
    EXPECT_TRUE(header) << header.error().message;
    std::string standard = header.value_or("");
    for (char& c : standard) c = c == '-' ? '+' : c == '_' ? '/' : c;
    return base64_decode(standard).value_or("not base64");
  }
  static ImageReference image(const char* text) { return parse_image_reference(text).value(); }

  std::string path_;
};

TEST_F(Auth, TheMostExactEntryOfTheFirstFileCounts) {
  const auto first =
      file("first.json", R"({"auths":{"r.example":{"auth":")" + base64_encode("host:p:w") +
                             R"("},"r.example/team":{"auth":")" + base64_encode("team:secret") + R"("}}})");
  const auto second = file("second.json", R"({"auths":{"other.example":{"username":"u","password":"p"},
      "https://index.docker.io/v1/":{"identitytoken":"t"},"https://old.example/v1/":{"auth":")" +
                                              base64_encode("old:o") + R"("}}})");
  const std::vector<std::string> files = {path_ + "/missing.json", first, second};
  EXPECT_EQ(decoded(registry_auth(image("r.example/team/a"), files)),
            R"({"username":"team","password":"secret","serveraddress":"r.example"})");
  EXPECT_THAT(decoded(registry_auth(image("r.example/teams/a"), files)), HasSubstr(R"("password":"p:w")"));
  EXPECT_THAT(decoded(registry_auth(image("other.example/a"), files)), HasSubstr(R"("username":"u")"));
  EXPECT_THAT(decoded(registry_auth(image("old.example/a"), files)), HasSubstr(R"("username":"old")"));
  EXPECT_THAT(decoded(registry_auth(image("busybox"), files)), HasSubstr(R"("identitytoken":"t")"));
  EXPECT_EQ(registry_auth(image("unknown.example/a"), files), "");
}

TEST_F(Auth, HelpersAreAskedWithoutAShell) {
  const auto helper = file("docker-credential-test",
                           "#!/bin/sh\nread server\n[ \"$1\" = get ] || exit 9\n"
                           "[ \"$server\" = unknown.example ] && echo 'credentials not found' && exit 1\n"
                           "[ \"$server\" = broken.example ] && exit 2\n"
                           "echo \"{\\\"Username\\\":\\\"u\\\",\\\"Secret\\\":\\\"for $server\\\"}\"\n");
  ASSERT_EQ(chmod(helper.c_str(), 0755), 0);
  const std::string old_path = std::getenv("PATH");
  setenv("PATH", (path_ + ":" + old_path).c_str(), 1);
  const auto store =
      file("store.json", R"({"credsStore":"test","credHelpers":{"bad.example":"../evil;id"}})");
  EXPECT_THAT(decoded(registry_auth(image("h.example/a"), {store})),
              HasSubstr(R"("password":"for h.example")"));
  EXPECT_THAT(decoded(registry_auth(image("busybox"), {store})),
              HasSubstr("for https://index.docker.io/v1/"));
  EXPECT_EQ(registry_auth(image("unknown.example/a"), {store}), "");
  EXPECT_FALSE(registry_auth(image("broken.example/a"), {store}));
  EXPECT_FALSE(registry_auth(image("bad.example/a"), {store}));
  setenv("PATH", old_path.c_str(), 1);
}

TEST_F(Auth, FilesOfAnyShapeAreNoCrash) {
  for (const char* text : {"", "[]", "7", R"({"auths":7})", R"({"auths":{"r.example":7}})",
                           R"({"auths":{"r.example":{"auth":"!"}}})", R"({"credHelpers":{"r.example":7}})",
                           R"({"credsStore":[]})", R"({"auths":{"r.example":{"auth":"bm9jb2xvbg=="}}})"})
    (void)registry_auth(image("r.example/a"), {file("any.json", text)});
  EXPECT_FALSE(registry_auth(image("r.example/a"), {file("any.json", "{")}));
}

TEST(PullProgress, AddsUpLayersAndNeverGoesBack) {
  PullProgress progress("a");
  EXPECT_EQ(progress.text(), "pulling a");
  progress.add({"1", "Pulling fs layer", 0, 0});
  EXPECT_EQ(progress.text(), "pulling a: 0 of 1 layers");
  progress.add({"1", "Downloading", 12 << 20, 30 << 20});
  progress.add({"2", "Downloading", 0, 10 << 20});
  EXPECT_EQ(progress.text(), "pulling a: 12 of 40 MiB");
  progress.add({"1", "Download complete", 0, 0});
  progress.add({"1", "Extracting", 1 << 20, 30 << 20});
  progress.add({"2", "Downloading", 5 << 20, 10 << 20});
  progress.add({"2", "Downloading", 1 << 20, 10 << 20});
  EXPECT_EQ(progress.text(), "pulling a: 35 of 40 MiB");
}

}  // namespace
}  // namespace stoker::agent
