#include "agent/inventory.h"

#include <cstdlib>

#include <gtest/gtest.h>
#include <poll.h>

#include "agent/gpu_devices.h"
#include "agent/gpu_health.h"
#include "agent/host_job.h"
#include "agent/inbox.h"
#include "agent/nvml.h"

namespace stoker::agent {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

class Variable {
 public:
  explicit Variable(const char* value) { ::setenv("FAKE_NVML", value, 1); }
  ~Variable() { ::unsetenv("FAKE_NVML"); }
};

TEST(Inventory, pretended_gpus_are_named_by_count_and_model) {
  const Gpus gpus = find_gpus("2xA10G,H200").value();
  ASSERT_EQ(gpus.devices.size(), 3u);
  EXPECT_TRUE(gpus.pretended);
  EXPECT_EQ(gpus.devices[0].gpu, (wire::Gpu{"GPU-pretended-0", "A10G", 24'576}));
  EXPECT_EQ(gpus.devices[2].gpu, (wire::Gpu{"GPU-pretended-2", "H200", 144'384}));
  EXPECT_EQ(gpus.devices[2].minor, -1);
  EXPECT_TRUE(find_gpus("none").value().devices.empty());
  EXPECT_FALSE(find_gpus("none").value().pretended);
  EXPECT_TRUE(find_gpus("0xA10G").value().devices.empty());
  EXPECT_EQ(find_gpus("2xImaginary").value().devices.size(), 2u) << "with its count it is no slip";
  for (const char* bad :
       {"4", "4x", "-1xA10G", "99999xT4", "2xA10G,", ",", "1024xT4,1xT4", "A100/", "A100/2g", "A100/1g.5gb+",
        "A100/1g.5gb+1g.5gb+1g.5gb+1g.5gb+1g.5gb+1g.5gb+1g.5gb+1g.5gb", "foo", "nonne", "x4", "1.5xA10G",
        "99999999999999999999xA10G", "4x/mig", "2x3xT4", "A10G/mig/mig"})
    EXPECT_FALSE(find_gpus(bad)) << bad;
}

TEST(Inventory, pretended_gpus_can_have_mig) {
  const Gpus gpus = find_gpus("A100-80GB/3g.40gb+2g.20gb,H100/mig,T4").value();
  ASSERT_EQ(gpus.devices.size(), 3u);
  const wire::Gpu& fixed = gpus.devices[0].gpu;
  EXPECT_EQ(fixed.model, "A100-80GB");
  EXPECT_EQ(fixed.memory_mib, 81'920);
  EXPECT_EQ(fixed.mig, wire::MigMode::Fixed);
  ASSERT_EQ(fixed.mig_devices.size(), 2u);
  EXPECT_EQ(fixed.mig_devices[1].profile, "2g.20gb");
  EXPECT_EQ(gpus.devices[1].gpu.mig, wire::MigMode::Dynamic);
  EXPECT_EQ(gpus.devices[2].gpu.mig, wire::MigMode::Off);
}

TEST(GpuDevices, what_a_run_has_is_found_by_its_name) {
  auto devices = find_gpus("A100-80GB/3g.40gb+2g.20gb,H100/mig").value().devices;
  EXPECT_EQ(find_device(devices, "GPU-pretended-0")->visible_name(), "GPU-pretended-0");
  const GpuDevice part = find_device(devices, "MIG-GPU-pretended-0-1").value();
  EXPECT_EQ(part.visible_name(), "MIG-GPU-pretended-0-1");
  EXPECT_EQ(part.gpu.uuid, "GPU-pretended-0");
  const std::string planned = "GPU-pretended-1/2g.20gb@4";
  EXPECT_EQ(find_device(devices, planned)->visible_name(), planned);
  EXPECT_EQ(find_device(devices, "GPU-pretended-0/2g.20gb@4").error().code, Code::NotFound);
  devices[1].minor = 3;
  EXPECT_TRUE(find_device(devices, planned)->needs_preparing()) << "a real GPU";
}

TEST(GpuDevices, a_share_is_told_in_the_words_of_mps) {
  RunSpec spec;
  spec.gpus = find_gpus("T4").value().devices;
  EXPECT_TRUE(share_environment(spec).empty());
  spec.run.gpu_milli = 250;
  EXPECT_EQ(share_environment(spec), (Pairs{{"CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "25"},
                                            {"CUDA_MPS_PINNED_DEVICE_MEM_LIMIT", "0=4096M"}}));
  spec.run.gpu_milli = 1;
  EXPECT_EQ(share_environment(spec)[0].second, "1");
}

TEST(Inventory, memory_of_a_model_goes_by_its_usual_names) {
  EXPECT_EQ(gpu_memory_mib("NVIDIA A100-SXM4-80GB"), 81'920);
  EXPECT_EQ(gpu_memory_mib("NVIDIA A100-SXM4-40GB"), 40'960);
  EXPECT_EQ(gpu_memory_mib("Tesla V100-SXM2-32GB"), 32'768);
  EXPECT_EQ(gpu_memory_mib("NVIDIA H100 80GB HBM3"), 81'920);
  EXPECT_EQ(gpu_memory_mib("80GB"), 16'384);
  EXPECT_EQ(gpu_memory_mib("X9-1gbit"), 16'384);
  EXPECT_EQ(gpu_memory_mib("A100-80GB"), 81'920);
  EXPECT_EQ(gpu_memory_mib("NVIDIA H200"), 144'384);
  EXPECT_EQ(gpu_memory_mib("l40s"), 49'152);
  EXPECT_EQ(gpu_memory_mib("Imaginary"), 16'384);
}

TEST(Inventory, this_machine_has_something) {
  EXPECT_GE(available_cpus_milli(), 1);
  EXPECT_GT(available_memory_mib(), 0);
  EXPECT_EQ(boot_instance(), boot_instance());
  EXPECT_GT(boot_instance().size(), 36u);
}

TEST(Nvml, gpus_come_in_the_order_of_the_bus) {
  const auto answer = ask_nvml(seconds(10), STOKER_TEST_NVML);
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->driver_version, "570.00");
  ASSERT_EQ(answer->gpus.size(), 2u);
  EXPECT_EQ(answer->gpus[0].gpu, (wire::Gpu{"GPU-1", "NVIDIA T4", 15'360}));
  EXPECT_EQ(answer->gpus[0].minor, 6);
  EXPECT_EQ(answer->gpus[0].pci_bus_id, "00000000:17:00.0");
  EXPECT_EQ(answer->gpus[1].gpu.uuid, "GPU-0");
}

TEST(Nvml, a_gpu_in_mig_mode_has_the_devices_that_were_made) {
  const Variable variable("mig");
  const auto answer = ask_nvml(seconds(10), STOKER_TEST_NVML);
  ASSERT_TRUE(answer) << answer.error().message;
  ASSERT_EQ(answer->gpus.size(), 2u);
  EXPECT_EQ(answer->gpus[0].gpu.mig, wire::MigMode::Off);
  const wire::Gpu& gpu = answer->gpus[1].gpu;
  EXPECT_EQ(gpu.mig, wire::MigMode::Fixed);
  EXPECT_EQ(gpu.mig_devices,
            (std::vector<wire::MigDevice>{{"MIG-2", "2g.20gb", 1}, {"MIG-3", "2g.20gb", 4}}));
}

TEST(Nvml, a_lost_gpu_is_a_warning_and_the_others_are_used) {
  const Variable variable("lost");
  const Gpus gpus = find_gpus("auto", STOKER_TEST_NVML).value();
  ASSERT_EQ(gpus.devices.size(), 1u);
  EXPECT_FALSE(gpus.pretended);
  ASSERT_EQ(gpus.warnings.size(), 1u);
  EXPECT_EQ(gpus.warnings[0], "GPU 0: GPU is lost");
}

TEST(GpuHealth, is_what_the_driver_says_of_each) {
  using enum wire::GpuHealth;
  const auto known = ask_nvml(seconds(10), STOKER_TEST_NVML).value().gpus;
  ASSERT_EQ(known.size(), 2U);
  struct Row {
    const char* mode;
    wire::GpuHealth health;  // of GPU-0
    const char* what;
  };
  for (const Row& row : {Row{"", Ok, ""},
                         {"remap-pending", Draining, "waits to be remapped"},
                         {"remap-failed", Bad, "could not be remapped"},
                         {"reset", Draining, "has to be reset"},
                         {"lost", Bad, "does not find it any more"},
                         {"old", Ok, ""},
                         {"old-ecc", Draining, "could not correct"}}) {
    const Variable variable(row.mode);
    const auto troubles = read_gpu_troubles(known, STOKER_TEST_NVML);
    ASSERT_TRUE(troubles) << row.mode << troubles.error().message;
    EXPECT_FALSE(troubles->contains("GPU-1")) << row.mode << ": the other one is well";
    const auto trouble = troubles->find("GPU-0");
    EXPECT_EQ(trouble == troubles->end() ? Ok : trouble->second.health, row.health) << row.mode;
    if (trouble != troubles->end()) {
      EXPECT_NE(trouble->second.what.find(row.what), std::string::npos) << row.mode;
    }
  }
  const Variable variable("no-driver");
  EXPECT_EQ(read_gpu_troubles(known, STOKER_TEST_NVML).error().code, Code::NotFound);
}

TEST(GpuHealth, is_told_when_it_changes_and_when_there_is_no_answer) {
  const std::vector<GpuDevice> known = {{{"GPU-0", "T4", 1}, 0, ""}, {{"GPU-1", "T4", 1}, 1, ""}};
  const GpuTroubles bad = {{"GPU-0", {wire::GpuHealth::Bad, "a row"}}};
  const GpuTrouble silent{wire::GpuHealth::Draining, "the driver does not answer"};
  // One after the other; the last one for ever.
  std::vector<Result<GpuTroubles>> answers = {GpuTroubles{}, bad, bad, fail(Code::Unavailable, "no"),
                                              GpuTroubles{}};
  Inbox inbox;
  std::vector<GpuTroubles> told;
  {
    const GpuWatch watch(known, milliseconds(1), inbox,
                         [answers, at = std::size_t{0}](const std::vector<GpuDevice>&) mutable {
                           return answers[std::min(at++, answers.size() - 1)];
                         });
    while (told.size() < 3) {
      pollfd ready{inbox.fd(), POLLIN, 0};
      if (!inbox.arm()) {
        ASSERT_EQ(::poll(&ready, 1, 60'000), 1);
      }
      inbox.disarm();
      std::vector<Input> inputs;
      inbox.take_all(inputs);
      for (const Input& input : inputs) told.push_back(std::get<GpuHealthChanged>(input).troubles);
    }
  }
  EXPECT_EQ(told, (std::vector<GpuTroubles>{bad, {{"GPU-0", silent}, {"GPU-1", silent}}, {}}))
      << "the first answer and the repeated one are no news";
}

TEST(Inventory, a_gpu_can_be_pretended_to_be_out_of_order) {
  const Gpus gpus = find_gpus("2xT4,T4/bad").value();
  EXPECT_EQ(gpus.devices[1].gpu.health, wire::GpuHealth::Ok);
  EXPECT_EQ(gpus.devices[2].gpu.health, wire::GpuHealth::Bad);
  EXPECT_EQ(gpus.devices[2].gpu.model, "T4");
}

TEST(Nvml, no_library_and_no_driver_are_no_gpus_without_a_word) {
  const Gpus none = find_gpus("auto", "libno-such-library.so.7").value();
  EXPECT_TRUE(none.devices.empty() && none.warnings.empty());
  const Variable variable("no-driver");
  const Gpus no_driver = find_gpus("auto", STOKER_TEST_NVML).value();
  EXPECT_TRUE(no_driver.devices.empty() && no_driver.warnings.empty());
}

TEST(Nvml, a_library_that_hangs_is_not_waited_for) {
  const Variable variable("hang");
  const auto answer = ask_nvml(milliseconds(100), STOKER_TEST_NVML);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Code::Unavailable);
}

TEST(HostJob, gpus_are_named_or_hidden) {
  EXPECT_EQ(gpu_environment({}), (Pairs{{"CUDA_VISIBLE_DEVICES", "-1"}, {"NVIDIA_VISIBLE_DEVICES", "void"}}));
  const std::vector<GpuDevice> two = {{{"GPU-a", "T4", 1}, 0, ""}, {{"GPU-b", "T4", 1}, 1, ""}};
  EXPECT_EQ(gpu_environment(two), (Pairs{{"CUDA_VISIBLE_DEVICES", "GPU-a,GPU-b"},
                                         {"CUDA_DEVICE_ORDER", "PCI_BUS_ID"},
                                         {"NVIDIA_VISIBLE_DEVICES", "GPU-a,GPU-b"}}));
}

TEST(HostJob, bad_requests_are_refused_in_batch_s_words) {
  RunSpec spec;
  spec.dir = "/nowhere";
  spec.run.token = std::string(32, 'a');
  spec.run.image = "host";
  spec.run.command = {"true"};
  ASSERT_TRUE(make_launch(spec));
  const auto reason = [&](auto change) {
    RunSpec changed = spec;
    change(changed.run);
    const auto launch = make_launch(changed);
    return launch ? std::string("accepted") : launch.error().message;
  };
  EXPECT_EQ(reason([](auto& run) { run.environment = {{"A=B", "x"}}; }),
            "CannotStartContainerError: \"A=B\" is no name of an environment variable");
  EXPECT_EQ(reason([](auto& run) { run.environment = {{"STOKER_WORKDIR", "tmp"}}; }),
            "CannotStartContainerError: STOKER_WORKDIR must be an absolute path");
  EXPECT_EQ(reason([](auto& run) {
              run.container = std::make_shared<const json::Value>(
                  json::parse(R"({"ulimits":[{"name":"wheels","softLimit":1,"hardLimit":1}]})").value());
            }),
            "CannotStartContainerError: unknown ulimit wheels");
  EXPECT_EQ(reason([](auto& run) {
              run.container = std::make_shared<const json::Value>(
                  json::parse(R"({"ulimits":[{"name":"core","softLimit":2,"hardLimit":1}]})").value());
            }),
            "CannotStartContainerError: ulimit core: soft above hard");
  EXPECT_EQ(reason([](auto& run) {
              run.container = std::make_shared<const json::Value>(
                  json::parse(R"({"user":"nobody:no-such-group"})").value());
            }),
            "CannotStartContainerError: there is no group no-such-group on this node");
}

}  // namespace
}  // namespace stoker::agent
