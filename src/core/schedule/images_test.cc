// Runs go where their image is, as nodes tell it.
#include <gtest/gtest.h>

#include "core/testing/driver.h"

namespace stoker::core {
namespace {

using testing::Driver;

constexpr Resources kSmall{.cpus_milli = 1000, .memory_mib = 100};

Node holding(const std::string& name, std::vector<std::string> images) {
  Node node = Driver::a_node(name, {.cpus_milli = 1000, .memory_mib = 1000});
  node.images = held_images(std::move(images));
  return node;
}

std::string node_of(const Driver& d, const Uuid& id) {
  return d.job(id).extra->attempts.back().node;
}

class Images : public ::testing::Test {
 protected:
  Images() {
    d.define_boxed("train", "train:7", kSmall);
    d.connect(holding("a", {}));
    d.connect(holding("b", {"docker.io/library/train:7", "docker.io/library/train:6"}));
    d.connect(holding("c", {}));
  }
  Driver d;
};

TEST_F(Images, a_run_goes_where_its_image_is_and_elsewhere_when_that_is_full) {
  const Uuid first = d.submit("first", "train");
  const Uuid second = d.submit("second", "train");
  EXPECT_EQ(node_of(d, first), "b");
  EXPECT_EQ(node_of(d, second), "a");
}

TEST_F(Images, what_a_node_told_last_counts_until_its_next_hello) {
  d.event(NodeImagesChanged{"c", held_images({"docker.io/library/train:7"})});
  d.event(NodeImagesChanged{"b", nullptr});
  d.event(NodeImagesChanged{"b", nullptr});
  d.event(NodeImagesChanged{"nobody", held_images({"docker.io/library/train:7"})});
  const Uuid first = d.submit("first", "train");
  EXPECT_EQ(node_of(d, first), "c");
  d.start(first);
  d.finish(first, 0);
  d.connect(holding("c", {}));
  d.connect(holding("b", {"docker.io/library/train:7"}));
  EXPECT_EQ(node_of(d, d.submit("second", "train")), "b");
}

TEST_F(Images, news_of_a_node_that_is_away_does_no_harm) {
  d.event(NodeDisconnected{"c"});
  d.event(NodeImagesChanged{"c", held_images({"docker.io/library/train:7"})});
  EXPECT_EQ(node_of(d, d.submit("first", "train")), "b");
  EXPECT_EQ(node_of(d, d.submit("second", "train")), "a");
  d.check();
}

TEST_F(Images, are_told_anew_after_a_crash) {
  d.crash();
  d.connect(holding("a", {}));
  d.connect(holding("c", {"docker.io/library/train:7"}));
  EXPECT_EQ(node_of(d, d.submit("first", "train")), "c");
}

TEST_F(Images, all_nodes_of_a_job_go_where_they_are_if_they_find_room) {
  EXPECT_TRUE(d.ask(RegisterJobDefinition{
      "wide",
      std::make_shared<const json::Value>(*json::parse(
          R"({"type":"multinode","nodeProperties":{"mainNode":0,"numNodes":2,"nodeRangeProperties":[{"targetNodes":"0:",)"
          R"("container":{"image":"train:7","command":["true"],"resourceRequirements":[{"type":"VCPU","value":"1"},)"
          R"({"type":"MEMORY","value":"100"}]}}]}})")),
      {}}));
  d.event(NodeImagesChanged{"c", held_images({"docker.io/library/train:7"})});
  const Uuid wide = d.submit("wide", "wide");
  std::set<std::string> nodes;
  for (const Job& node : d.job(wide).children()) nodes.insert(node.extra->attempts.back().node);
  EXPECT_EQ(nodes, (std::set<std::string>{"b", "c"}));
}

}  // namespace
}  // namespace stoker::core
