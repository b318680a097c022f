// MIG devices against a driver that keeps the rules of the real one.
#include "agent/mig_keeper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/gpu_devices.h"
#include "agent/mig_capabilities.h"
#include "agent/mig_devices.h"
#include "agent/testing/mig_state.h"
#include "rt/file.h"

namespace stoker::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Lines = std::vector<std::string>;

class MigKeeperTest : public ::testing::Test {
 protected:
  void SetUp() override {
    dir_ = rt::make_temporary_directory("/tmp/mig_test.").value();
    state_.emplace(dir_);
    keeper_ = make();
  }
  void TearDown() override { (void)rt::remove_tree(dir_); }

  std::unique_ptr<MigKeeper> make(bool may_change = true, bool switch_on = false,
                                  const std::string& boot = "boot") {
    return std::make_unique<MigKeeper>(testing::MigState::library(),
                                       MigKeeper::Setting{dir_ + "/mig.json", boot, may_change, switch_on});
  }
  static GpuDevice gpu(const std::string& letter, const std::string& device = "") {
    GpuDevice out;
    out.gpu = {"GPU-" + letter, "NVIDIA H100 80GB HBM3", 81'920};
    out.minor = letter == "a" ? 0 : 1;
    out.mig_device = device;
    return out;
  }
  // "a 2g.20gb@4" or "a MIG-GPU-a-1".
  static std::vector<GpuDevice> wish(const Lines& devices) {
    std::vector<GpuDevice> out;
    for (const std::string& it : devices) {
      const std::string name = it.substr(2);
      out.push_back(
          gpu(it.substr(0, 1), name.starts_with("MIG") ? name : "GPU-" + it.substr(0, 1) + '/' + name));
    }
    return out;
  }
  // The UUIDs, or the error.
  Lines prepare(const std::string& token, const Lines& devices) {
    auto prepared = keeper_->prepare(token, wish(devices));
    if (!prepared) return {prepared.error().message};
    Lines uuids;
    for (const GpuDevice& it : *prepared) uuids.push_back(it.visible_name());
    return uuids;
  }
  std::vector<GpuDevice> survey() {
    std::vector<GpuDevice> gpus{gpu("a"), gpu("b")};
    warnings_ = keeper_->switch_on(gpus);
    for (const std::string& it : keeper_->survey(gpus)) warnings_.push_back(it);
    return gpus;
  }

  std::string dir_;
  std::optional<testing::MigState> state_;
  std::unique_ptr<MigKeeper> keeper_;
  Lines warnings_;
};

TEST_F(MigKeeperTest, an_empty_gpu_in_mig_mode_takes_plans) {
  const auto gpus = survey();
  EXPECT_EQ(gpus[0].gpu.mig, wire::MigMode::Dynamic);
  EXPECT_THAT(gpus[0].gpu.mig_devices, IsEmpty());
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(MigKeeperTest, devices_are_made_where_they_were_planned_and_used_again) {
  EXPECT_THAT(prepare("x", {"a 2g.20gb@4", "b 7g.80gb@0"}), ElementsAre("MIG-GPU-a-1", "MIG-GPU-b-2"));
  EXPECT_THAT(prepare("y", {"a 3g.40gb@0"}), ElementsAre("MIG-GPU-a-3"));
  EXPECT_THAT(state_->instances(),
              ElementsAre("a 2g.20gb@4 MIG-GPU-a-1", "a 3g.40gb@0 MIG-GPU-a-3", "b 7g.80gb@0 MIG-GPU-b-2"));
  keeper_->release("x");
  EXPECT_THAT(prepare("z", {"a 2g.20gb@4"}), ElementsAre("MIG-GPU-a-1")) << "it is there already";
  const auto gpus = survey();
  EXPECT_EQ(gpus[0].gpu.mig, wire::MigMode::Dynamic);
  EXPECT_EQ(gpus[0].gpu.mig_devices, (std::vector<wire::MigDevice>{{"GPU-a/3g.40gb@0", "3g.40gb", 0},
                                                                   {"GPU-a/2g.20gb@4", "2g.20gb", 4}}));
}

TEST_F(MigKeeperTest, a_run_learns_the_instances_of_its_devices) {
  (void)prepare("x", {"a 1g.10gb@0"});
  const auto prepared = keeper_->prepare("y", wish({"a 1g.10gb@1"}));
  ASSERT_TRUE(prepared);
  EXPECT_EQ(prepared->front().gpu_instance, 2);
  EXPECT_EQ(prepared->front().compute_instance, 0);
}

TEST_F(MigKeeperTest, of_another_layout_goes_what_is_in_the_way_and_nothing_else) {
  (void)prepare("x", {"a 1g.10gb@0", "a 1g.10gb@1", "a 2g.20gb@4"});
  keeper_->release("x");
  EXPECT_THAT(prepare("y", {"a 2g.20gb@0"}), ElementsAre("MIG-GPU-a-4"));
  EXPECT_THAT(state_->instances(), ElementsAre("a 2g.20gb@0 MIG-GPU-a-4", "a 2g.20gb@4 MIG-GPU-a-3"));
}

TEST_F(MigKeeperTest, a_layout_changes_beside_runs_that_go_on) {
  (void)prepare("x", {"a 1g.20gb@4", "a 1g.20gb@6"});
  (void)prepare("y", {"a 2g.20gb@0"});
  keeper_->release("y");
  EXPECT_THAT(prepare("y", {"a 4g.40gb@0"}), ElementsAre("MIG-GPU-a-4"));
  keeper_->release("x");
  EXPECT_THAT(prepare("z", {"a 3g.40gb@4"}), ElementsAre("MIG-GPU-a-5"));
  EXPECT_THAT(state_->instances(), ElementsAre("a 3g.40gb@4 MIG-GPU-a-5", "a 4g.40gb@0 MIG-GPU-a-4"));
}

// Of 1g with media engines a GPU has one: the unused one elsewhere is in the way without lying there.
TEST_F(MigKeeperTest, when_the_driver_finds_no_room_all_unused_go) {
  (void)prepare("x", {"a 1g.10gb+me@0", "a 1g.10gb@4"});
  (void)prepare("y", {"a 1g.10gb@6"});
  keeper_->release("x");
  EXPECT_THAT(prepare("z", {"a 1g.10gb+me@1"}), ElementsAre("MIG-GPU-a-4"));
  EXPECT_THAT(state_->instances(), ElementsAre("a 1g.10gb+me@1 MIG-GPU-a-4", "a 1g.10gb@6 MIG-GPU-a-3"));
  const auto refused = keeper_->prepare("u", wish({"a 1g.10gb+me@2"}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::LimitExceeded);
  EXPECT_THAT(refused.error().message, HasSubstr("Insufficient Resources"));
}

TEST_F(MigKeeperTest, what_a_run_holds_stays) {
  (void)prepare("x", {"a 2g.20gb@0"});
  EXPECT_THAT(prepare("y", {"a 3g.40gb@0"}),
              ElementsAre("GPU GPU-a: a run still has 2g.20gb at memory slice 0"));
  EXPECT_THAT(prepare("y", {"a 2g.20gb@0"}),
              ElementsAre("MIG device GPU-a/2g.20gb@0 is still used by another run"));
  EXPECT_THAT(state_->instances(), ElementsAre("a 2g.20gb@0 MIG-GPU-a-1"));
}

TEST_F(MigKeeperTest, what_a_process_uses_is_not_destroyed) {
  (void)prepare("x", {"a 2g.20gb@0"});
  keeper_->release("x");
  state_->add("busy 0 1");
  const auto refused = keeper_->prepare("y", wish({"a 3g.40gb@0"}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::Conflict);
  EXPECT_THAT(refused.error().message,
              HasSubstr("GPU-a/2g.20gb@0 is in the way: destroying a compute instance"));
  state_->remove("busy");
  EXPECT_THAT(prepare("y", {"a 3g.40gb@0"}), ElementsAre("MIG-GPU-a-2"));
}

TEST_F(MigKeeperTest, a_gpu_with_devices_of_others_is_used_as_it_is) {
  state_->add("gi 0 5 14 0 90 1");
  state_->add("gi 0 6 14 2 91 2");
  const auto gpus = survey();
  EXPECT_EQ(gpus[0].gpu.mig, wire::MigMode::Fixed);
  EXPECT_EQ(gpus[0].gpu.mig_devices, (std::vector<wire::MigDevice>{{"MIG-GPU-a-90", "2g.20gb", 0},
                                                                   {"MIG-GPU-a-91", "1c.2g.20gb", 2}}));
  EXPECT_EQ(gpus[1].gpu.mig, wire::MigMode::Dynamic);
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("that this agent did not make")));
  EXPECT_THAT(prepare("x", {"a MIG-GPU-a-90"}), ElementsAre("MIG-GPU-a-90"));
  EXPECT_THAT(prepare("y", {"a MIG-GPU-a-77"}), ElementsAre("MIG device MIG-GPU-a-77 is not there any more"));
}

TEST_F(MigKeeperTest, devices_that_others_made_meanwhile_are_never_destroyed) {
  (void)prepare("x", {"a 1g.10gb@6"});
  state_->add("gi 0 5 14 0 90 1");
  EXPECT_THAT(
      prepare("y", {"a 3g.40gb@0"}),
      ElementsAre("GPU GPU-a has a MIG device that this agent did not make: 2g.20gb at memory slice 0"));
  EXPECT_THAT(prepare("y", {"a 2g.20gb@0"}), ElementsAre(HasSubstr("did not make"))) << "not even the same";
  const auto gpus = survey();
  EXPECT_EQ(gpus[0].gpu.mig, wire::MigMode::Fixed);
  EXPECT_EQ(gpus[0].gpu.mig_devices,
            (std::vector<wire::MigDevice>{{"MIG-GPU-a-90", "2g.20gb", 0}, {"GPU-a/1g.10gb@6", "1g.10gb", 6}}))
      << "own ones keep the names under which runs hold them";
  EXPECT_THAT(prepare("x", {"a 1g.10gb@6"}), ElementsAre("MIG-GPU-a-1"));
}

TEST_F(MigKeeperTest, the_next_agent_knows_its_own) {
  (void)prepare("x", {"a 2g.20gb@0", "a 2g.20gb@2"});
  keeper_ = make();
  keeper_->hold("x", wish({"a 2g.20gb@0"}));
  EXPECT_EQ(survey()[0].gpu.mig, wire::MigMode::Dynamic);
  EXPECT_THAT(prepare("y", {"a 3g.40gb@0"}),
              ElementsAre(HasSubstr("a run still has 2g.20gb at memory slice 0")));
  EXPECT_THAT(prepare("y", {"a 1g.10gb@2"}), ElementsAre("MIG-GPU-a-3"));
  EXPECT_THAT(state_->instances(), ElementsAre("a 1g.10gb@2 MIG-GPU-a-3", "a 2g.20gb@0 MIG-GPU-a-1"));
}

TEST_F(MigKeeperTest, after_a_reboot_devices_are_made_again) {
  (void)prepare("x", {"a 2g.20gb@0"});
  state_->remove("gi");
  keeper_ = make(true, false, "next boot");
  EXPECT_THAT(prepare("y", {"a 2g.20gb@0"}), ElementsAre("MIG-GPU-a-2"));
  // What is there of the same place and number after a boot is somebody else's.
  keeper_ = make(true, false, "third boot");
  EXPECT_EQ(survey()[0].gpu.mig, wire::MigMode::Fixed);
}

TEST_F(MigKeeperTest, a_failure_leaves_nothing_behind) {
  state_->add("fail nvmlGpuInstanceCreateComputeInstance 999");
  EXPECT_THAT(prepare("x", {"a 2g.20gb@0"}), ElementsAre(HasSubstr("making 2g.20gb at memory slice 0")));
  EXPECT_THAT(state_->instances(), IsEmpty());
  state_->remove("fail");
  EXPECT_THAT(prepare("y", {"a 2g.20gb@0", "a 2g.20gb@1"}),
              ElementsAre("the driver has no place for 2g.20gb at memory slice 1"));
  EXPECT_THAT(prepare("z", {"a 2g.20gb@0"}), ElementsAre("MIG-GPU-a-1")) << "y holds nothing";
  const auto unknown = keeper_->prepare("u", wish({"b 9g.90gb@0"}));
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, Code::InvalidArgument) << "no other node will do better";
  EXPECT_THAT(unknown.error().message, HasSubstr("no MIG profile 9g.90gb, but 1g.10gb, 2g.20gb"));
}

TEST_F(MigKeeperTest, without_the_right_to_change_layouts_no_plans_are_taken) {
  state_->add("gi 0 5 14 0 90 1");
  keeper_ = make(false);
  const auto gpus = survey();
  EXPECT_EQ(gpus[0].gpu.mig_devices.size(), 1u);
  EXPECT_EQ(gpus[1].gpu.mig, wire::MigMode::Fixed);
  EXPECT_THAT(gpus[1].gpu.mig_devices, IsEmpty());
  EXPECT_THAT(warnings_.back(), HasSubstr("no MIG devices are made on GPU-b: that needs root"));
}

TEST_F(MigKeeperTest, a_driver_that_refuses_the_right_is_believed) {
  EXPECT_EQ(survey()[0].gpu.mig, wire::MigMode::Dynamic);
  state_->add("fail nvmlDeviceCreateGpuInstanceWithPlacement 4");
  EXPECT_THAT(prepare("x", {"a 2g.20gb@0"}), ElementsAre(HasSubstr("Insufficient Permissions")));
  EXPECT_EQ(survey()[0].gpu.mig, wire::MigMode::Fixed);
}

TEST_F(MigKeeperTest, instances_that_may_not_be_listed_leave_what_was_found_without_that) {
  state_->add("fail nvmlDeviceGetGpuInstances 4");
  keeper_ = make(false);
  std::vector<GpuDevice> gpus{gpu("a")};
  gpus[0].gpu.mig = wire::MigMode::Fixed;
  gpus[0].gpu.mig_devices = {{"MIG-GPU-a-90", "2g.20gb", 0}};
  (void)keeper_->survey(gpus);
  EXPECT_EQ(gpus[0].gpu.mig, wire::MigMode::Fixed);
  EXPECT_EQ(gpus[0].gpu.mig_devices.size(), 1u);
}

TEST_F(MigKeeperTest, mig_is_switched_on_only_where_that_is_asked) {
  state_->remove("gpu");
  state_->add("gpu GPU-a 0 0");
  state_->add("gpu GPU-b 0 0");
  EXPECT_EQ(survey()[0].gpu.mig, wire::MigMode::Off);
  EXPECT_THAT(prepare("x", {"a 2g.20gb@0"}), ElementsAre("MIG is switched off on GPU GPU-a"));
  keeper_ = make(true, true);
  EXPECT_EQ(survey()[0].gpu.mig, wire::MigMode::Dynamic);
  EXPECT_TRUE(state_->has("gpu GPU-a 1 1"));
  EXPECT_THAT(prepare("x", {"a 2g.20gb@0"}), ElementsAre("MIG-GPU-a-1"));
}

TEST_F(MigKeeperTest, a_gpu_that_needs_a_reset_serves_as_a_whole_and_says_so) {
  state_->remove("gpu");
  state_->add("gpu GPU-a 0 0");
  state_->add("gpu GPU-b 0 0");
  state_->add("mig 16");
  keeper_ = make(true, true);
  EXPECT_EQ(survey()[0].gpu.mig, wire::MigMode::Off);
  EXPECT_THAT(warnings_[0], HasSubstr("comes into force when the GPU is reset"));
  state_->remove("mig");
  state_->add("mig 19");
  EXPECT_EQ(survey()[0].gpu.mig, wire::MigMode::Off);
  EXPECT_THAT(warnings_[0], HasSubstr("In use by another client"));
  keeper_ = make(false, true);
  EXPECT_EQ(survey()[0].gpu.mig, wire::MigMode::Off);
  EXPECT_THAT(warnings_[0], HasSubstr("switching MIG on needs root"));
}

// Killed before or after everything that changes the GPU: the next agent knows what is its own and goes on;
// what others made is not touched.
TEST_F(MigKeeperTest, a_kill_at_any_call_of_the_driver_is_survived) {
  for (const std::string function :
       {"nvmlDeviceCreateGpuInstanceWithPlacement", "nvmlGpuInstanceGetInfo",
        "nvmlGpuInstanceCreateComputeInstance", "nvmlDeviceGetMigDeviceHandleByIndex",
        "nvmlComputeInstanceDestroy", "nvmlGpuInstanceDestroy"})
    for (const std::string when : {"before", "after"}) {
      if (when == "after" && function.contains("Get")) continue;  // those change nothing
      SCOPED_TRACE(function + " " + when);
      ASSERT_TRUE(rt::remove_tree(dir_ + "/mig.json"));
      state_.reset();
      state_.emplace(dir_);
      keeper_ = make();
      (void)prepare("x", {"a 2g.20gb@0", "a 1g.10gb@6"});
      keeper_->release("x");
      keeper_->hold("y", wish({"a 1g.10gb@6"}));
      state_->add("gi 1 9 14 0 90 1");
      const pid_t child = ::fork();
      if (child == 0) {
        state_->add("die " + function + ' ' + when);
        (void)prepare("z", {"a 3g.40gb@0"});
        ::_exit(0);
      }
      int status = 0;
      ASSERT_EQ(::waitpid(child, &status, 0), child);
      ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << "the call was never made";

      keeper_ = make();
      keeper_->hold("y", wish({"a 1g.10gb@6"}));
      const auto gpus = survey();
      EXPECT_EQ(gpus[0].gpu.mig, wire::MigMode::Dynamic) << "everything there is its own";
      EXPECT_EQ(gpus[1].gpu.mig, wire::MigMode::Fixed);
      EXPECT_EQ(prepare("z", {"a 3g.40gb@0"}).front().substr(0, 10), "MIG-GPU-a-");
      const Lines all = state_->instances();
      ASSERT_EQ(all.size(), 3u);
      EXPECT_EQ(all[0], "a 1g.10gb@6 MIG-GPU-a-2");
      EXPECT_TRUE(all[1].starts_with("a 3g.40gb@0 MIG-"));
      EXPECT_EQ(all[2], "b 2g.20gb@0 MIG-GPU-b-90");
    }
}

// ---- on a thread of its own ----

TEST_F(MigKeeperTest, what_others_do_is_noticed_without_a_plan_that_fails) {
  Inbox inbox;
  MigDevices::Survey found;
  auto devices = MigDevices::create(
      {dir_, "boot", true, false, milliseconds(1), std::string(STOKER_TEST_DRIVER) + "/libnvidia-ml.so.1"},
      {gpu("a"), gpu("b")}, seconds(10), inbox, found);
  ASSERT_TRUE(devices) << devices.error().message;
  EXPECT_EQ(found.gpus[0].gpu.mig, wire::MigMode::Dynamic);
  state_->add("gi 0 5 14 0 90 1");
  std::vector<Input> inputs;
  while (inputs.empty()) {
    pollfd waiting{inbox.fd(), POLLIN, 0};
    const bool there = inbox.arm();
    ASSERT_TRUE(there || ::poll(&waiting, 1, 20'000) == 1);
    inbox.disarm();
    inbox.take_all(inputs);
  }
  const auto* changed = std::get_if<GpusChanged>(&inputs[0]);
  ASSERT_NE(changed, nullptr);
  EXPECT_EQ(changed->gpus[0].gpu.mig, wire::MigMode::Fixed);
  EXPECT_EQ(changed->gpus[1].gpu.mig, wire::MigMode::Dynamic);
}

TEST_F(MigKeeperTest, a_driver_that_fails_at_the_start_is_said_so) {
  state_->add("fail nvmlInit_v2 9");
  Inbox inbox;
  MigDevices::Survey found;
  const auto devices = MigDevices::create(
      {dir_, "boot", true, false, minutes(1), std::string(STOKER_TEST_DRIVER) + "/libnvidia-ml.so.1"},
      {gpu("a")}, seconds(10), inbox, found);
  ASSERT_FALSE(devices);
  EXPECT_EQ(devices.error().code, Code::NotFound);
}

// ---- the right to use devices ----

TEST_F(MigKeeperTest, a_run_may_open_its_own_instances_only) {
  ASSERT_TRUE(rt::make_directories(dir_ + "/proc/driver/nvidia-caps"));
  ASSERT_TRUE(rt::write_file_atomically(
      dir_ + "/proc/devices",
      "Character devices:\n  1 mem\n195 nvidia\n237 nvidia-caps\n\nBlock devices:\n"));
  ASSERT_TRUE(rt::write_file_atomically(
      dir_ + "/proc/driver/nvidia-caps/mig-minors",
      "config 1\nmonitor 2\ngpu0/gi1/access 12\ngpu0/gi1/ci0/access 13\ngpu0/gi1/ci1/access 14\n"
      "gpu0/gi2/access 21\ngpu0/gi2/ci0/access 22\ngpu1/gi1/access 30\nbroken\ngpu0/gi/access 7\n"));
  const auto table = MigCapabilities::read(dir_ + "/proc");
  const auto minors = [&](const std::vector<GpuDevice>& gpus) {
    std::vector<std::uint32_t> out;
    for (const DeviceNumber& it : table.denied(gpus)) {
      EXPECT_EQ(it.major, 237u);
      out.push_back(it.minor);
    }
    return out;
  };
  GpuDevice part = gpu("a", "MIG-1");
  part.gpu_instance = 1;
  part.compute_instance = 0;
  EXPECT_THAT(minors({}), ElementsAre(1u)) << "nobody changes layouts";
  EXPECT_THAT(minors({gpu("a")}), ElementsAre(1u));
  EXPECT_THAT(minors({part}), ElementsAre(1u, 14u, 21u, 22u));
  GpuDevice other = part;
  other.gpu_instance = 2;
  EXPECT_THAT(minors({part, other}), ElementsAre(1u, 14u));
  EXPECT_THAT(MigCapabilities::read(dir_ + "/nowhere").denied({part}), IsEmpty());
}

}  // namespace
}  // namespace stoker::agent
