#include "sdbench/engine/kernels/nvrtc_library.h"

#include <cstddef>

#include <dlfcn.h>
#include <link.h>

#include "sdbench/base/errors/error.h"

namespace sdbench {
namespace {

/// The folder with its final slash; empty for a bare name.
std::string folder_of_library(const std::string& path) {
  return path.substr(0, path.rfind('/') + 1);
}

/// Major version of a file name: 13 for "libcudart.so.13".
std::string major_version_of(const std::string& cudart) {
  const std::string so = ".so.";
  const std::size_t at = cudart.rfind(so);
  return at == std::string::npos ? "" : cudart.substr(at + so.size());
}

/// Opens the builtins in NVRTC's folder and of NVRTC's version: NVRTC refuses others.
void open_builtins(void* nvrtc) {
  using GetVersion = int (*)(int*, int*);
  const auto get_version = reinterpret_cast<GetVersion>(dlsym(nvrtc, "nvrtcVersion"));
  Dl_info file{};
  int major = 0;
  int minor = 0;
  if (get_version == nullptr || get_version(&major, &minor) != 0 ||
      dladdr(reinterpret_cast<void*>(get_version), &file) == 0) {
    throw Error("NVRTC must say its version, but does not; install libtorch again");
  }
  const std::string path = file.dli_fname;
  const std::string name =
      "libnvrtc-builtins.so." + std::to_string(major) + "." + std::to_string(minor);
  if (dlopen((folder_of_library(path) + name).c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) {
    throw Error(name + " must lie beside " + path + ", but does not; install libtorch again");
  }
}

} // namespace

std::string cudart_path() {
  std::string found;
  const auto look = [](dl_phdr_info* info, std::size_t, void* result) {
    const std::string path = info->dlpi_name;
    if (!path.substr(path.rfind('/') + 1).starts_with("libcudart")) {
      return 0;
    }
    *static_cast<std::string*>(result) = path;
    return 1;
  };
  dl_iterate_phdr(look, &found);
  return found;
}

// dlopen() of a bare name finds a library that is already loaded under that SONAME, whatever its
// scope. So RTLD_LOCAL is enough, and hides nobody's symbols.
void* open_nvrtc(const std::string& cudart) {
  if (cudart.empty()) {
    throw Error("CUDA's runtime must be loaded to compile GPU kernels, but is not; take a libtorch "
                "that is built for CUDA");
  }
  const std::string name = "libnvrtc.so." + major_version_of(cudart);
  const std::string folder = folder_of_library(cudart);
  for (const std::string& place : {folder, folder + "../../cuda_nvrtc/lib/", std::string()}) {
    if (void* const nvrtc = dlopen((place + name).c_str(), RTLD_NOW | RTLD_LOCAL)) {
      open_builtins(nvrtc);
      return nvrtc;
    }
  }
  throw Error(name + " must be there to compile kernels, but is not; install NVRTC of this CUDA");
}

void preload_nvrtc() {
  try {
    static_cast<void>(open_nvrtc());
  } catch (const Error&) { // the compiler reports it when it is asked for kernels
  }
}

} // namespace sdbench
