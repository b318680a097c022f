#include "sim/run/variants.h"

#include <gtest/gtest.h>

namespace stoker::sim {
namespace {

json::Value parsed(std::string_view text) {
  return json::parse(text).value();
}

Result<std::vector<json::Value>> expand(const json::Value& file) {
  std::vector<json::Value> all;
  const std::size_t count = TRY(count_variants(file));
  for (std::size_t i = 0; i < count; ++i) {
    auto one = variant_of(file, i);
    if (!one) return std::unexpected(one.error());
    all.push_back(*one);
  }
  return all;
}

TEST(Variants, a_file_without_them_is_one_scenario) {
  const auto all = expand(parsed(R"({"name":"n"})"));
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 1u);
  EXPECT_EQ(json::write((*all)[0]), R"({"name":"n"})");
}

TEST(Variants, each_sets_members_of_its_copy) {
  const auto all = expand(parsed(R"({"name":"n","story":"s","a":[{"b":1},{"b":2}],"variants":[
    {"name":"x","set":{"/a/1/b":7,"/c~1d":true}},{"name":"y","story":"other"}]})"));
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 2u);
  EXPECT_EQ(json::write((*all)[0]), R"({"name":"n: x","story":"s","a":[{"b":1},{"b":7}],"c/d":true})");
  EXPECT_EQ(json::write((*all)[1]), R"({"name":"n: y","story":"other","a":[{"b":1},{"b":2}],"about":"s"})");
}

TEST(Variants, what_is_wrong_is_named) {
  const std::pair<const char*, const char*> rows[] = {
      {R"({"variants":[]})", "variants: must be a list"},
      {R"({"variants":7})", "variants: must be a list"},
      {R"({"variants":[{}]})", "name: must be given"},
      {R"({"variants":[7]})", "variants[0]: must be an object"},
      {R"({"variants":[{"name":"x","set":[]}]})", "set: must be an object"},
      {R"({"variants":[{"name":"x","other":1}]})", "other: is not known"},
      {R"({"variants":[{"name":"x","set":{"a":1}}]})", "a place begins with '/'"},
      {R"({"variants":[{"name":"x","set":{"/a/b":1}}]})", "there is nothing at 'a'"},
      {R"({"a":[1],"variants":[{"name":"x","set":{"/a/1":1}}]})", "there is nothing at '1'"},
      {R"({"a":5,"variants":[{"name":"x","set":{"/a/b":1}}]})", "there is nothing at 'b'"}};
  for (const auto& [text, says] : rows) {
    const auto all = expand(parsed(text));
    ASSERT_FALSE(all) << text;
    EXPECT_NE(all.error().message.find(says), std::string::npos) << text << ": " << all.error().message;
  }
}

TEST(Variants, what_is_wrong_with_the_scenario_of_one_names_it) {
  const json::Value file = parsed(R"({"jobs":[{"trace":"itp","file":"x"}],"environments":[{"name":"e"}],
    "queues":[{"name":"q","environments":["e"]}],"variants":[{"name":"a","set":{"/jobs/0/queue":"q"}},
    {"name":"b","set":{"/jobs/0/queue":"r"}}]})");
  EXPECT_EQ(read_scenarios(file).error().message, "variants[1]: jobs: there is no queue r");
}

}  // namespace
}  // namespace stoker::sim
