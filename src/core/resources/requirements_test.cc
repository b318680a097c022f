#include "core/resources/requirements.h"

#include "core/resources/testing.h"

namespace stoker::core {
namespace {

TEST(GpuValue, says_whole_gpus_a_share_or_mig_devices) {
  struct Row {
    std::string_view value;
    std::optional<GpuAmount> amount;
  };
  for (const Row& row :
       std::vector<Row>{{"1", GpuAmount{.gpus = 1}},
                        {"8", GpuAmount{.gpus = 8}},
                        {"0.5", GpuAmount{.gpu_milli = 500}},
                        {"0.001", GpuAmount{.gpu_milli = 1}},
                        {"2g.20gb", GpuAmount{.gpu_milli = 285, .mig = "2g.20gb", .mig_devices = 1}},
                        {"3x1g.10gb", GpuAmount{.gpu_milli = 426, .mig = "1g.10gb", .mig_devices = 3}},
                        {"7g.80gb", GpuAmount{.gpu_milli = 1000, .mig = "7g.80gb", .mig_devices = 1}},
                        {"", {}},
                        {"0", {}},
                        {"-1", {}},
                        {"1.0", {}},
                        {"1.5", {}},
                        {"0.0", {}},
                        {"0.0005", {}},
                        {".5", {}},
                        {"0.5g", {}},
                        {"x1g.10gb", {}},
                        {"0x1g.10gb", {}},
                        {"1001x1g.10gb", {}},
                        {"2x2x1g.10gb", {}},
                        {"2g", {}}})
    EXPECT_EQ(parse_gpu_value(row.value), row.amount) << row.value;
}

TEST(GpuValue, becomes_amounts_and_a_need) {
  const auto container = testing::doc(R"({"resourceRequirements":[{"type":"GPU","value":"2x3g.40gb"}]})");
  const Requirements requirements = read_requirements(*container);
  EXPECT_EQ(requirements.resources().gpu_milli, 856);
  EXPECT_EQ(requirements.resources().gpus, 0);
  EXPECT_EQ(requirements.gpu_need(), (GpuNeed{.mig = "3g.40gb", .mig_devices = 2}));
}

}  // namespace
}  // namespace stoker::core
