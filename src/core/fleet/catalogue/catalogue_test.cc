#include "core/fleet/catalogue/catalogue.h"

#include <gtest/gtest.h>

namespace stoker::fleet {
namespace {

std::string complaint(const Result<void>& result) {
  return result ? "" : result.error().message;
}
Result<void> apply(Catalogue& catalogue, std::string_view text) {
  return catalogue.apply(json::parse(text).value());
}

TEST(Catalogue, carries_the_types_with_their_gpus_and_prices) {
  const Catalogue catalogue = Catalogue::builtin();
  const InstanceType* type = catalogue.find("g5.12xlarge");
  ASSERT_NE(type, nullptr);
  EXPECT_EQ(type->vcpus, 48);
  EXPECT_EQ(type->memory_mib, 196608);
  EXPECT_EQ(type->gpus, 4);
  EXPECT_EQ(type->gpu_model, "A10G");
  EXPECT_EQ(type->family(), "g5");
  EXPECT_EQ(catalogue.on_demand("g5.12xlarge", "us-east-1"), parse_money("5.672"));
  EXPECT_EQ(catalogue.typical_spot("p4d.24xlarge", "us-east-1"), parse_money("7.246"));
  EXPECT_EQ(catalogue.find("g5.1xlarge"), nullptr);
}

TEST(Catalogue, a_price_of_another_region_is_no_price) {
  const Catalogue catalogue = Catalogue::builtin();
  EXPECT_FALSE(catalogue.on_demand("g5.xlarge", "eu-central-1"));
  EXPECT_FALSE(catalogue.on_demand("p5e.48xlarge", "us-east-1")) << "sold by the block only";
  EXPECT_TRUE(catalogue.typical_spot("p5e.48xlarge", "us-east-1"));
}

TEST(Catalogue, is_sorted_and_every_type_makes_sense) {
  const Catalogue catalogue = Catalogue::builtin();
  EXPECT_GE(catalogue.types().size(), 70U);
  for (const InstanceType& type : catalogue.types()) {
    EXPECT_EQ(catalogue.find(type.name), &type);
    EXPECT_GT(type.vcpus, 0) << type.name;
    EXPECT_GT(type.memory_offered_mib(), 0) << type.name;
    EXPECT_GT(type.gpus, 0) << type.name;
    EXPECT_FALSE(type.gpu_model.empty()) << type.name;
    EXPECT_GE(type.gpu_milli, 125) << type.name;
    const auto on_demand = catalogue.on_demand(type.name, "us-east-1");
    const auto spot = catalogue.typical_spot(type.name, "us-east-1");
    EXPECT_TRUE(!on_demand || !spot || *spot < *on_demand) << type.name;
  }
}

TEST(Catalogue, the_agent_keeps_some_memory) {
  InstanceType type;
  const std::pair<std::int64_t, std::int64_t> rows[] = {
      {16'384, 16'384 - 512}, {1'000'000, 980'000}, {100, 0}};
  for (const auto& [memory, offered] : rows) {
    type.memory_mib = memory;
    EXPECT_EQ(type.memory_offered_mib(), offered);
  }
}

TEST(Catalogue, a_file_adds_and_corrects) {
  Catalogue catalogue = Catalogue::builtin();
  ASSERT_EQ(complaint(apply(catalogue, R"({"date":"2027-01-01",
    "types":[{"name":"box","vcpus":64,"memoryMiB":256000,"gpus":2,"gpuModel":"H100","gpuMemoryMiB":81920},
             {"name":"g5.xlarge","interruptionPercent":7}],
    "prices":[{"type":"box","region":"cellar","onDemand":0},
              {"type":"g5.xlarge","region":"us-east-1","onDemand":"0.9"},
              {"type":"g5.xlarge","region":"eu-central-1","onDemand":1.258,"spot":0.5}]})")),
            "");
  EXPECT_EQ(catalogue.prices_as_of(), "2027-01-01");
  EXPECT_EQ(catalogue.find("box")->gpus, 2);
  EXPECT_EQ(catalogue.on_demand("box", "cellar"), Money{});
  EXPECT_EQ(catalogue.find("g5.xlarge")->interruption_percent, 7);
  EXPECT_EQ(catalogue.find("g5.xlarge")->vcpus, 4);
  EXPECT_EQ(catalogue.on_demand("g5.xlarge", "us-east-1"), Money{900'000});
  EXPECT_EQ(catalogue.typical_spot("g5.xlarge", "us-east-1"), Money{412'500}) << "not named, so kept";
  EXPECT_EQ(catalogue.on_demand("g5.xlarge", "eu-central-1"), Money{1'258'000});
}

TEST(Catalogue, a_file_with_a_fault_changes_nothing) {
  const std::pair<const char*, const char*> rows[] = {
      {R"([])", "catalogue: must be an object"},
      {R"({"type":[]})", "type: is not known"},
      {R"({"types":{}})", "types: must be a list"},
      {R"({"types":[5]})", "types[0]: must be an object"},
      {R"({"types":[{"name":"g5.xlarge","vcpu":8}]})", "types[0]: vcpu: is not known"},
      {R"({"types":[{"name":"g5.xlarge","architecture":["arm64"]}]})",
       "types[0]: architecture: must be text"},
      {R"({"types":[{"name":"g5.xlarge","architecture":"arm"}]})", "architecture: must be amd64 or arm64"},
      {R"({"types":[{"name":"g5.xlarge","gpuModel":5}]})", "types[0]: gpuModel: must be text"},
      {R"({"prices":[{"type":"g5.xlarge","region":"r","ondemand":1}]})", "prices[0]: ondemand: is not known"},
      {R"({"date":"yesterday"})", "date: must be a day"},
      {R"({"types":[{"vcpus":1}]})", "types[0]: name: must be text"},
      {R"({"types":[{"name":"g5.xlarge","vcpus":8},{"name":"new"}]})",
       "types[1]: vcpus: must be a whole number"},
      {R"({"types":[{"name":"g5.xlarge","vcpus":1.5}]})", "types[0]: vcpus"},
      {R"({"types":[{"name":"g5.xlarge","gpuMilli":0}]})", "types[0]: gpuMilli"},
      {R"({"types":[{"name":"new","vcpus":1,"memoryMiB":1,"gpus":1}]})", "gpuModel: must be given"},
      {R"({"prices":[{"type":"no","region":"r"}]})", "prices[0]: type: no is not in the catalogue"},
      {R"({"prices":[{"type":"g5.xlarge"}]})", "prices[0]: region"},
      {R"({"prices":[{"type":"g5.xlarge","region":"r","onDemand":-1}]})", "onDemand: must be an amount"},
      {R"({"prices":[{"type":"g5.xlarge","region":"r","spot":"1e3"}]})", "spot: must be an amount"},
      {R"({"prices":[{"type":"g5.xlarge","region":"r","spot":9223372036854775807}]})",
       "spot: must be an amount"},
      {R"({"prices":[{"type":"g5.xlarge","region":"r","spot":1e300}]})", "spot: must be an amount"},
  };
  for (const auto& [text, fault] : rows) {
    Catalogue catalogue = Catalogue::builtin();
    EXPECT_NE(complaint(apply(catalogue, text)).find(fault), std::string::npos)
        << text << " said " << complaint(apply(catalogue, text));
    EXPECT_EQ(catalogue.types(), Catalogue::builtin().types());
  }
}

TEST(ExpandTypes, a_family_stands_for_its_types_by_price) {
  const Catalogue catalogue = Catalogue::builtin();
  using Names = std::vector<std::string>;
  EXPECT_EQ(expand_types(catalogue, {"gr6", "g5.xlarge"}, "us-east-1"),
            (Names{"gr6.4xlarge", "gr6.8xlarge", "g5.xlarge"}));
  EXPECT_EQ(expand_types(catalogue, {"p5", "p5.48xlarge", "p5"}, "us-east-1"),
            (Names{"p5.4xlarge", "p5.48xlarge"}));
  EXPECT_EQ(expand_types(catalogue, {"g99"}, "us-east-1").error().message,
            "instanceTypes: g99 is neither a type nor a family of the catalogue");
}

}  // namespace
}  // namespace stoker::fleet
