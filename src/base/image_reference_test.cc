#include "base/image_reference.h"

#include <gtest/gtest.h>

namespace stoker {
namespace {

const std::string kDigest = "sha256:" + std::string(64, 'a');

TEST(ImageReference, is_read_as_the_engines_do) {
  struct Row {
    const char* text;
    ImageReference expected;
  };
  for (const auto& row : std::initializer_list<Row>{
           {"busybox", {"busybox", "latest", "docker.io", "library/busybox"}},
           {"busybox:1.36", {"busybox", "1.36", "docker.io", "library/busybox"}},
           {"team/train", {"team/train", "latest", "docker.io", "team/train"}},
           {"docker.io/busybox", {"docker.io/busybox", "latest", "docker.io", "library/busybox"}},
           {"index.docker.io/team/a", {"index.docker.io/team/a", "latest", "docker.io", "team/a"}},
           {"localhost/train:a", {"localhost/train", "a", "localhost", "train"}},
           {"registry.example:5000/a/b/c",
            {"registry.example:5000/a/b/c", "latest", "registry.example:5000", "a/b/c"}},
           {"registry.example/a:1", {"registry.example/a", "1", "registry.example", "a"}},
       })
    EXPECT_EQ(parse_image_reference(row.text), row.expected) << row.text;
  EXPECT_EQ(parse_image_reference("r.example/a@" + kDigest)->tag, kDigest);
  EXPECT_EQ(parse_image_reference("r.example/a:1@" + kDigest),
            (ImageReference{"r.example/a", kDigest, "r.example", "a"}));
  for (const char* bad : {"", "a b", "a//b", "/a", "a/", "a:", "a@", "\n", "a\xff"})
    EXPECT_FALSE(parse_image_reference(bad)) << bad;
  EXPECT_FALSE(parse_image_reference(std::string(1000, 'a')));
}

TEST(ImageReference, has_one_full_name_however_it_is_written) {
  for (const char* text : {"busybox", "busybox:latest", "library/busybox", "docker.io/busybox",
                           "docker.io/library/busybox", "docker.io/library/busybox:latest",
                           "index.docker.io/busybox", "index.docker.io/library/busybox:latest"})
    EXPECT_EQ(full_image_name(text), "docker.io/library/busybox:latest") << text;
  EXPECT_EQ(full_image_name("r.example:5000/a"), "r.example:5000/a:latest");
  EXPECT_EQ(full_image_name("localhost/a:1"), "localhost/a:1");
  for (const std::string tag : {"", ":1", ":latest"})
    EXPECT_EQ(full_image_name("team/a" + tag + "@" + kDigest), "docker.io/team/a@" + kDigest)
        << "what is under the digest is that image, whatever the tag";
  EXPECT_EQ(full_image_name(full_image_name("team/a@" + kDigest)), "docker.io/team/a@" + kDigest);
  EXPECT_EQ(full_image_name("no image"), "no image");
}

}  // namespace
}  // namespace stoker
