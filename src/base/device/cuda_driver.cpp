#include "sdbench/base/device/cuda_driver.h"

#include <algorithm>
#include <array>

#include <dlfcn.h>
#include <unistd.h>

#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/device/device_name.h"

namespace sdbench {
namespace {

constexpr const char* kLibrary = "libcuda.so.1";
constexpr std::array kDriversFiles{"dev/nvidiactl", "dev/nvhost-gpu",
                                   "usr/lib/wsl/lib/libcuda.so.1", "proc/driver/nvidia"};

/// True if the library itself is missing; false if it exists, but lacks another library.
bool is_not_found(const std::string& problem) {
  return problem.starts_with(std::string(kLibrary) + ":") &&
         problem.ends_with("No such file or directory");
}

} // namespace

CudaLibrary cuda_library() {
  if (void* const library = ::dlopen(kLibrary, RTLD_LAZY | RTLD_LOCAL)) {
    ::dlclose(library);
    return {.loads = true, .problem = ""};
  }
  const char* const words = ::dlerror();
  const std::string problem = words == nullptr ? "" : words;
  return {.loads = false, .problem = is_not_found(problem) ? "" : problem};
}

bool has_driver_files(const std::filesystem::path& root) {
  return std::ranges::any_of(kDriversFiles, [&root](const char* file) {
    return ::access((root / file).c_str(), F_OK) == 0;
  });
}

bool has_cuda_driver() {
  return has_driver_files() || cuda_library().loads;
}

bool is_surely_cpu(std::string_view device) {
  return is_cpu(kind_asked(device)) || (device == kAutoDevice && !has_cuda_driver());
}

} // namespace sdbench
