// From a run to a container: every member of containerProperties, GPUs, limits.
#include "agent/container_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "agent/container_cgroup.h"
#include "rt/file.h"

namespace stoker::agent {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

RunSpec a_run(std::string_view container = "{}") {
  RunSpec spec;
  spec.run.token = std::string(32, 'a');
  spec.run.job_id = "job";
  spec.run.image = "busybox";
  spec.run.cpus_milli = 2500;
  spec.run.memory_mib = 100;
  spec.run.log_bytes_max = 1 << 20;
  spec.run.container = std::make_shared<const json::Value>(json::parse(container).value());
  return spec;
}
GpuDevice a_gpu(const std::string& uuid, int minor = 0) {
  return {.gpu = {uuid, "A10G", 24'000}, .minor = minor, .pci_bus_id = "0"};
}
json::Value docker(std::string_view container) {
  return to_docker(plan_container(a_run(container), {}).value());
}
std::string host_member(std::string_view container, std::string_view name) {
  const auto body = docker(container);
  const auto* found = json::find(body.as_object().at("HostConfig"), name);
  return found == nullptr ? "" : json::write(*found);
}

TEST(ContainerPlan, MapsEachMemberOfContainerProperties) {
  struct Row {
    const char* rule;
    const char* container;
    const char* member;
    const char* expected;
  };
  const std::vector<Row> rows = {
      {"vCPUs are shares", "{}", "CpuShares", "2560"},
      {"memory is a hard limit", "{}", "Memory", "104857600"},
      {"swap is as much again by default", "{}", "MemorySwap", "209715200"},
      {"maxSwap 0 is no swap", R"({"linuxParameters":{"maxSwap":0}})", "MemorySwap", "104857600"},
      {"maxSwap counts on top", R"({"linuxParameters":{"maxSwap":1}})", "MemorySwap", "105906176"},
      {"swappiness alone is ignored", R"({"linuxParameters":{"swappiness":7}})", "MemorySwappiness", ""},
      {"privileged", R"({"privileged":true})", "Privileged", "true"},
      {"not privileged", "{}", "Privileged", ""},
      {"read-only root", R"({"readonlyRootFilesystem":true})", "ReadonlyRootfs", "true"},
      {"init", R"({"linuxParameters":{"initProcessEnabled":true}})", "Init", "true"},
      {"shared memory in MiB", R"({"linuxParameters":{"sharedMemorySize":3}})", "ShmSize", "3145728"},
      {"tmpfs with options",
       R"({"linuxParameters":{"tmpfs":[{"containerPath":"/s","size":8,"mountOptions":["noexec","ro"]}]}})",
       "Tmpfs", R"({"/s":"size=8m,noexec,ro"})"},
      {"a device with all rights under its own name",
       R"({"linuxParameters":{"devices":[{"hostPath":"/dev/fuse"}]}})", "Devices",
       R"([{"PathOnHost":"/dev/fuse","PathInContainer":"/dev/fuse","CgroupPermissions":"rwm"}])"},
      {"a device with some rights under another name",
       R"({"linuxParameters":{"devices":[{"hostPath":"/dev/a","containerPath":"/dev/b","permissions":["READ","MKNOD"]}]}})",
       "Devices", R"([{"PathOnHost":"/dev/a","PathInContainer":"/dev/b","CgroupPermissions":"rm"}])"},
      {"ulimits", R"({"ulimits":[{"name":"nofile","softLimit":10,"hardLimit":20}]})", "Ulimits",
       R"([{"Name":"nofile","Soft":10,"Hard":20}])"},
      {"a folder of the node", R"({"volumes":[{"name":"v","host":{"sourcePath":"/data"}}],
        "mountPoints":[{"sourceVolume":"v","containerPath":"/d","readOnly":true}]})",
       "Binds", R"(["/data:/d:ro"])"},
      {"a folder with a colon", R"({"volumes":[{"name":"v","host":{"sourcePath":"/da:ta"}}],
        "mountPoints":[{"sourceVolume":"v","containerPath":"/d"}]})",
       "Mounts", R"([{"Type":"bind","Source":"/da:ta","Target":"/d","ReadOnly":false}])"},
      {"one anonymous volume at two places", R"({"volumes":[{"name":"v","host":{}}],
        "mountPoints":[{"sourceVolume":"v","containerPath":"/a"},{"sourceVolume":"v","containerPath":"/b"}]})",
       "Binds",
       R"(["stoker-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-v:/a","stoker-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-v:/b"])"},
      {"a log that can be followed and is bounded", R"({"logConfiguration":{"logDriver":"syslog"}})",
       "LogConfig", R"({"Type":"json-file","Config":{"max-size":"2097152"}})"},
  };
  for (const auto& row : rows) EXPECT_EQ(host_member(row.container, row.member), row.expected) << row.rule;
  EXPECT_EQ(json::get_string(docker(R"({"user":"1000:50"})"), "User"), "1000:50");
}

TEST(ContainerPlan, TheCommandIsTheImagesOwnWhenThereIsNone) {
  auto spec = a_run();
  EXPECT_EQ(json::find(to_docker(plan_container(spec, {}).value()), "Cmd"), nullptr);
  spec.run.command = {"echo", "a b"};
  EXPECT_EQ(json::write(to_docker(plan_container(spec, {}).value()).as_object().at("Cmd")),
            R"(["echo","a b"])");
}

TEST(ContainerPlan, AJobWithoutGpusIsToldSoWhateverItAsksFor) {
  auto spec = a_run();
  spec.run.environment = {{"A", "b=c"}, {"NVIDIA_VISIBLE_DEVICES", "all"}};
  EXPECT_EQ(json::write(to_docker(plan_container(spec, {}).value()).as_object().at("Env")),
            R"(["A=b=c","NVIDIA_VISIBLE_DEVICES=void"])");
}

TEST(ContainerPlan, WhatThisNodeCannotMountIsRefused) {
  const auto efs =
      plan_container(a_run(R"({"volumes":[{"name":"v","efsVolumeConfiguration":{"fileSystemId":"fs-1"}}],
      "mountPoints":[{"sourceVolume":"v","containerPath":"/d"}]})"),
                     {});
  ASSERT_FALSE(efs);
  EXPECT_THAT(efs.error().message, HasSubstr("efsVolumeConfiguration"));
  EXPECT_FALSE(plan_container(a_run(R"({"mountPoints":[{"sourceVolume":"x","containerPath":"/d"}]})"), {}));
}

TEST(ContainerPlan, MembersOfTheWrongTypeAreLikeNone) {
  for (const char* bad : {R"({"volumes":7,"mountPoints":{},"ulimits":"x","linuxParameters":[]})",
                          R"({"volumes":[7],"ulimits":[7],"linuxParameters":{"devices":[1],"tmpfs":[null]}})",
                          "[]", "7", "null"})
    EXPECT_TRUE(plan_container(a_run(bad), {})) << bad;
}

TEST(ContainerPlan, PodmanWithoutTheRightToRaiseLimitsGetsAllOfThemWithinOurs) {
  NodeFacts facts;
  facts.engine.podman = true;
  facts.rlimits_max = {{"nofile", 4096}, {"nproc", -1}, {"memlock", 64}};
  auto spec = a_run(R"({"ulimits":[{"name":"nofile","softLimit":100,"hardLimit":9999}]})");
  spec.gpus = {a_gpu("GPU-pretended-0", -1)};
  EXPECT_THAT(
      plan_container(spec, facts)->ulimits,
      testing::UnorderedElementsAre(Ulimit{"nofile", 100, 4096}, Ulimit{"nproc", 1'048'576, 1'048'576},
                                    Ulimit{"memlock", 64, 64}, Ulimit{"stack", 64 << 20, 64 << 20}));
  facts.rlimits_max.clear();
  EXPECT_THAT(plan_container(a_run(), facts)->ulimits, testing::IsEmpty());
}

TEST(ContainerPlan, OnlyAPodmanThatNamesCgroupsByPathGetsOneOfOurs) {
  NodeFacts facts;
  facts.engine.podman = facts.engine.cgroupfs = true;
  EXPECT_EQ(plan_container(a_run(), facts)->cgroup_parent, "/stoker/" + std::string(32, 'a'));
  facts.engine.rootless = true;
  EXPECT_EQ(plan_container(a_run(), facts)->cgroup_parent, "");
  EXPECT_EQ(plan_container(a_run(), {})->cgroup_parent, "");
}

TEST(ContainerPlan, TheLibpodDialectSaysTheSame) {
  NodeFacts facts;
  facts.engine.podman = facts.engine.cdi = true;
  facts.cdi_devices = {{"GPU-1", "nvidia.com/gpu=GPU-1"}};
  auto spec = a_run(R"({"user":"7","privileged":true,"ulimits":[{"name":"core","softLimit":0,"hardLimit":-1}],
      "volumes":[{"name":"v","host":{"sourcePath":"/data"}},{"name":"w","host":{}}],
      "mountPoints":[{"sourceVolume":"v","containerPath":"/d","readOnly":true},{"sourceVolume":"w","containerPath":"/w"}],
      "linuxParameters":{"initProcessEnabled":true,"sharedMemorySize":3,"tmpfs":[{"containerPath":"/s","size":8}],
      "devices":[{"hostPath":"/dev/fuse","permissions":["READ"]}],"maxSwap":0}})");
  spec.gpus = {a_gpu("GPU-1")};
  const auto plan = plan_container(spec, facts).value();
  EXPECT_EQ(dialect_of(plan, facts.engine), Engine::Dialect::Libpod);
  const auto text = json::write(to_libpod(plan));
  for (const char* part :
       {R"("devices":[{"path":"/dev/fuse:/dev/fuse:r"},{"path":"nvidia.com/gpu=GPU-1"}])", R"("user":"7")",
        R"("privileged":true)", R"("init":true)", R"("shm_size":3145728)",
        R"({"type":"bind","source":"/data","destination":"/d","options":["rbind","ro"]})",
        R"({"type":"tmpfs","source":"tmpfs","destination":"/s","options":["size=8m"]})",
        R"("volumes":[{"Name":"stoker-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-w","Dest":"/w","Options":[]}])",
        R"({"type":"CORE","soft":0,"hard":18446744073709551615})",
        R"("resource_limits":{"memory":{"limit":104857600,"swap":104857600},"cpu":{"shares":2560}})",
        R"("NVIDIA_VISIBLE_DEVICES":"void")"})
    EXPECT_THAT(text, HasSubstr(part));
}

CdiDevices listed(const std::vector<std::string>& names) {
  CdiDevices out;
  for (const auto& name : names) out[name] = "nvidia.com/gpu=" + name;
  return out;
}

TEST(GpuAccess, CdiFirstThenTheRuntimeThenAClearNo) {
  EngineInfo engine;
  engine.cdi = engine.nvidia_runtime = true;
  const std::vector<GpuDevice> gpus = {a_gpu("GPU-1"), a_gpu("GPU-2")};
  const auto cdi = choose_gpu_access(gpus, engine, listed({"0", "GPU-1", "GPU-2"})).value();
  EXPECT_THAT(cdi.cdi_names, ElementsAre("nvidia.com/gpu=GPU-1", "nvidia.com/gpu=GPU-2"));
  EXPECT_EQ(cdi.visible_devices, "void");
  const auto runtime = choose_gpu_access(gpus, engine, listed({"GPU-1"})).value();
  EXPECT_TRUE(runtime.nvidia_runtime && runtime.cdi_names.empty());
  EXPECT_EQ(runtime.visible_devices, "GPU-1,GPU-2");
  engine.nvidia_runtime = false;
  const auto refused = choose_gpu_access(gpus, engine, listed({"GPU-1"}));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("no CDI specification lists GPU-1,GPU-2"));
}

TEST(GpuAccess, PretendedGpusAreNamesOnly) {
  const auto access = choose_gpu_access({a_gpu("GPU-pretended-0", -1)}, {}, {}).value();
  EXPECT_EQ(access.cuda_visible_devices, "GPU-pretended-0");
  EXPECT_EQ(access.visible_devices, "GPU-pretended-0");
  EXPECT_FALSE(access.nvidia_runtime);
}

class Folder : public testing::Test {
 protected:
  Folder() : path_(rt::make_temporary_directory("/tmp/stoker-plan-").value()) {}
  ~Folder() override { (void)rt::remove_tree(path_); }
  void write(const std::string& name, std::string_view text) {
    ASSERT_TRUE(rt::make_directories((path_ + "/" + name).substr(0, (path_ + "/" + name).rfind('/'))));
    ASSERT_TRUE(rt::write_file_atomically(path_ + "/" + name, text));
  }
  std::string path_;
};

TEST_F(Folder, CdiSpecificationsAreReadInJsonAndYaml) {
  write("a.json",
        R"({"cdiVersion":"0.5.0","kind":"nvidia.com/gpu","devices":[{"name":"0"},{"name":"GPU-json"},{}]})");
  write("b.yaml",
        "---\ncdiVersion: 0.5.0\ncontainerEdits:\n  hooks:\n  - hookName: createContainer\ndevices:\n"
        "- containerEdits:\n    deviceNodes:\n    - path: /dev/nvidia0\n  name: \"1\"\n- name: GPU-yaml\n"
        "kind: nvidia.com/gpu\n");
  write("c.yaml", "kind: other.com/gpu\ndevices:\n- name: GPU-other\n");
  write("d.json", "{not json");
  write("e.json", R"({"kind":"nvidia.com/gpu","devices":{"name":"GPU-no-list"}})");
  write("f.txt", R"({"kind":"nvidia.com/gpu","devices":[{"name":"GPU-text"}]})");
  EXPECT_THAT(
      cdi_gpus({path_, path_ + "/missing"}),
      testing::ElementsAre(testing::Pair("0", "nvidia.com/gpu=0"), testing::Pair("1", "nvidia.com/gpu=1"),
                           testing::Pair("GPU-json", "nvidia.com/gpu=GPU-json"),
                           testing::Pair("GPU-yaml", "nvidia.com/gpu=GPU-yaml")));
}

// The tool is NVIDIA's; this one writes down what it was told, as a specification.
TEST_F(Folder, ASpecificationIsMadeForMigDevicesThatNoneLists) {
  write("nvidia.yaml", "kind: nvidia.com/gpu\ndevices:\n- name: GPU-1\n");
  write("tool", "#!/bin/sh\n[ \"$1 $2 $5\" = \"cdi generate --output=" + path_ +
                    "/own.yaml\" ] || exit 1\n(echo \"kind: ${3#--vendor=}/${4#--class=}\"; echo devices:; "
                    "echo '- name: GPU-1'; echo '- name: MIG-1') > " +
                    path_ + "/own.yaml\n");
  ASSERT_EQ(::chmod((path_ + "/tool").c_str(), 0755), 0);
  EngineInfo engine;
  engine.cdi = engine.podman = true;
  std::vector<GpuDevice> gpus = {a_gpu("GPU-1")};
  EXPECT_FALSE(wants_fresh_cdi(gpus, engine, {})) << "whole GPUs do not come and go";
  gpus[0].mig_device = "MIG-1";
  EXPECT_TRUE(wants_fresh_cdi(gpus, engine, cdi_gpus({path_})));
  ASSERT_TRUE(refresh_cdi(path_ + "/tool", path_ + "/own.yaml"));
  EXPECT_FALSE(wants_fresh_cdi(gpus, engine, cdi_gpus({path_})));
  EXPECT_THAT(choose_gpu_access(gpus, engine, cdi_gpus({path_}))->cdi_names,
              testing::ElementsAre("stoker.local/gpu=MIG-1"));
  EXPECT_EQ(cdi_gpus({path_}).at("GPU-1"), "nvidia.com/gpu=GPU-1") << "the node's own comes first";
  EXPECT_EQ(refresh_cdi(path_ + "/tool", "/elsewhere").error().code, Code::Unavailable);
  EXPECT_EQ(refresh_cdi(path_ + "/none", "/elsewhere").error().code, Code::NotFound);
  engine.podman = false;
  engine.nvidia_runtime = true;
  EXPECT_FALSE(wants_fresh_cdi(gpus, engine, {})) << "the runtime finds them by itself";
}

TEST_F(Folder, MemoryKillsAreSeenInBothGenerationsOfCgroups) {
  EXPECT_FALSE(cgroup_saw_memory_kill("/stoker/x", 64, path_));
  write("stoker/x/memory.events", "low 0\noom 1\noom_kill 0\n");
  EXPECT_FALSE(cgroup_saw_memory_kill("/stoker/x", 64, path_));
  write("stoker/x/memory.events", "low 0\noom 1\noom_kill 1\n");
  EXPECT_TRUE(cgroup_saw_memory_kill("/stoker/x", 64, path_));
  write("memory/stoker/y/memory.max_usage_in_bytes", std::to_string(62 << 20));
  EXPECT_FALSE(cgroup_saw_memory_kill("/stoker/y", 64, path_));
  write("memory/stoker/y/memory.max_usage_in_bytes", std::to_string((64 << 20) - 4096));
  EXPECT_TRUE(cgroup_saw_memory_kill("/stoker/y", 64, path_));
  EXPECT_FALSE(cgroup_saw_memory_kill("", 64, path_));
}

}  // namespace
}  // namespace stoker::agent
