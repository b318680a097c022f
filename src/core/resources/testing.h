#pragma once
// Short ways to say things in the tests of resources/ and records/.
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "core/resources/resources.h"

namespace stoker::core::testing {

inline json::Shared doc(std::string_view text) {
  auto value = json::parse(text);
  EXPECT_TRUE(value) << text;
  return std::make_shared<const json::Value>(value ? *value : json::Value());
}

inline constexpr std::string_view kAmounts =
    R"("resourceRequirements":[{"type":"VCPU","value":"1"},{"type":"MEMORY","value":"64"}])";

// A registration of type container that is complete but for `more`, members of containerProperties, and
// `top`, members beside it; both begin with a comma.
inline std::string container_definition(std::string_view more = "", std::string_view top = "") {
  return R"({"type":"container","containerProperties":{"image":"busybox",)" + std::string(kAmounts) +
         std::string(more) + "}" + std::string(top) + "}";
}

// The answer's text, or "" when it was accepted.
template <class T>
std::string complaint(const Result<T>& result) {
  return result ? "" : result.error().message;
}

// The queue as queue "q" on the unmanaged environment "e".
inline void make_queue(World& world, CreateJobQueue queue = {}) {
  ASSERT_TRUE(create_compute_environment(
      world, Instant{1},
      {.name = "e", .managed = false, .enabled = true, .document = doc("{}"), .uuid = "", .tags = {}}));
  queue.name = "q";
  queue.environments = {{1, "e"}};
  ASSERT_TRUE(create_job_queue(world, Instant{1}, queue));
}

// One rule: what is asked, and a part of the text that refuses it; "" when it is accepted.
struct Rule {
  std::string_view sentence;
  std::string text;
  std::string_view refused_with;
};

template <class Ask>
void check_rules(const std::vector<Rule>& rules, Ask ask) {
  for (const Rule& rule : rules) {
    const std::string answer = ask(rule.text);
    if (rule.refused_with.empty()) {
      EXPECT_EQ(answer, "") << rule.sentence;
    } else {
      EXPECT_NE(answer.find(rule.refused_with), std::string::npos)
          << rule.sentence << "\n  answered: " << (answer.empty() ? "(accepted)" : answer);
    }
  }
}

}  // namespace stoker::core::testing
