#include "sdbench/device/cuda_driver.h"

#include <dlfcn.h>

namespace sdbench {

bool has_cuda_driver() {
  void* const library = ::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) {
    return false;
  }
  ::dlclose(library);
  return true;
}

} // namespace sdbench
