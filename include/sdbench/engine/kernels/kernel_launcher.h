#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

namespace sdbench {

/// A grid of x * y blocks. `threads`: number of threads in each block.
struct KernelGrid {
  unsigned x = 1;
  unsigned y = 1;
  unsigned threads = 1;
};

/// A kernel argument: address and size of a host value of the kernel parameter's type.
struct KernelArgument {
  void* value;
  std::size_t size;
};

/// Launches the kernels of src/engine/kernels/gpu_kernels.cu, compiled for one dtype.
class KernelLauncher {
public:
  virtual ~KernelLauncher() = default;
  /// Enqueues a kernel on the device's current stream. Throws Error.
  virtual void launch(const std::string& kernel, const KernelGrid& grid,
                      std::span<const KernelArgument> arguments) const = 0;
  /// The device's number of streaming multiprocessors.
  [[nodiscard]] virtual int multiprocessors() const = 0;
};

/// Makes a launcher for this GPU. Compiles the kernels or reads them from the cache. Throws Error
/// with the reason in one line if the compiler or the driver is missing.
[[nodiscard]] std::shared_ptr<const KernelLauncher> make_cuda_launcher(c10::Device device,
                                                                       c10::ScalarType dtype);

} // namespace sdbench
