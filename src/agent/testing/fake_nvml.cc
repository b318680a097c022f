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

static int handles[4];  // two GPUs, and two MIG devices of the first
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
  snprintf(out, bytes, index_of(d) < 2 ? "GPU-%u" : "MIG-%u", index_of(d));
  return 0;
}
int nvmlDeviceGetName(void* d, char* out, unsigned bytes) {
  snprintf(out, bytes, index_of(d) < 2 ? "NVIDIA T4" : "NVIDIA T4 MIG 2g.20gb");
  return 0;
}
int nvmlDeviceGetMigMode(void* d, unsigned* current, unsigned* pending) {
  const char* mode = getenv("FAKE_NVML");
  if (!mode || strcmp(mode, "mig")) return 3;
  *current = *pending = index_of(d) == 0;
  return 0;
}
int nvmlDeviceGetMaxMigDeviceCount(void* d, unsigned* count) {
  (void)d;
  *count = 7;
  return 0;
}
int nvmlDeviceGetMigDeviceHandleByIndex(void* d, unsigned i, void** out) {
  (void)d;
  if (i != 1 && i != 4) return 6;
  *out = &handles[i == 1 ? 2 : 3];
  return 0;
}
// What is wrong with the first handle, GPU-0.
static int ill(void* d, const char* how) {
  const char* mode = getenv("FAKE_NVML");
  return mode && !strcmp(mode, how) && index_of(d) == 0;
}
int nvmlDeviceGetRemappedRows(void* d, unsigned* corrected, unsigned* uncorrected, unsigned* pending,
                              unsigned* failed) {
  const char* mode = getenv("FAKE_NVML");
  if (mode && !strncmp(mode, "old", 3)) return 3;
  if (ill(d, "reset")) return 16;
  *corrected = *uncorrected = 1;
  *pending = ill(d, "remap-pending");
  *failed = ill(d, "remap-failed");
  return 0;
}
int nvmlDeviceGetTotalEccErrors(void* d, int kind, int counter, unsigned long long* count) {
  *count = kind == 1 && counter == 0 && ill(d, "old-ecc") ? 2 : 0;
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
