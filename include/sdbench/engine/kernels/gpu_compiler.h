#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <c10/core/ScalarType.h>

namespace sdbench {

/// The text of src/engine/kernels/gpu_kernels.cu.
[[nodiscard]] std::string_view gpu_kernel_source();

/// The result of compiling gpu_kernel_source().
struct GpuProgram {
  std::string image; ///< machine code (a cubin), or PTX, which the driver compiles at load time
  std::string log;   ///< the compiler's report: registers and spills of each kernel
};

struct GpuTarget {
  int capability = 0; ///< 75 means 7.5
  bool ptx = false;   ///< compile to PTX instead of machine code

  bool operator==(const GpuTarget&) const = default;
};

/// NVRTC, CUDA's compiler as a library. It comes with libtorch, is loaded at run time, and needs
/// neither a GPU nor a driver.
class GpuCompiler {
public:
  /// Loads the NVRTC of the CUDA version that libtorch is built for. Throws Error if it is missing.
  GpuCompiler();
  ~GpuCompiler();
  GpuCompiler(const GpuCompiler&) = delete;
  GpuCompiler& operator=(const GpuCompiler&) = delete;

  [[nodiscard]] const std::string& version() const; ///< "13.0"
  /// Compute capabilities that NVRTC compiles for; 75 means 7.5.
  [[nodiscard]] const std::vector<int>& capabilities() const;
  /// The target for a GPU of this capability: machine code for that capability if NVRTC knows it,
  /// else PTX for the next lower capability that NVRTC knows. Throws Error if NVRTC knows neither
  /// this capability nor an older one.
  [[nodiscard]] GpuTarget target_for(int capability) const;
  /// Compiles `source` for tensors of `dtype`: fp32, fp16 or bf16. Throws Error with the compiler's
  /// first error message.
  [[nodiscard]] GpuProgram compile(std::string_view source, const GpuTarget& target,
                                   c10::ScalarType dtype) const;

private:
  struct Library;
  std::unique_ptr<Library> library_;
};

/// The oldest supported compute capability. Older GPUs (5.0, 5.2) do not convert fp16 in hardware.
inline constexpr int kOldestCapability = 60;

/// Returns the kernels compiled for a GPU, in the form that its driver loads. Reads them from
/// kernel_cache_folder() if they are there.
[[nodiscard]] std::string compiled_kernels(int capability, c10::ScalarType dtype);

/// Seconds that compiled_kernels() has spent compiling in this process, over all calls. The time to
/// read the cache does not count.
[[nodiscard]] double compiling_seconds();
/// Why compiled_kernels() could not store its last compilation in the cache, so that each process
/// must compile again; empty if it was stored.
[[nodiscard]] std::string why_kernels_are_not_kept();

} // namespace sdbench
