// A management library whose GPUs have MIG, with the ABI and the rules of the real one: legal places only, as
// many instances as a profile may have, seven compute slices, compute instances before GPU instances, nothing
// without privileges. Its state is a text file (the variable FAKE_MIG_STATE) that outlives the process, as
// the driver's does; tests write and read it. Lines:
//   gpu UUID MODE PENDING          in the order of their minors; all are H100 of 80 GB
//   gi GPU ID PROFILE START SERIAL CI     CI: 0 none, 1 one that takes all of it, 2 one of a smaller kind
//   serial N                       of the next compute instance: part of its UUID
//   busy GPU ID                    a process uses that instance
//   fail FUNCTION CODE             each call of it
//   die FUNCTION before|after      SIGKILL to this process, once, around what it does
//   mig CODE                       what switching MIG on answers as its activation
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

namespace {

struct Profile {
  unsigned number;  // NVML_GPU_INSTANCE_PROFILE_*
  unsigned id;
  unsigned slices;
  unsigned most;
  unsigned size;
  std::vector<unsigned> starts;
  const char* name;
};
const std::vector<Profile>& profiles() {
  static const std::vector<Profile> kAll = {{0, 19, 1, 7, 1, {0, 1, 2, 3, 4, 5, 6}, "1g.10gb"},
                                            {1, 14, 2, 3, 2, {0, 2, 4}, "2g.20gb"},
                                            {2, 9, 3, 2, 4, {0, 4}, "3g.40gb"},
                                            {3, 5, 4, 1, 4, {0}, "4g.40gb"},
                                            {4, 0, 7, 1, 8, {0}, "7g.80gb"},
                                            {7, 20, 1, 1, 1, {0, 1, 2, 3, 4, 5, 6}, "1g.10gb+me"},
                                            {9, 15, 1, 4, 2, {0, 2, 4, 6}, "1g.20gb"}};
  return kAll;
}
const Profile& by_id(unsigned id) {
  for (const Profile& it : profiles())
    if (it.id == id) return it;
  abort();
}

struct Gpu {
  std::string uuid;
  unsigned mode = 0, pending = 0;
};
struct Instance {
  unsigned gpu = 0, id = 0, profile = 0, start = 0, serial = 0, ci = 0;
};

// Read at the begin of every call and written at its end, under a lock.
class State {
 public:
  explicit State(const char* function) : function_(function) {
    path_ = getenv("FAKE_MIG_STATE") ? getenv("FAKE_MIG_STATE") : "/nonexistent";
    lock_ = open((path_ + ".lock").c_str(), O_RDWR | O_CREAT, 0600);
    flock(lock_, LOCK_EX);
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) read(line);
    if (!die_.empty() && die_ == "before") die();
  }
  ~State() { close(lock_); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void write() {
    if (!die_.empty()) others_ = kept_;  // once
    std::ostringstream out;
    for (const Gpu& it : gpus) out << "gpu " << it.uuid << ' ' << it.mode << ' ' << it.pending << '\n';
    for (const Instance& it : instances)
      out << "gi " << it.gpu << ' ' << it.id << ' ' << it.profile << ' ' << it.start << ' ' << it.serial
          << ' ' << it.ci << '\n';
    out << "serial " << serial << '\n';
    for (const std::string& line : others_) out << line << '\n';
    std::ofstream(path_ + ".new") << out.str();
    rename((path_ + ".new").c_str(), path_.c_str());
    if (die_ == "after") raise(SIGKILL);
  }
  Instance* find(unsigned gpu, unsigned id) {
    for (Instance& it : instances)
      if (it.gpu == gpu && it.id == id) return &it;
    return nullptr;
  }
  bool is_busy(const Instance& it) {
    for (const auto& [gpu, id] : busy)
      if (gpu == it.gpu && id == it.id) return true;
    return false;
  }

  std::vector<Gpu> gpus;
  std::vector<Instance> instances;
  std::vector<std::pair<unsigned, unsigned>> busy;
  unsigned serial = 1;
  int code = 0;  // what this function is to answer
  int activation = 0;

 private:
  void read(const std::string& line) {
    std::istringstream in(line);
    std::string kind, name;
    in >> kind;
    if (kind == "gpu") {
      in >> gpus.emplace_back().uuid >> gpus.back().mode >> gpus.back().pending;
      return;
    }
    if (kind == "gi") {
      Instance& it = instances.emplace_back();
      in >> it.gpu >> it.id >> it.profile >> it.start >> it.serial >> it.ci;
      return;
    }
    if (kind == "serial") {
      in >> serial;
      return;
    }
    others_.push_back(line);
    if (kind == "busy") in >> busy.emplace_back().first >> busy.back().second;
    if (kind == "mig") in >> activation;
    if (kind == "fail" && in >> name && name == function_) in >> code;
    if (kind == "die" && in >> name && name == function_)
      in >> die_;
    else
      kept_.push_back(line);
  }
  void die() {
    die_ = "now";
    write();
    raise(SIGKILL);
  }
  std::string function_, path_, die_;
  std::vector<std::string> others_, kept_;
  int lock_ = -1;
};

// Handles are numbers: kind, GPU, GPU instance.
enum Kind : unsigned { kGpu = 1, kInstance = 2, kCompute = 3, kPart = 4 };
void* handle(Kind kind, unsigned gpu, unsigned id = 0) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(kind << 24 | gpu << 16 | id));
}
unsigned kind_of(void* it) {
  return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(it) >> 24);
}
unsigned gpu_of(void* it) {
  return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(it) >> 16 & 0xff);
}
unsigned id_of(void* it) {
  return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(it) & 0xffff);
}

enum : int { kOk, kInvalid = 2, kNotSupported, kNotFound = 6, kInUse = 19, kInsufficient = 23 };

struct Placement {
  unsigned start, size;
};
struct ProfileInfo {
  unsigned version, id, p2p, slices, most, sms, engines[5];
  unsigned long long memory;
  char name[96];
};
struct InstanceInfo {
  void* device;
  unsigned id, profile;
  Placement placement;
};
struct ComputeInfo {
  unsigned id, slices, most, sms, engines[5];
};
struct Memory {
  unsigned long long total, free, used;
};
struct Pci {
  char legacy[16];
  unsigned domain, bus, device, id, subsystem;
  char bus_id[32];
};

bool has_room(State& state, unsigned gpu, const Profile& wanted, unsigned start) {
  unsigned slices = wanted.slices, count = 1;
  for (const Instance& it : state.instances) {
    if (it.gpu != gpu) continue;
    const Profile& there = by_id(it.profile);
    slices += there.slices;
    count += there.id == wanted.id;
    if (it.start < start + wanted.size && start < it.start + there.size) return false;
  }
  return slices <= 7 && count <= wanted.most;
}

}  // namespace

#define BEGIN            \
  State state(__func__); \
  if (state.code != 0) return state.code

extern "C" {

int nvmlInit_v2() {
  BEGIN;
  return kOk;
}
const char* nvmlErrorString(int code) {
  switch (code) {
    case 4:
      return "Insufficient Permissions";
    case kNotFound:
      return "Not Found";
    case kInUse:
      return "In use by another client";
    case kInsufficient:
      return "Insufficient Resources";
    default:
      return "Error";
  }
}
int nvmlSystemGetDriverVersion(char* out, unsigned bytes) {
  snprintf(out, bytes, "580.00");
  return kOk;
}
int nvmlDeviceGetCount_v2(unsigned* count) {
  BEGIN;
  *count = static_cast<unsigned>(state.gpus.size());
  return kOk;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned i, void** out) {
  *out = handle(kGpu, i);
  return kOk;
}
int nvmlDeviceGetHandleByUUID(const char* uuid, void** out) {
  BEGIN;
  for (unsigned i = 0; i < state.gpus.size(); ++i)
    if (state.gpus[i].uuid == uuid) return *out = handle(kGpu, i), kOk;
  return kNotFound;
}
int nvmlDeviceGetUUID(void* d, char* out, unsigned bytes) {
  BEGIN;
  const Gpu& gpu = state.gpus[gpu_of(d)];
  if (kind_of(d) == kGpu) return snprintf(out, bytes, "%s", gpu.uuid.c_str()), kOk;
  const Instance* it = state.find(gpu_of(d), id_of(d));
  if (!it) return kNotFound;
  snprintf(out, bytes, "MIG-%s-%u", gpu.uuid.c_str(), it->serial);
  return kOk;
}
int nvmlDeviceGetName(void* d, char* out, unsigned bytes) {
  BEGIN;
  if (kind_of(d) == kGpu) return snprintf(out, bytes, "NVIDIA H100 80GB HBM3"), kOk;
  const Instance* it = state.find(gpu_of(d), id_of(d));
  if (!it) return kNotFound;
  snprintf(out, bytes, "NVIDIA H100 80GB HBM3 MIG %s%s", it->ci == 2 ? "1c." : "", by_id(it->profile).name);
  return kOk;
}
int nvmlDeviceGetMemoryInfo(void*, Memory* out) {
  *out = {85899345920ULL, 0, 0};
  return kOk;
}
int nvmlDeviceGetMinorNumber(void* d, unsigned* out) {
  *out = gpu_of(d);
  return kOk;
}
int nvmlDeviceGetPciInfo_v3(void* d, Pci* out) {
  memset(out, 0, sizeof *out);
  snprintf(out->bus_id, sizeof out->bus_id, "00000000:%02X:00.0", 0x10 + gpu_of(d));
  return kOk;
}

int nvmlDeviceGetMigMode(void* d, unsigned* current, unsigned* pending) {
  BEGIN;
  *current = state.gpus[gpu_of(d)].mode;
  *pending = state.gpus[gpu_of(d)].pending;
  return kOk;
}
int nvmlDeviceSetMigMode(void* d, unsigned mode, int* activation) {
  BEGIN;
  state.gpus[gpu_of(d)].pending = mode;
  if (state.activation == 0) state.gpus[gpu_of(d)].mode = mode;
  *activation = state.activation;
  state.write();
  return kOk;
}
int nvmlDeviceGetMaxMigDeviceCount(void*, unsigned* count) {
  *count = 7;
  return kOk;
}
int nvmlDeviceGetMigDeviceHandleByIndex(void* d, unsigned i, void** out) {
  BEGIN;
  for (const Instance& it : state.instances) {
    if (it.gpu != gpu_of(d) || it.ci == 0) continue;
    if (i-- == 0) return *out = handle(kPart, it.gpu, it.id), kOk;
  }
  return kNotFound;
}
int nvmlDeviceGetGpuInstanceId(void* d, unsigned* id) {
  *id = id_of(d);
  return kOk;
}
int nvmlDeviceGetComputeInstanceId(void*, unsigned* id) {
  *id = 0;
  return kOk;
}

int nvmlDeviceGetGpuInstanceProfileInfoV(void*, unsigned number, ProfileInfo* out) {
  BEGIN;
  if (out->version != (sizeof *out | 2U << 24)) return kInvalid;
  for (const Profile& it : profiles()) {
    if (it.number != number) continue;
    out->id = it.id;
    out->slices = it.slices;
    out->most = it.most;
    snprintf(out->name, sizeof out->name, "MIG %s", it.name);
    return kOk;
  }
  return kNotSupported;
}
int nvmlDeviceGetGpuInstancePossiblePlacements_v2(void*, unsigned id, Placement* out, unsigned* count) {
  BEGIN;
  const Profile& profile = by_id(id);
  *count = static_cast<unsigned>(profile.starts.size());
  if (out)
    for (unsigned i = 0; i < *count; ++i) out[i] = {profile.starts[i], profile.size};
  return kOk;
}
int nvmlDeviceGetGpuInstances(void* d, unsigned profile, void** out, unsigned* count) {
  BEGIN;
  *count = 0;
  for (const Instance& it : state.instances)
    if (it.gpu == gpu_of(d) && it.profile == profile) out[(*count)++] = handle(kInstance, it.gpu, it.id);
  return kOk;
}
int nvmlDeviceGetGpuInstanceById(void* d, unsigned id, void** out) {
  BEGIN;
  if (!state.find(gpu_of(d), id)) return kNotFound;
  *out = handle(kInstance, gpu_of(d), id);
  return kOk;
}
int nvmlDeviceCreateGpuInstanceWithPlacement(void* d, unsigned id, const Placement* place, void** out) {
  BEGIN;
  const unsigned gpu = gpu_of(d);
  const Profile& profile = by_id(id);
  bool legal = false;
  for (const unsigned start : profile.starts)
    legal = legal || (start == place->start && profile.size == place->size);
  if (!legal) return kInvalid;
  if (!state.gpus[gpu].mode) return kNotSupported;
  if (!has_room(state, gpu, profile, place->start)) return kInsufficient;
  unsigned free = 1;
  while (state.find(gpu, free)) ++free;
  state.instances.push_back({gpu, free, id, place->start, 0, 0});
  *out = handle(kInstance, gpu, free);
  state.write();
  return kOk;
}
int nvmlGpuInstanceGetInfo(void* gi, InstanceInfo* out) {
  BEGIN;
  const Instance* it = state.find(gpu_of(gi), id_of(gi));
  if (!it) return kNotFound;
  *out = {handle(kGpu, it->gpu), it->id, it->profile, {it->start, by_id(it->profile).size}};
  return kOk;
}
int nvmlGpuInstanceDestroy(void* gi) {
  BEGIN;
  const Instance* it = state.find(gpu_of(gi), id_of(gi));
  if (!it) return kNotFound;
  if (it->ci != 0 || state.is_busy(*it)) return kInUse;
  state.instances.erase(state.instances.begin() + (it - state.instances.data()));
  state.write();
  return kOk;
}
// Kinds of compute instances: 0 to 3 with one to four slices, 4 with seven.
int nvmlGpuInstanceGetComputeInstanceProfileInfo(void* gi, unsigned number, unsigned engine,
                                                 ComputeInfo* out) {
  BEGIN;
  const Instance* it = state.find(gpu_of(gi), id_of(gi));
  if (!it) return kNotFound;
  const unsigned slices = number == 4 ? 7 : number + 1;
  if (number > 4 || engine != 0 || slices > by_id(it->profile).slices) return kNotSupported;
  memset(out, 0, sizeof *out);
  out->id = number;
  out->slices = slices;
  return kOk;
}
int nvmlGpuInstanceCreateComputeInstance(void* gi, unsigned profile, void** out) {
  BEGIN;
  Instance* it = state.find(gpu_of(gi), id_of(gi));
  if (!it) return kNotFound;
  if (it->ci != 0) return kInsufficient;
  it->ci = (profile == 4 ? 7 : profile + 1) == by_id(it->profile).slices ? 1 : 2;
  it->serial = state.serial++;
  *out = handle(kCompute, it->gpu, it->id);
  state.write();
  return kOk;
}
int nvmlGpuInstanceGetComputeInstances(void* gi, unsigned profile, void** out, unsigned* count) {
  BEGIN;
  const Instance* it = state.find(gpu_of(gi), id_of(gi));
  if (!it) return kNotFound;
  const unsigned slices = it->ci == 2 ? 1 : by_id(it->profile).slices;
  *count = it->ci != 0 && (profile == 4 ? 7 : profile + 1) == slices ? 1 : 0;
  if (*count) out[0] = handle(kCompute, it->gpu, it->id);
  return kOk;
}
int nvmlComputeInstanceDestroy(void* ci) {
  BEGIN;
  Instance* it = state.find(gpu_of(ci), id_of(ci));
  if (!it) return kNotFound;
  if (state.is_busy(*it)) return kInUse;
  it->ci = 0;
  state.write();
  return kOk;
}

}  // extern "C"
