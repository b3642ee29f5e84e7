#include "sdbench/device/cuda_driver.h"

#include <algorithm>
#include <array>

#include <dlfcn.h>
#include <unistd.h>

namespace sdbench {
namespace {

constexpr std::array kDriversFiles{"/dev/nvidiactl", "/dev/nvhost-gpu", "/dev/dxg",
                                   "/proc/driver/nvidia"};

} // namespace

bool has_cuda_driver() {
  if (std::ranges::any_of(kDriversFiles,
                          [](const char* file) { return ::access(file, F_OK) == 0; })) {
    return true;
  }
  void* const library = ::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) {
    return false;
  }
  ::dlclose(library);
  return true;
}

} // namespace sdbench
