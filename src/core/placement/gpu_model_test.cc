#include "core/placement/gpu_model.h"

#include <gtest/gtest.h>

namespace stoker::core {
namespace {

TEST(GpuModel, a_wish_is_met_when_each_of_its_words_is_one_of_the_name) {
  struct Row {
    std::string_view model;
    std::string_view wish;
    bool met;
  };
  for (const Row& row : {Row{"NVIDIA A100-SXM4-80GB", "a100", true},
                         {"NVIDIA A100-SXM4-80GB", "A100-80GB", true},
                         {"NVIDIA A100-SXM4-40GB", "A100-80GB", false},
                         {"A100", "A10", false},
                         {"A10G", "A10", false},
                         {"NVIDIA L40S", "L4", false},
                         {"NVIDIA GeForce RTX 4090", "rtx 4090", true},
                         {"Tesla T4", "T4", true},
                         {"A10G", "NVIDIA A10G", true},
                         {"T4", "tesla-t4", true},
                         {"A100", "Tesla T4", false},
                         {"NVIDIA L4", "nvidia", true},
                         {"Trainium2", "nvidia", false},
                         {"", "T4", false},
                         {"T4", "", false},
                         {"T4", "--", false}})
    EXPECT_EQ(is_model(row.model, row.wish), row.met) << row.model << " for " << row.wish;
}

}  // namespace
}  // namespace stoker::core
