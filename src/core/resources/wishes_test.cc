#include "core/resources/wishes.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "core/resources/own_tags.h"

namespace stoker::core {
namespace {

TEST(Wishes, are_read_from_the_tags_with_our_prefix) {
  const Tags tags = {{"team", "vision"},
                     {"stoker:gpu-models", "H100/ A100-80GB,h100"},
                     {"stoker:gpu-memory-min", "40000"},
                     {"stoker:preemptible", "true"},
                     {"stoker:checkpoint", "20m"},
                     {"stoker:deadline", "2026-08-07T12:00:00Z"},
                     {"stoker:spot", "never"},
                     {"stoker:topology", "rack"}};
  EXPECT_EQ(fault_in_own_tags(ResourceKind::Job, tags), "");
  const Wishes wishes = interpret_wishes(tags);
  EXPECT_EQ(wishes.gpu_models, (std::vector<std::string>{"a100-80gb", "h100"}));
  EXPECT_EQ(wishes.gpu_memory_mib_min, 40'000);
  EXPECT_EQ(wishes.preemptible, true);
  EXPECT_EQ(wishes.checkpoint, Checkpoint::Periodic);
  EXPECT_EQ(wishes.checkpoint_every, minutes(20));
  EXPECT_EQ(wishes.deadline_at, Instant{1'786'104'000'000});
  EXPECT_EQ(wishes.spot, SpotUse::Never);
  EXPECT_EQ(wishes.topology, Nearness::Rack);
  EXPECT_EQ(interpret_wishes({{"team", "vision"}}), Wishes{});
  EXPECT_EQ(interpret_wishes({{"stoker:checkpoint", "periodic"}}),
            interpret_wishes({{"stoker:checkpoint", "1h"}}));
}

TEST(Wishes, have_legal_values) {
  struct Row {
    std::string_view key;
    std::string_view value;
    bool legal;
  };
  for (const Row& row : {Row{"spot", "only", true},
                         {"spot", "Only", false},
                         {"spot", "", false},
                         {"topology", "node", true},
                         {"topology", "zone", false},
                         {"preemptible", "false", true},
                         {"preemptible", "yes", false},
                         {"checkpoint", "none", true},
                         {"checkpoint", "signal", true},
                         {"checkpoint", "periodic", true},
                         {"checkpoint", "0m", false},
                         {"checkpoint", "m", false},
                         {"checkpoint", "20", false},
                         {"deadline", "48h", true},
                         {"deadline", "7d", true},
                         {"deadline", "-7d", false},
                         {"deadline", "99999999999h", false},
                         {"deadline", "2026-02-30T00:00:00Z", false},
                         {"deadline", "2026-02-28T24:00:00Z", false},
                         {"deadline", "2024-02-29T23:59:59Z", true},
                         {"deadline", "2026-02-28", false},
                         {"gpu-memory-min", "1", true},
                         {"gpu-memory-min", "0", false},
                         {"gpu-memory-min", "40GiB", false},
                         {"gpu-models", "T4", true},
                         {"gpu-models", "", false},
                         {"gpu-models", "T4//A10G", false},
                         {"gpu-model", "T4", false}})
    EXPECT_EQ(
        fault_in_own_tags(ResourceKind::Job, {{"stoker:" + std::string(row.key), std::string(row.value)}})
            .empty(),
        row.legal)
        << row.key << "=" << row.value;
}

TEST(Wishes, a_refusal_names_the_tag_and_what_it_must_be) {
  EXPECT_EQ(fault_in_own_tags(ResourceKind::Job, {{"stoker:spot", "maybe"}}),
            "stoker:spot must be first, only or never, not 'maybe'");
  EXPECT_NE(fault_in_own_tags(ResourceKind::Job, {{"stoker:spott", "only"}})
                .find("it knows stoker:checkpoint, stoker:deadline"),
            std::string::npos);
}

TEST(Wishes, of_the_job_win_over_those_of_its_definition) {
  const Tags definition = {{"stoker:spot", "only"}, {"stoker:topology", "rack"}, {"a", "b"}};
  EXPECT_EQ(wish_tags(definition, Tags{{"stoker:spot", "never"}, {"z", "z"}}),
            (Tags{{"stoker:spot", "never"}, {"stoker:topology", "rack"}}));
  EXPECT_EQ(wish_tags({}, std::nullopt), Tags{});
}

TEST(Wishes, are_all_in_the_document_for_people) {
  std::stringstream text;
  text << std::ifstream(std::string(STOKER_SOURCE_DIR) + "/docs/job-tags.md").rdbuf();
  for (const WishRule& rule : wish_rules()) {
    EXPECT_NE(text.str().find("`" + std::string(rule.key) + "`"), std::string::npos) << rule.key;
    EXPECT_NE(text.str().find(rule.rule), std::string::npos) << rule.rule;
  }
}

}  // namespace
}  // namespace stoker::core
