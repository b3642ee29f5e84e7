#include "sdbench/engine/kernels/gpu_compiler.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>

#include <dlfcn.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/engine/kernels/kernel_cache.h"
#include "sdbench/engine/kernels/nvrtc_library.h"

namespace sdbench {
namespace {

const char* macro_of(c10::ScalarType dtype) {
  switch (dtype) {
  case c10::kFloat:
    return "-DSDBENCH_F32";
  case c10::kHalf:
    return "-DSDBENCH_F16";
  case c10::kBFloat16:
    return "-DSDBENCH_BF16";
  default:
    throw Error("GPU kernels must be for fp32, fp16 or bf16, but are asked for " +
                std::string(c10::toString(dtype)));
  }
}

std::string architecture_of(const GpuTarget& target) {
  return (target.ptx ? "compute_" : "sm_") + std::to_string(target.capability);
}

std::vector<std::string> options_for(const GpuTarget& target, c10::ScalarType dtype) {
  std::vector<std::string> options{"-arch=" + architecture_of(target), macro_of(dtype),
                                   "-std=c++17"};
  if (!target.ptx) { // ptxas does not run for PTX
    options.emplace_back("--ptxas-options=-v");
  }
  return options;
}

std::string first_complaint(const std::string& log) {
  const std::size_t at = std::min(log.find("error"), log.size());
  const std::size_t begin = log.rfind('\n', at) == std::string::npos ? 0 : log.rfind('\n', at) + 1;
  return log.substr(begin, log.find('\n', at) - begin);
}

} // namespace

// NVRTC's functions as its header declares them; they return 0 on success. We declare them
// ourselves, because libtorch may come without the header.
struct GpuCompiler::Library {
  using Program = void*;
  void* handle;
  int (*get_version)(int*, int*);
  int (*get_arch_count)(int*);
  int (*get_archs)(int*);
  int (*create)(Program*, const char*, const char*, int, const char* const*, const char* const*);
  int (*destroy)(Program*);
  int (*compile)(Program, int, const char* const*);
  int (*get_log_size)(Program, std::size_t*);
  int (*get_log)(Program, char*);
  int (*get_cubin_size)(Program, std::size_t*);
  int (*get_cubin)(Program, char*);
  int (*get_ptx_size)(Program, std::size_t*);
  int (*get_ptx)(Program, char*);
  const char* (*error_text)(int);
  std::string version;
  std::vector<int> capabilities;

  Library() : handle(open_nvrtc()) {
    find(get_version, "nvrtcVersion");
    find(get_arch_count, "nvrtcGetNumSupportedArchs");
    find(get_archs, "nvrtcGetSupportedArchs");
    find(create, "nvrtcCreateProgram");
    find(destroy, "nvrtcDestroyProgram");
    find(compile, "nvrtcCompileProgram");
    find(get_log_size, "nvrtcGetProgramLogSize");
    find(get_log, "nvrtcGetProgramLog");
    find(get_cubin_size, "nvrtcGetCUBINSize");
    find(get_cubin, "nvrtcGetCUBIN");
    find(get_ptx_size, "nvrtcGetPTXSize");
    find(get_ptx, "nvrtcGetPTX");
    find(error_text, "nvrtcGetErrorString");
    int major = 0;
    int minor = 0;
    check(get_version(&major, &minor), "nvrtcVersion");
    version = std::to_string(major) + "." + std::to_string(minor);
    int count = 0;
    check(get_arch_count(&count), "nvrtcGetNumSupportedArchs");
    capabilities.resize(static_cast<std::size_t>(count));
    check(get_archs(capabilities.data()), "nvrtcGetSupportedArchs");
  }

  // Never closed, because the next compiler in this process would load it again.

  template <class Function>
  void find(Function& function, const char* name) const {
    function = reinterpret_cast<Function>(dlsym(handle, name));
    if (function == nullptr) {
      throw Error("NVRTC must have the function " + std::string(name) +
                  ", but has not; it is too old");
    }
  }
  void check(int result, const char* expression) const {
    if (result != 0) {
      throw Error(std::string(expression) + " failed: " + error_text(result));
    }
  }
};

GpuCompiler::GpuCompiler() : library_(std::make_unique<Library>()) {}
GpuCompiler::~GpuCompiler() = default;

const std::string& GpuCompiler::version() const {
  return library_->version;
}

const std::vector<int>& GpuCompiler::capabilities() const {
  return library_->capabilities;
}

GpuTarget GpuCompiler::target_for(int capability) const {
  int nearest = 0; // the newest that such a GPU can run
  for (const int known : capabilities()) {
    nearest = known <= capability ? std::max(nearest, known) : nearest;
  }
  if (nearest == 0) {
    throw Error("NVRTC " + version() + " must know sm_" + std::to_string(capability) +
                " or an older one to compile kernels, but does not; use another libtorch");
  }
  return {nearest, nearest != capability};
}

GpuProgram GpuCompiler::compile(std::string_view source, const GpuTarget& target,
                                c10::ScalarType dtype) const {
  const std::vector<std::string> options = options_for(target, dtype);
  std::vector<const char*> words;
  words.reserve(options.size());
  for (const std::string& option : options) {
    words.push_back(option.c_str());
  }
  const Library& nvrtc = *library_;
  Library::Program program = nullptr;
  nvrtc.check(
      nvrtc.create(&program, std::string(source).c_str(), "gpu_kernels.cu", 0, nullptr, nullptr),
      "nvrtcCreateProgram");
  const auto destroy = [&](void*) { nvrtc.destroy(&program); };
  const std::unique_ptr<void, decltype(destroy)> owner(program, destroy);
  const int compiled = nvrtc.compile(program, static_cast<int>(words.size()), words.data());
  GpuProgram result;
  std::size_t size = 0;
  nvrtc.check(nvrtc.get_log_size(program, &size), "nvrtcGetProgramLogSize");
  result.log.resize(size);
  nvrtc.check(nvrtc.get_log(program, result.log.data()), "nvrtcGetProgramLog");
  if (compiled != 0) {
    throw Error("the GPU kernels must compile for " + architecture_of(target) +
                ", but do not: " + nvrtc.error_text(compiled) + ": " + first_complaint(result.log));
  }
  if (target.ptx) {
    nvrtc.check(nvrtc.get_ptx_size(program, &size), "nvrtcGetPTXSize");
    result.image.resize(size); // includes the final null
    nvrtc.check(nvrtc.get_ptx(program, result.image.data()), "nvrtcGetPTX");
  } else {
    nvrtc.check(nvrtc.get_cubin_size(program, &size), "nvrtcGetCUBINSize");
    result.image.resize(size);
    nvrtc.check(nvrtc.get_cubin(program, result.image.data()), "nvrtcGetCUBIN");
  }
  return result;
}

namespace {

double& seconds_of_compiling() {
  static double seconds = 0;
  return seconds;
}

std::string& obstacle_to_keeping() {
  static std::string obstacle;
  return obstacle;
}

} // namespace

double compiling_seconds() {
  return seconds_of_compiling();
}

std::string why_kernels_are_not_kept() {
  return obstacle_to_keeping();
}

std::string compiled_kernels(int capability, c10::ScalarType dtype) {
  const GpuCompiler compiler;
  const GpuTarget target = compiler.target_for(capability);
  std::string key = "NVRTC " + compiler.version() + '\n';
  for (const std::string& option : options_for(target, dtype)) {
    key += option + '\n';
  }
  key += gpu_kernel_source();
  const auto compile = [&] {
    const auto start = std::chrono::steady_clock::now();
    std::string image = compiler.compile(gpu_kernel_source(), target, dtype).image;
    seconds_of_compiling() +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return image;
  };
  return cached(kernel_cache_folder(), key, compile, &obstacle_to_keeping());
}

} // namespace sdbench
