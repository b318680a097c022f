#include "agent/nvml_library.h"

namespace stoker::agent::nvml {

Result<std::unique_ptr<Library>> Library::open(const std::string& name) {
  void* handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return fail(Code::NotFound, "there is no NVIDIA driver library (" + name + ")");
  return std::unique_ptr<Library>(new Library(handle));
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
