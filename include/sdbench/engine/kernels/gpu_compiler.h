#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <c10/core/ScalarType.h>

namespace sdbench {

/// The text of src/engine/kernels/gpu_kernels.cu.
[[nodiscard]] std::string_view gpu_kernel_source();

/// What a compiler made of it.
struct GpuProgram {
  std::string image; ///< machine code (a cubin), or PTX, which the driver compiles as it loads it
  std::string log;   ///< the compiler's report: registers and spills of each kernel
};

struct GpuTarget {
  int capability = 0; ///< 75 is 7.5
  bool ptx = false;   ///< instead of machine code

  bool operator==(const GpuTarget&) const = default;
};

/// NVRTC, CUDA's compiler as a library: it comes with libtorch, is loaded at run time, and needs
/// neither a GPU nor a driver.
class GpuCompiler {
public:
  /// Of the CUDA that libtorch is built for. Throws Error if it is not there.
  GpuCompiler();
  ~GpuCompiler();
  GpuCompiler(const GpuCompiler&) = delete;
  GpuCompiler& operator=(const GpuCompiler&) = delete;

  [[nodiscard]] const std::string& version() const; ///< "13.0"
  /// Compute capabilities that it compiles for: 75 is 7.5.
  [[nodiscard]] const std::vector<int>& capabilities() const;
  /// What it is to compile for, so that a GPU of this capability runs it: exactly that if it is
  /// known, else PTX of the nearest older one that is. Throws Error if there is none.
  [[nodiscard]] GpuTarget target_for(int capability) const;
  /// Our kernels for tensors of a dtype: fp32, fp16 or bf16. Throws Error with the compiler's first
  /// complaint.
  [[nodiscard]] GpuProgram compile(std::string_view source, const GpuTarget& target,
                                   c10::ScalarType dtype) const;

private:
  struct Library;
  std::unique_ptr<Library> library_;
};

/// The oldest GPUs that the kernels are for: older ones do not convert fp16 in hardware (5.0, 5.2).
inline constexpr int kOldestCapability = 60;

/// The kernels for a GPU, as its driver loads them, out of kernel_cache_folder() where they are
/// there already.
[[nodiscard]] std::string compiled_kernels(int capability, c10::ScalarType dtype);

/// How long compiled_kernels() has compiled in this process, all calls together; what was in the
/// cache took none of it.
[[nodiscard]] double compiling_seconds();
/// Why what compiled_kernels() compiled last could not be put into the cache, so that each process
/// compiles it anew; empty if it could.
[[nodiscard]] std::string why_kernels_are_not_kept();

} // namespace sdbench
