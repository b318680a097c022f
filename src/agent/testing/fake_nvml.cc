// A management library that pretends two GPUs, with the ABI of the real one: for the tests of agent/nvml.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <unistd.h>

extern "C" {

struct Memory {
  unsigned long long total, free, used;
};
struct Pci {
  char legacy[16];
  unsigned domain, bus, device, id, subsystem;
  char bus_id[32];
};

static int handles[2];
static unsigned index_of(void* device) {
  return (unsigned)((int*)device - handles);
}

int nvmlInit_v2() {
  const char* mode = getenv("FAKE_NVML");
  if (mode && !strcmp(mode, "hang")) sleep(1000);
  if (mode && !strcmp(mode, "no-driver")) return 9;
  return 0;
}
const char* nvmlErrorString(int code) {
  return code == 9 ? "Driver Not Loaded" : code == 15 ? "GPU is lost" : "Error";
}
int nvmlSystemGetDriverVersion(char* out, unsigned bytes) {
  snprintf(out, bytes, "570.00");
  return 0;
}
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = 2;
  return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned i, void** out) {
  const char* mode = getenv("FAKE_NVML");
  if (mode && !strcmp(mode, "lost") && i == 0) return 15;
  *out = &handles[i];
  return 0;
}
int nvmlDeviceGetUUID(void* d, char* out, unsigned bytes) {
  snprintf(out, bytes, "GPU-%u", index_of(d));
  return 0;
}
int nvmlDeviceGetName(void* d, char* out, unsigned bytes) {
  (void)d;
  snprintf(out, bytes, "NVIDIA T4");
  return 0;
}
int nvmlDeviceGetMemoryInfo(void* d, struct Memory* out) {
  (void)d;
  out->total = 16106127360ULL;
  out->free = out->used = 0;
  return 0;
}
int nvmlDeviceGetMinorNumber(void* d, unsigned* out) {
  *out = 5 + index_of(d);
  return 0;
}
// The first handle is the later one on the bus.
int nvmlDeviceGetPciInfo_v3(void* d, struct Pci* out) {
  memset(out, 0, sizeof *out);
  snprintf(out->bus_id, sizeof out->bus_id, "00000000:%02X:00.0", index_of(d) == 0 ? 0x2f : 0x17);
  return 0;
}

}  // extern "C"
