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

TEST(Variants, what_they_take_the_place_of_is_looked_at_and_their_names_differ) {
  const std::string rest =
      R"("jobs":[{"trace":"itp","file":"x"}],"environments":[{"name":"e","machines":[{"type":"g5.xlarge","count":1}]}],
    "queues":[{"name":"default","environments":["e"]}],"variants":[{"name":"a","story":"s"},{"name":"b","story":"s"}]})";
  EXPECT_TRUE(read_scenarios(parsed("{" + rest)));
  const auto refusal = [&](const std::string& text) {
    const auto read = read_scenarios(parsed(text));
    return read ? "" : read.error().message;
  };
  EXPECT_EQ(refusal(R"({"name":[5],)" + rest), "name: must be text");
  EXPECT_EQ(refusal(R"({"story":7,)" + rest), "story: must be text");
  std::string twice = rest;
  twice.replace(twice.find(R"("b")"), 3, R"("a")");
  EXPECT_EQ(refusal("{" + twice), "variants[1]: name: another variant has it");
}

TEST(Variants, what_is_wrong_with_the_scenario_of_one_names_it) {
  const json::Value file = parsed(R"({"jobs":[{"trace":"itp","file":"x"}],"environments":[{"name":"e"}],
    "queues":[{"name":"q","environments":["e"]}],"variants":[{"name":"a","set":{"/jobs/0/queue":"q"}},
    {"name":"b","set":{"/jobs/0/queue":"r"}}]})");
  EXPECT_EQ(read_scenarios(file).error().message, "variants[1]: jobs: there is no queue r");
}

}  // namespace
}  // namespace stoker::sim
