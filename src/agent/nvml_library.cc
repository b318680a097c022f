#include "agent/nvml_library.h"

#include <algorithm>

namespace stoker::agent::nvml {
namespace {

constexpr unsigned kDevicesMax = 256;

}  // namespace

Result<std::unique_ptr<Library>> Library::open(const std::string& name) {
  void* handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return fail(Code::NotFound, "there is no NVIDIA driver library (" + name + ")");
  std::unique_ptr<Library> library(new Library(handle));
  const auto begun = library->call("nvmlInit_v2");
  if (!begun) return fail(Code::NotFound, "the NVIDIA driver library is too old");
  if (*begun == kDriverNotLoaded || *begun == kGpuNotFound)
    return fail(Code::NotFound, library->words(*begun));
  if (*begun != kSuccess) return fail(Code::Unavailable, "NVML: " + library->words(*begun));
  return library;
}

Result<std::vector<FoundDevice>> Library::devices() const {
  unsigned count = 0;
  if (const int code = ask("nvmlDeviceGetCount_v2", &count); code != kSuccess)
    return fail(Code::Unavailable, "NVML: " + words(code));
  std::vector<FoundDevice> all(std::min(count, kDevicesMax));
  for (unsigned i = 0; i < all.size(); ++i) {
    all[i].index = i;
    all[i].code = ask("nvmlDeviceGetHandleByIndex_v2", i, &all[i].device);
  }
  return all;
}

std::string Library::text(const char* symbol, Device device) const {
  char text[kTextBytes] = {};
  const int code = ask(symbol, device, static_cast<char*>(text), kTextBytes);
  text[kTextBytes - 1] = 0;
  return code == kSuccess ? std::string(text) : std::string();
}

std::string Library::words(int code) const {
  void* address = ::dlsym(handle_, "nvmlErrorString");
  const char* text = address == nullptr ? nullptr : reinterpret_cast<const char* (*)(int)>(address)(code);
  return text == nullptr ? "code " + std::to_string(code) : text;
}

}  // namespace stoker::agent::nvml
