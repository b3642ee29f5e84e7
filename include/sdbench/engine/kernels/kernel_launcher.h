#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

namespace sdbench {

/// Blocks, and the threads of each.
struct KernelGrid {
  unsigned x = 1;
  unsigned y = 1;
  unsigned threads = 1;
};

/// Where one argument of a kernel lies on the host, in the type that the kernel declares.
struct KernelArgument {
  void* value;
  std::size_t size;
};

/// Starts the kernels of src/engine/kernels/gpu_kernels.cu, as they were compiled for one dtype.
class KernelLauncher {
public:
  virtual ~KernelLauncher() = default;
  /// Enqueues a kernel on the device's current stream. Throws Error.
  virtual void launch(const std::string& kernel, const KernelGrid& grid,
                      std::span<const KernelArgument> arguments) const = 0;
  /// Of the device: how many blocks run beside one another.
  [[nodiscard]] virtual int multiprocessors() const = 0;
};

/// On this GPU: compiles the kernels for it, or takes them from the cache. Throws Error with the
/// reason in one line where there is no compiler or driver for it.
[[nodiscard]] std::shared_ptr<const KernelLauncher> make_cuda_launcher(c10::Device device,
                                                                       c10::ScalarType dtype);

} // namespace sdbench
