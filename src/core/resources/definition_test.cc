#include "core/resources/definition_rules.h"
#include "core/resources/limits.h"
#include "core/resources/testing.h"

namespace stoker::core {
namespace {

using namespace testing;

std::string ask(const std::string& text) {
  return complaint(read_definition("d", 1, doc(text), {}));
}

std::string with_requirements(std::string_view list, std::string_view more = "", std::string_view top = "") {
  return R"({"type":"container","containerProperties":{"image":"busybox","resourceRequirements":[)" +
         std::string(list) + "]" + std::string(more) + "}" + std::string(top) + "}";
}

std::string fargate(std::string_view cpus, std::string_view memory, std::string_view more = "") {
  return with_requirements(R"({"type":"VCPU","value":")" + std::string(cpus) +
                               R"("},{"type":"MEMORY","value":")" + std::string(memory) + R"("})",
                           R"(,"executionRoleArn":"arn:aws:iam::1:role/x")" + std::string(more),
                           R"(,"platformCapabilities":["FARGATE"])");
}

constexpr std::string_view kCpu = R"({"type":"VCPU","value":"1"})";
constexpr std::string_view kMemory = R"({"type":"MEMORY","value":"64"})";
std::string amounts_and(std::string_view more) {
  return std::string(kCpu) + "," + std::string(kMemory) + "," + std::string(more);
}

TEST(Definition, has_exactly_one_kind_of_properties) {
  check_rules(
      {
          {"containerProperties alone are a container", container_definition(), ""},
          {"a container needs some properties", R"({"type":"container"})", "exactly one of"},
          {"two kinds cannot be mixed", container_definition("", R"(,"ecsProperties":{"taskProperties":[]})"),
           "exactly one of"},
          {"nodeProperties are for type multinode", container_definition("", R"(,"nodeProperties":{})"),
           "only for type multinode"},
          {"type multinode needs nodeProperties", R"({"type":"multinode"})",
           "is required for type multinode"},
          {"type multinode takes nothing else",
           R"({"type":"multinode","nodeProperties":{},"containerProperties":{"image":"a"}})",
           "only properties"},
      },
      ask);
}

TEST(Definition, asks_for_cpus_memory_and_gpus) {
  check_rules(
      {
          {"VCPU is required", with_requirements(kMemory), "VCPU is required"},
          {"MEMORY is required", with_requirements(kCpu), "MEMORY is required"},
          {"the older members do as well",
           R"({"type":"container","containerProperties":{"image":"a","vcpus":1,"memory":4}})", ""},
          {"one in each form is fine", with_requirements(kCpu, R"(,"memory":64)"), ""},
          {"VCPU in both forms is not",
           with_requirements(amounts_and("").substr(0, kCpu.size() + 1 + kMemory.size()), R"(,"vcpus":1)"),
           "VCPU must be given once"},
          {"MEMORY in both forms is not",
           with_requirements(std::string(kCpu) + "," + std::string(kMemory), R"(,"memory":64)"),
           "MEMORY must be given once"},
          {"a type cannot be given twice", with_requirements(amounts_and(kCpu)), "VCPU must be given once"},
          {"GPU cannot be given twice",
           with_requirements(amounts_and(R"({"type":"GPU","value":"1"},{"type":"GPU","value":"1"})")),
           "GPU must be given once"},
          {"VCPU is a whole number off Fargate",
           with_requirements(R"({"type":"VCPU","value":"2.0"},)" + std::string(kMemory)),
           "VCPU must be a whole number"},
          {"VCPU is at least 1", with_requirements(R"({"type":"VCPU","value":"0"},)" + std::string(kMemory)),
           "VCPU must be a whole number of 1 or more"},
          {"VCPU is no word", with_requirements(R"({"type":"VCPU","value":"many"},)" + std::string(kMemory)),
           "VCPU must be"},
          {"VCPU is bounded",
           with_requirements(R"({"type":"VCPU","value":"99999999999999999999"},)" + std::string(kMemory)),
           "VCPU must be"},
          {"MEMORY is at least 4 MiB",
           with_requirements(std::string(kCpu) + R"(,{"type":"MEMORY","value":"3"})"), "4 or more"},
          {"MEMORY of 4 MiB is enough",
           with_requirements(std::string(kCpu) + R"(,{"type":"MEMORY","value":"4"})"), ""},
          {"the older memory is at least 4 MiB",
           R"({"type":"container","containerProperties":{"image":"a","vcpus":1,"memory":3}})",
           "memory: must be between 4"},
          {"the older vcpus is at least 1",
           R"({"type":"container","containerProperties":{"image":"a","vcpus":0,"memory":4}})",
           "vcpus: must be between 1"},
          {"a share of a GPU is less than one",
           with_requirements(amounts_and(R"({"type":"GPU","value":"1.5"})")), "GPU must be a whole number"},
          {"a share of one GPU is fine", with_requirements(amounts_and(R"({"type":"GPU","value":"0.5"})")),
           ""},
          {"MIG devices are fine", with_requirements(amounts_and(R"({"type":"GPU","value":"3x1g.10gb"})")),
           ""},
          {"MIG profiles have up to seven slices",
           with_requirements(amounts_and(R"({"type":"GPU","value":"8g.80gb"})")),
           "GPU must be a whole number"},
          {"no GPUs are not asked for by 0", with_requirements(amounts_and(R"({"type":"GPU","value":"0"})")),
           "GPU must be a whole number"},
          {"several GPUs are fine", with_requirements(amounts_and(R"({"type":"GPU","value":"8"})")), ""},
          {"there is no other type", with_requirements(amounts_and(R"({"type":"DISK","value":"8"})")),
           "type must be one of"},
      },
      ask);
}

TEST(Definition, on_fargate_has_pairs_of_cpus_and_memory) {
  check_rules(
      {
          {"a quarter of a CPU takes 512 MiB", fargate("0.25", "512"), ""},
          {"a quarter of a CPU takes no more than 2 GiB", fargate("0.25", "4096"), "does not offer"},
          {"half a CPU takes 1 GiB", fargate("0.5", "1024"), ""},
          {"half a CPU takes no 512 MiB", fargate("0.5", "512"), "does not offer"},
          {"1 CPU takes 8 GiB", fargate("1", "8192"), ""},
          {"1 CPU may be written 1.0", fargate("1.0", "8192"), ""},
          {"1 CPU takes steps of 1 GiB", fargate("1", "2500"), "does not offer"},
          {"2 CPUs take 16 GiB", fargate("2", "16384"), ""},
          {"4 CPUs take 30 GiB and no more", fargate("4", "31744"), "does not offer"},
          {"8 CPUs take steps of 4 GiB", fargate("8", "20480"), ""},
          {"8 CPUs take no steps of 1 GiB", fargate("8", "17408"), "does not offer"},
          {"16 CPUs take steps of 8 GiB", fargate("16", "40960"), ""},
          {"3 CPUs are not offered", fargate("3", "8192"), "does not offer"},
          {"there are no GPUs",
           with_requirements(amounts_and(R"({"type":"GPU","value":"1"})"), R"(,"executionRoleArn":"r")",
                             R"(,"platformCapabilities":["FARGATE"])"),
           "GPU not applicable for FARGATE"},
          {"the older members are not for Fargate",
           R"({"type":"container","platformCapabilities":["FARGATE"],"containerProperties":{"image":"a","executionRoleArn":"r","vcpus":1,"memory":2048}})",
           "vcpus: not applicable for FARGATE"},
      },
      ask);
}

TEST(Definition, keeps_ec2_and_fargate_apart) {
  check_rules(
      {
          {"networkConfiguration is for Fargate",
           container_definition(R"(,"networkConfiguration":{"assignPublicIp":"ENABLED"})"),
           "networkConfiguration not applicable for EC2."},
          {"fargatePlatformConfiguration is for Fargate",
           container_definition(R"(,"fargatePlatformConfiguration":{"platformVersion":"LATEST"})"),
           "fargatePlatformConfiguration not applicable for EC2."},
          {"ephemeralStorage is for Fargate", container_definition(R"(,"ephemeralStorage":{"sizeInGiB":30})"),
           "ephemeralStorage not applicable for EC2."},
          {"runtimePlatform is for Fargate",
           container_definition(R"(,"runtimePlatform":{"cpuArchitecture":"ARM64"})"),
           "runtimePlatform not applicable for EC2."},
          {"they are fine there",
           fargate(
               "1", "2048",
               R"(,"networkConfiguration":{"assignPublicIp":"ENABLED"},"ephemeralStorage":{"sizeInGiB":21},"runtimePlatform":{"cpuArchitecture":"ARM64"})"),
           ""},
          {"ephemeral storage is at least 21 GiB",
           fargate("1", "2048", R"(,"ephemeralStorage":{"sizeInGiB":20})"), "between 21 and 200"},
          {"an execution role is required",
           with_requirements(R"({"type":"VCPU","value":"1"},{"type":"MEMORY","value":"2048"})", "",
                             R"(,"platformCapabilities":["FARGATE"])"),
           "executionRoleArn: is required on Fargate"},
          {"nothing is privileged there", fargate("1", "2048", R"(,"privileged":true)"),
           "privileged not applicable for FARGATE"},
          {"there are no ulimits there",
           fargate("1", "2048", R"(,"ulimits":[{"name":"nofile","softLimit":1,"hardLimit":2}])"),
           "ulimits not applicable for FARGATE"},
          {"there are no devices there",
           fargate("1", "2048", R"(,"linuxParameters":{"devices":[{"hostPath":"/dev/x"}]})"),
           "devices not applicable for FARGATE"},
          {"an init process is fine there",
           fargate("1", "2048", R"(,"linuxParameters":{"initProcessEnabled":true})"), ""},
          {"there are no paths of a host there",
           fargate("1", "2048", R"(,"volumes":[{"name":"v","host":{"sourcePath":"/x"}}])"),
           "host.sourcePath not applicable for FARGATE"},
          {"logs go to awslogs or splunk there",
           fargate("1", "2048", R"(,"logConfiguration":{"logDriver":"syslog"})"),
           "logDriver: must be one of awslogs"},
          {"a definition is for one of both",
           container_definition("", R"(,"platformCapabilities":["EC2","FARGATE"])"), "must have one entry"},
          {"instanceType is for multi-node jobs", container_definition(R"(,"instanceType":"p3.2xlarge")"),
           "only for multi-node"},
      },
      ask);
}

TEST(Definition, checks_what_a_container_is_made_of) {
  const auto a = [](std::string_view more) { return container_definition("," + std::string(more)); };
  check_rules(
      {
          {"an image is required",
           R"({"type":"container","containerProperties":{)" + std::string(kAmounts) + "}}",
           "image is required"},
          {"plain processes have the image host",
           R"({"type":"container","containerProperties":{"image":"host",)" + std::string(kAmounts) + "}}",
           ""},
          {"an image may have a registry, a tag and a digest",
           R"({"type":"container","containerProperties":{"image":"r.example:5000/a/b_c:1.2-x@sha256:ab",)" +
               std::string(kAmounts) + "}}",
           ""},
          {"an image has no space",
           R"({"type":"container","containerProperties":{"image":"a b",)" + std::string(kAmounts) + "}}",
           "image: must have up to 255"},
          {"an image is no longer than 255",
           R"({"type":"container","containerProperties":{"image":")" + std::string(256, 'a') + "\"," +
               std::string(kAmounts) + "}}",
           "image: must have up to 255"},
          {"variables of the service are its own",
           a(R"("environment":[{"name":"AWS_BATCH_JOB_ID","value":"x"}])"), "must not begin with AWS_BATCH"},
          {"a variable has a name", a(R"("environment":[{"value":"x"}])"),
           "environment[0]: name is required"},
          {"a name has no equals sign", a(R"("environment":[{"name":"a=b","value":"x"}])"),
           "must not hold '='"},
          {"a variable may be empty", a(R"("environment":[{"name":"A","value":""}])"), ""},
          {"no text holds NUL", a(R"("command":["a\u0000b"])"), "command[0]: must not hold a NUL"},
          {"a secret has a source", a(R"("secrets":[{"name":"S"}])"), "valueFrom is required"},
          {"a secret takes no variable's name",
           a(R"("environment":[{"name":"S","value":"1"}],"secrets":[{"name":"S","valueFrom":"arn"}])"),
           "used by another"},
          {"a mount names a volume", a(R"("mountPoints":[{"sourceVolume":"v","containerPath":"/x"}])"),
           "sourceVolume v is not the name of a volume"},
          {"a mount has a path", a(R"("volumes":[{"name":"v"}],"mountPoints":[{"sourceVolume":"v"}])"),
           "containerPath is required"},
          {"a volume may be anonymous",
           a(R"("volumes":[{"name":"v","host":{}}],"mountPoints":[{"sourceVolume":"v","containerPath":"/x"}])"),
           ""},
          {"a path is mounted once",
           a(R"("volumes":[{"name":"v"}],"mountPoints":[{"sourceVolume":"v","containerPath":"/x"},{"sourceVolume":"v","containerPath":"/x"}])"),
           "used twice"},
          {"volumes have different names", a(R"("volumes":[{"name":"v"},{"name":"v"}])"),
           "the name v is used twice"},
          {"a volume's name is plain", a(R"("volumes":[{"name":"a b"}])"), "1 to 255 letters"},
          {"a host path is absolute", a(R"("volumes":[{"name":"v","host":{"sourcePath":"x"}}])"),
           "must begin with /"},
          {"a volume has one source",
           a(R"("volumes":[{"name":"v","host":{"sourcePath":"/x"},"efsVolumeConfiguration":{"fileSystemId":"f"}}])"),
           "only one of host"},
          {"an access point is used over TLS",
           a(R"("volumes":[{"name":"v","efsVolumeConfiguration":{"fileSystemId":"f","authorizationConfig":{"accessPointId":"p"}}}])"),
           "transitEncryption: must be ENABLED"},
          {"an access point has its own root",
           a(R"("volumes":[{"name":"v","efsVolumeConfiguration":{"fileSystemId":"f","rootDirectory":"/x","transitEncryption":"ENABLED","authorizationConfig":{"accessPointId":"p"}}}])"),
           "rootDirectory: must be absent"},
          {"a port fits 16 bits",
           a(R"("volumes":[{"name":"v","efsVolumeConfiguration":{"fileSystemId":"f","transitEncryptionPort":65536}}])"),
           "between 0 and 65535"},
          {"a limit is known", a(R"("ulimits":[{"name":"files","softLimit":1,"hardLimit":2}])"),
           "must be one of core"},
          {"a limit is given once",
           a(R"("ulimits":[{"name":"core","softLimit":1,"hardLimit":2},{"name":"core","softLimit":1,"hardLimit":2}])"),
           "given twice"},
          {"the soft limit is within the hard one",
           a(R"("ulimits":[{"name":"core","softLimit":3,"hardLimit":2}])"), "not be above hardLimit"},
          {"a limit may be off", a(R"("ulimits":[{"name":"memlock","softLimit":-1,"hardLimit":-1}])"), ""},
          {"swappiness goes to 100", a(R"("linuxParameters":{"swappiness":101})"), "between 0 and 100"},
          {"swap may be 0", a(R"("linuxParameters":{"maxSwap":0,"swappiness":0,"sharedMemorySize":1})"), ""},
          {"shared memory is not 0", a(R"("linuxParameters":{"sharedMemorySize":0})"), "must be 1 or more"},
          {"a tmpfs has a size", a(R"("linuxParameters":{"tmpfs":[{"containerPath":"/t"}]})"),
           "size is required"},
          {"a tmpfs has known options",
           a(R"("linuxParameters":{"tmpfs":[{"containerPath":"/t","size":1,"mountOptions":["fast"]}]})"),
           "fast is no option"},
          {"a tmpfs may have a mode",
           a(R"("linuxParameters":{"tmpfs":[{"containerPath":"/t","size":1,"mountOptions":["mode=1777","noexec"]}]})"),
           ""},
          {"a device is a path", a(R"("linuxParameters":{"devices":[{"hostPath":"fuse"}]})"),
           "must begin with /"},
          {"a user may have a group", a(R"("user":"1000:1000")"), ""},
          {"a user has one group", a(R"("user":"a:b:c")"), "user: must be"},
          {"a log has a driver", a(R"("logConfiguration":{"options":{}})"), "logDriver is required"},
          {"a log driver's secrets have a source",
           a(R"("logConfiguration":{"logDriver":"splunk","secretOptions":[{"name":"t"}]})"),
           "secretOptions[0]: valueFrom"},
      },
      ask);
}

TEST(Definition, retries_time_limits_and_needs_have_bounds) {
  const auto a = [](std::string_view top) { return container_definition("", "," + std::string(top)); };
  const std::string rule = R"({"onReason":"*","action":"EXIT"})";
  check_rules(
      {
          {"10 attempts are the most", a(R"("retryStrategy":{"attempts":10})"), ""},
          {"11 are too many", a(R"("retryStrategy":{"attempts":11})"), "between 1 and 10"},
          {"0 are too few", a(R"("retryStrategy":{"attempts":0})"), "between 1 and 10"},
          {"rules need attempts", a(R"("retryStrategy":{"evaluateOnExit":[)" + rule + "]}"),
           "attempts: is required"},
          {"the usual rule for spot",
           a(R"("retryStrategy":{"attempts":5,"evaluateOnExit":[{"onStatusReason":"Host EC2*","action":"RETRY"},)" +
             rule + "]}"),
           ""},
          {"5 rules are the most",
           a(R"("retryStrategy":{"attempts":5,"evaluateOnExit":[)" + rule + "," + rule + "," + rule + "," +
             rule + "," + rule + "," + rule + "]}"),
           "at most 5"},
          {"an action may be in lower case",
           a(R"("retryStrategy":{"attempts":2,"evaluateOnExit":[{"onExitCode":"1*","action":"exit"}]})"), ""},
          {"an action is known", a(R"("retryStrategy":{"attempts":2,"evaluateOnExit":[{"action":"WAIT"}]})"),
           "must be RETRY or EXIT"},
          {"an exit code is a number",
           a(R"("retryStrategy":{"attempts":2,"evaluateOnExit":[{"onExitCode":"1x","action":"EXIT"}]})"),
           "must consist of digits"},
          {"a pattern has 512 characters at most",
           a(R"("retryStrategy":{"attempts":2,"evaluateOnExit":[{"onReason":")" + std::string(513, 'a') +
             R"(","action":"EXIT"}]})"),
           "at most 512"},
          {"a pattern is printable",
           a(R"("retryStrategy":{"attempts":2,"evaluateOnExit":[{"onReason":"a\u0007","action":"EXIT"}]})"),
           "control characters"},
          {"a time limit is at least a minute", a(R"("timeout":{"attemptDurationSeconds":59})"),
           "timeout.attemptDurationSeconds: must be 60 or more"},
          {"a minute is enough", a(R"("timeout":{"attemptDurationSeconds":60})"), ""},
          {"a priority goes to 9999", a(R"("schedulingPriority":10000)"), "between 0 and 9999"},
          {"5 consumable resources are the most",
           a(R"("consumableResourceProperties":{"consumableResourceList":[{"consumableResource":"a","quantity":1},{"consumableResource":"b","quantity":1},{"consumableResource":"c","quantity":1},{"consumableResource":"d","quantity":1},{"consumableResource":"e","quantity":1},{"consumableResource":"f","quantity":1}]})"),
           "at most 5"},
          {"each is named once, by name or ARN",
           a(R"("consumableResourceProperties":{"consumableResourceList":[{"consumableResource":"a","quantity":1},{"consumableResource":"arn:aws:batch:us-east-1:1:consumable-resource/a","quantity":1}]})"),
           "a is named twice"},
          {"a need is of at least 1",
           a(R"("consumableResourceProperties":{"consumableResourceList":[{"consumableResource":"a","quantity":0}]})"),
           "quantity: must be between 1"},
          {"a definition has at most 24 KiB",
           a(R"("parameters":{"p":")" + std::string(kDefinitionBytesMax, 'x') + "\"}"), "24 KiB"},
      },
      ask);
}

TEST(Definition, of_several_containers_follows_the_rules_of_tasks) {
  const auto task = [](std::string_view containers, std::string_view more = "") {
    return R"({"type":"container","ecsProperties":{"taskProperties":[{"containers":[)" +
           std::string(containers) + "]" + std::string(more) + "}]}}";
  };
  const auto one = [](std::string_view name, std::string_view more = "") {
    return R"({"name":")" + std::string(name) + R"(","image":"a",)" + std::string(kAmounts) +
           std::string(more) + "}";
  };
  std::string eleven = one("c0");
  for (int i = 1; i < 11; ++i) eleven += "," + one("c" + std::to_string(i));
  check_rules(
      {
          {"two containers", task(one("a") + "," + one("b")), ""},
          {"no containers", task(""), "1 to 10 containers"},
          {"eleven containers", task(eleven), "1 to 10 containers"},
          {"two tasks", R"({"type":"container","ecsProperties":{"taskProperties":[{},{}]}})",
           "exactly one entry"},
          {"names differ", task(one("a") + "," + one("a")), "the name a is used twice"},
          {"several containers have names", task(one("a") + "," + one("")), "name is required"},
          {"one is essential", task(one("a", R"(,"essential":false)")),
           "at least one container must be essential"},
          {"starts after another",
           task(one("a") + "," + one("b", R"(,"dependsOn":[{"containerName":"a","condition":"START"}])")),
           ""},
          {"waits for an unknown one",
           task(one("a", R"(,"dependsOn":[{"containerName":"x","condition":"START"}])")),
           "must name another container"},
          {"waits for itself", task(one("a", R"(,"dependsOn":[{"containerName":"a","condition":"START"}])")),
           "must name another container"},
          {"cannot wait for the end of an essential one",
           task(one("a") + "," + one("b", R"(,"dependsOn":[{"containerName":"a","condition":"SUCCESS"}])")),
           "essential container"},
          {"waits for the end of another",
           task(one("a", R"(,"essential":false)") + "," +
                one("b", R"(,"dependsOn":[{"containerName":"a","condition":"COMPLETE"}])")),
           ""},
          {"two wait for each other",
           task(one("a", R"(,"dependsOn":[{"containerName":"b","condition":"START"}])") + "," +
                one("b", R"(,"dependsOn":[{"containerName":"a","condition":"START"}])")),
           "circle"},
          {"start time-out", task(one("a", R"(,"startTimeout":1)")), "must be 2 or more"},
          {"process space", task(one("a"), R"(,"pidMode":"none")"), "pidMode: must be one of host task"},
          {"each asks for memory",
           task(R"({"name":"a","image":"a","resourceRequirements":[{"type":"VCPU","value":"1"}]})"),
           "MEMORY is required"},
          {"mounts volumes of the task",
           task(one("a", R"(,"mountPoints":[{"sourceVolume":"v","containerPath":"/v"}])"),
                R"(,"volumes":[{"name":"v"}])"),
           ""},
          {"platform version is for Fargate", task(one("a"), R"(,"platformVersion":"LATEST")"),
           "platformVersion not applicable for EC2."},
      },
      ask);
}

TEST(Definition, of_a_pod_follows_the_rules_of_kubernetes) {
  const auto pod = [](std::string_view containers, std::string_view more = "", std::string_view top = "") {
    return R"({"type":"container","eksProperties":{"podProperties":{"containers":[)" +
           std::string(containers) + "]" + std::string(more) + "}}" + std::string(top) + "}";
  };
  const auto one = [](std::string_view resources, std::string_view more = "") {
    return R"({"image":"a","resources":)" + std::string(resources) + std::string(more) + "}";
  };
  const std::string small = R"({"limits":{"cpu":"1","memory":"64Mi"}})";
  check_rules(
      {
          {"limits are enough", pod(one(small)), ""},
          {"requests are enough", pod(one(R"({"requests":{"cpu":"0.25","memory":"64Mi"}})")), ""},
          {"no containers", pod(""), "must not be empty"},
          {"cpu is needed", pod(one(R"({"limits":{"memory":"64Mi"}})")), "cpu is required"},
          {"cpu goes by quarters", pod(one(R"({"limits":{"cpu":"0.3","memory":"64Mi"}})")),
           "multiple of 0.25"},
          {"memory is written with Mi", pod(one(R"({"limits":{"cpu":"1","memory":"64M"}})")), "suffix Mi"},
          {"a limit may exceed the request of cpu",
           pod(one(R"({"limits":{"cpu":"2","memory":"64Mi"},"requests":{"cpu":"1","memory":"64Mi"}})")), ""},
          {"it may not be below",
           pod(one(R"({"limits":{"cpu":"1","memory":"64Mi"},"requests":{"cpu":"2"}})")),
           "cpu in limits must not be below"},
          {"memory is equal in both",
           pod(one(R"({"limits":{"cpu":"1","memory":"64Mi"},"requests":{"memory":"32Mi"}})")),
           "memory must be equal"},
          {"GPUs are equal in both",
           pod(one(
               R"({"limits":{"cpu":"1","memory":"64Mi","nvidia.com/gpu":"2"},"requests":{"nvidia.com/gpu":"1"}})")),
           "nvidia.com/gpu must be equal"},
          {"several containers have names", pod(one(small) + "," + one(small)), "name is required"},
          {"a mount names a volume", pod(one(small, R"(,"volumeMounts":[{"name":"v","mountPath":"/v"}])")),
           "v is not the name of a volume"},
          {"a volume has one source", pod(one(small), R"(,"volumes":[{"name":"v"}])"),
           "exactly one of hostPath"},
          {"an empty directory may be in memory",
           pod(one(small), R"(,"volumes":[{"name":"v","emptyDir":{"medium":"Memory"}}])"), ""},
          {"the namespace is not kube-system", pod(one(small), R"(,"metadata":{"namespace":"kube-system"})"),
           "under 64 lower-case"},
          {"the DNS policy is known", pod(one(small), R"(,"dnsPolicy":"None")"), "dnsPolicy: must be one of"},
          {"variables of the service are its own",
           pod(one(small, R"(,"env":[{"name":"AWS_BATCH_X","value":"1"}])")),
           "must not begin with AWS_BATCH"},
          {"platforms are not for pods", pod(one(small), "", R"(,"platformCapabilities":["EC2"])"),
           "not allowed together with eksProperties"},
          {"tags do not propagate to pods", pod(one(small), "", R"(,"propagateTags":true)"),
           "not allowed together with eksProperties"},
      },
      ask);
}

TEST(Definition, of_several_nodes_covers_every_node) {
  const auto nodes = [](std::string_view ranges, int count = 4, int main = 0) {
    return R"({"type":"multinode","nodeProperties":{"numNodes":)" + std::to_string(count) +
           R"(,"mainNode":)" + std::to_string(main) + R"(,"nodeRangeProperties":[)" + std::string(ranges) +
           "]}}";
  };
  const auto range = [](std::string_view target, std::string_view container = R"("image":"a",)") {
    return R"({"targetNodes":")" + std::string(target) + R"(","container":{)" + std::string(container) +
           std::string(kAmounts) + "}}";
  };
  check_rules(
      {
          {"one range for all", nodes(range("0:3")), ""},
          {"an open range", nodes(range("0:")), ""},
          {"two ranges", nodes(range("0") + "," + range("1:")), ""},
          {"a gap", nodes(range("0:1") + "," + range("3:3")), "node 2 is in no range"},
          {"beyond the last node", nodes(range("0:4")), "must be a range of nodes"},
          {"backwards", nodes(range("3:0")), "must be a range of nodes"},
          {"no number", nodes(range("x")), "must be a range of nodes"},
          {"the main node exists", nodes(range("0:"), 4, 4), "less than numNodes"},
          {"a thousand nodes are the most", nodes(range("0:"), 1001), "between 1 and 1000"},
          {"an inner range may leave the image to the outer", nodes(range("0:") + "," + range("2:3", "")),
           ""},
          {"some range names the image", nodes(range("0:1") + "," + range("2:3", "")), "node 2 has no image"},
          {"memory is named for every node",
           nodes(R"({"targetNodes":"0:","container":{"image":"a","vcpus":1}})"), "node 0 has no MEMORY"},
          {"6 groups are too many",
           nodes(range("0:") + "," + range("0") + "," + range("0") + "," + range("0") + "," + range("0") +
                 "," + range("0")),
           "1 to 5 node groups"},
          {"one kind of properties a range", nodes(R"({"targetNodes":"0:"})"), "exactly one of container"},
          {"one instance type for all",
           nodes(range("0:1", R"("image":"a","instanceType":"p3.2xlarge",)") + "," +
                 range("2:", R"("image":"a","instanceType":"p4d.24xlarge",)")),
           "the same instance type"},
      },
      ask);
}

TEST(Definition, is_read_into_what_the_core_acts_on) {
  const auto definition = read_definition("train", 3, doc(R"({"type":"container","parameters":{"lr":"0.1"},
      "schedulingPriority":7,"propagateTags":true,"timeout":{"attemptDurationSeconds":90},
      "retryStrategy":{"attempts":3,"evaluateOnExit":[{"onExitCode":"137","action":"exit"}]},
      "consumableResourceProperties":{"consumableResourceList":[
        {"consumableResource":"arn:aws:batch:us-east-1:000000000000:consumable-resource/b","quantity":2},
        {"consumableResource":"a","quantity":1}]},
      "containerProperties":{"image":"host","command":["a","Ref::lr"],"vcpus":2,
        "environment":[{"name":"A","value":"1"},{"name":"B"},{"name":"A","value":"2"}],
        "resourceRequirements":[{"type":"MEMORY","value":"512"},{"type":"GPU","value":"4"}]}})"),
                                          {{"team", "vision"}});
  ASSERT_TRUE(definition) << complaint(definition);
  EXPECT_EQ(definition->id(), "train:3");
  EXPECT_EQ(definition->kind, DefinitionKind::Container);
  EXPECT_EQ(definition->container.resources, (Resources{.cpus_milli = 2000, .memory_mib = 512, .gpus = 4}));
  EXPECT_EQ(definition->container.command, (std::vector<std::string>{"a", "Ref::lr"}));
  EXPECT_EQ(definition->container.environment,
            (std::vector<std::pair<std::string, std::string>>{{"A", "2"}, {"B", ""}}));
  EXPECT_EQ(
      definition->retry,
      (RetryStrategy{
          .attempts = 3,
          .rules = {{.on_status_reason = {}, .on_reason = {}, .on_exit_code = "137", .retry = false}}}));
  EXPECT_EQ(definition->timeout, seconds(90));
  EXPECT_EQ(definition->scheduling_priority, 7);
  EXPECT_TRUE(definition->propagate_tags);
  EXPECT_FALSE(definition->fargate);
  EXPECT_EQ(definition->consumables, (std::vector<ConsumableNeed>{{"a", 1}, {"b", 2}}));
  EXPECT_EQ(definition->parameters, (std::map<std::string, std::string>{{"lr", "0.1"}}));
}

TEST(Definition, fractions_of_a_cpu_are_read_exactly) {
  const auto definition = read_definition("d", 1, doc(fargate("0.25", "512")), {});
  ASSERT_TRUE(definition) << complaint(definition);
  EXPECT_EQ(definition->container.resources.cpus_milli, 250);
  EXPECT_TRUE(definition->fargate);
}

struct Definitions : ::testing::Test {
  World world;
  Result<Answer> add(const std::string& name, const std::string& text = container_definition()) {
    return register_job_definition(world, Instant{1}, {.name = name, .document = doc(text), .tags = {}});
  }
  Result<Answer> deregister(const std::string& name, int revision, Instant now = {1000}) {
    return deregister_job_definition(world, now, {.name = name, .revision = revision});
  }
  int revision(const Result<Answer>& answer) {
    return answer ? std::get<DefinitionRegistered>(*answer).revision : -1;
  }
};

TEST_F(Definitions, revisions_go_on_after_a_deregistration) {
  EXPECT_EQ(revision(add("d")), 1);
  EXPECT_EQ(revision(add("d")), 2);
  ASSERT_TRUE(deregister("d", 2));
  EXPECT_EQ(world.state.find_definition("d")->revision, 1) << "the latest active one";
  EXPECT_FALSE(world.state.find_definition("d:2")->active);
  EXPECT_EQ(revision(add("d")), 3);
}

TEST_F(Definitions, a_refused_registration_changes_nothing) {
  EXPECT_EQ(complaint(add("d", R"({"type":"container"})")).empty(), false);
  EXPECT_TRUE(world.state.definitions.empty());
  EXPECT_NE(complaint(add("-d")).find("Job definition name should match valid pattern"), std::string::npos);
  EXPECT_EQ(revision(add("d")), 1);
}

TEST_F(Definitions, an_unknown_revision_cannot_be_deregistered) {
  ASSERT_TRUE(add("d"));
  EXPECT_NE(complaint(deregister("d", 2)).find("does not exist"), std::string::npos);
  EXPECT_NE(complaint(deregister("x", 1)).find("does not exist"), std::string::npos);
  EXPECT_TRUE(deregister("d", 1));
  EXPECT_TRUE(deregister("d", 1)) << "twice is once";
}

TEST_F(Definitions, a_deregistered_revision_is_seen_by_the_specs_made_from_it) {
  ASSERT_TRUE(add("d"));
  JobSpec plain;
  plain.definition = world.state.find_definition("d:1");
  JobSpec changed = plain;
  world.spec_index = {{"d:1", &plain}, {"d:1\n{}", &changed}, {"d:11", nullptr}};
  ASSERT_TRUE(deregister("d", 1));
  EXPECT_FALSE(plain.definition->active);
  EXPECT_FALSE(changed.definition->active);
}

TEST_F(Definitions, old_revisions_go_after_180_days_unless_a_job_needs_them) {
  const Instant start{1000};
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(add("d"));
  for (int i = 1; i <= 3; ++i) ASSERT_TRUE(deregister("d", i, start));
  EXPECT_EQ(remove_old_definitions(world, start), start + days(180));
  JobSpec spec;
  world.spec_index["d:2"] = &spec;
  remove_old_definitions(world, start + days(180));
  EXPECT_EQ(world.state.definitions.at("d").revisions.size(), 2U) << "2 has a job, 3 carries the count";
  EXPECT_EQ(revision(add("d")), 4);
  world.spec_index.clear();
  EXPECT_EQ(remove_old_definitions(world, start + days(181)), std::nullopt);
  EXPECT_EQ(world.state.definitions.at("d").revisions.size(), 1U);
  ASSERT_TRUE(deregister("d", 4, start));
  remove_old_definitions(world, start + days(181));
  EXPECT_TRUE(world.state.definitions.empty());
}

}  // namespace
}  // namespace stoker::core
