#include "nvml_functions.h"

#include "sdbench/base/errors/error.h"

namespace sdbench::nvml {

SharedLibrary::SharedLibrary(const std::string& name)
    : handle_(::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) {
    const char* const reason = ::dlerror();
    throw Error("cannot load NVML: " + std::string(reason == nullptr ? name : reason));
  }
}

} // namespace sdbench::nvml
