#include "sdbench/engine/kernels/kernel_launcher.h"

#include <map>
#include <memory>
#include <vector>

#include <dlfcn.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/engine/kernels/gpu_compiler.h"

#ifdef SDBENCH_HAS_CUDA
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#endif

namespace sdbench {

#ifdef SDBENCH_HAS_CUDA
namespace {

// The driver's functions as its header declares them; they return 0 on success. Looked up at run
// time, because this program must also run on machines without a driver.
struct CudaDriver {
  using Module = void*;
  using Function = void*;
  int (*load_module)(Module*, const void*);
  int (*unload_module)(Module);
  int (*get_function)(Function*, Module, const char*);
  int (*launch)(Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                cudaStream_t, void**, void**);
  int (*error_text)(int, const char**);

  CudaDriver() {
    void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      throw Error("libcuda.so.1 must be there to run kernels, but is not; install the driver");
    }
    find(library, load_module, "cuModuleLoadData");
    find(library, unload_module, "cuModuleUnload");
    find(library, get_function, "cuModuleGetFunction");
    find(library, launch, "cuLaunchKernel");
    find(library, error_text, "cuGetErrorString");
  }

  template <class Pointer>
  static void find(void* library, Pointer& function, const char* name) {
    function = reinterpret_cast<Pointer>(dlsym(library, name));
    if (function == nullptr) {
      throw Error("the driver must have the function " + std::string(name) + ", but has not");
    }
  }
  void check(int result, const std::string& expression) const {
    if (result != 0) {
      const char* text = nullptr;
      error_text(result, &text);
      throw Error(expression + " failed: " + (text != nullptr ? text : "unknown error"));
    }
  }
};

class CudaLauncher final : public KernelLauncher {
public:
  CudaLauncher(c10::DeviceIndex device, c10::ScalarType dtype) : device_(device) {
    const c10::cuda::CUDAGuard guard(device_);
    cudaDeviceProp properties{};
    C10_CUDA_CHECK(cudaGetDeviceProperties(&properties, device_));
    multiprocessors_ = properties.multiProcessorCount;
    const int capability = 10 * properties.major + properties.minor;
    if (capability < kOldestCapability) {
      throw Error("compute capability must be 6.0 or newer for sdbench's own kernels, but is " +
                  std::to_string(properties.major) + "." + std::to_string(properties.minor));
    }
    const std::string image = compiled_kernels(capability, dtype);
    C10_CUDA_CHECK(cudaFree(nullptr)); // makes the runtime's context, to which the module belongs
    driver_.check(driver_.load_module(&module_, image.data()), "cuModuleLoadData");
  }
  ~CudaLauncher() override { driver_.unload_module(module_); }
  CudaLauncher(const CudaLauncher&) = delete;
  CudaLauncher& operator=(const CudaLauncher&) = delete;

  void launch(const std::string& kernel, const KernelGrid& grid,
              std::span<const KernelArgument> arguments) const override {
    const c10::cuda::CUDAGuard guard(device_);
    std::vector<void*> values;
    values.reserve(arguments.size());
    for (const KernelArgument& argument : arguments) {
      values.push_back(argument.value);
    }
    const cudaStream_t stream = c10::cuda::getCurrentCUDAStream(device_);
    driver_.check(driver_.launch(function(kernel), grid.x, grid.y, 1, grid.threads, 1, 1, 0, stream,
                                 values.data(), nullptr),
                  "cuLaunchKernel of " + kernel);
  }
  [[nodiscard]] int multiprocessors() const override { return multiprocessors_; }

private:
  [[nodiscard]] CudaDriver::Function function(const std::string& kernel) const {
    auto found = functions_.find(kernel);
    if (found == functions_.end()) {
      CudaDriver::Function function = nullptr;
      driver_.check(driver_.get_function(&function, module_, kernel.c_str()),
                    "cuModuleGetFunction of " + kernel);
      found = functions_.emplace(kernel, function).first;
    }
    return found->second;
  }

  CudaDriver driver_;
  c10::DeviceIndex device_;
  int multiprocessors_ = 1;
  CudaDriver::Module module_ = nullptr;
  mutable std::map<std::string, CudaDriver::Function> functions_; ///< not locked: one thread only
};

} // namespace
#endif

std::shared_ptr<const KernelLauncher> make_cuda_launcher(c10::Device device,
                                                         [[maybe_unused]] c10::ScalarType dtype) {
#ifdef SDBENCH_HAS_CUDA
  if (device.is_cuda()) {
    return std::make_shared<CudaLauncher>(device.index(), dtype);
  }
#endif
  throw Error("the device must be a GPU that libtorch has CUDA for to run GPU kernels, but is " +
              device.str());
}

} // namespace sdbench
