#pragma once

#include <memory>
#include <span>
#include <string>

#include <ATen/core/Tensor.h>

#include "sdbench/engine/kernels/kernel_launcher.h"

namespace sdbench {

/// What a step of a sampler is computed by: next = latents + (from_output * prediction +
/// from_latents * latents) * to_next.
struct LinearStep {
  bool guided = false; ///< the output is guidance's two halves, unconditioned first
  float guidance = 1;
  float from_output = 1;
  float from_latents = 0;
  float to_next = 0;    ///< next sigma - sigma
  float next_scale = 1; ///< what the next latents are divided by to be the UNet's input
};

/// This project's GPU kernels for tensors of one dtype on one device (gpu_kernels.cu). Each
/// operator answers `takes_…` for the tensors that it can compute; for others there is ATen. All
/// compute in fp32 and round once, where ATen rounds after each operator.
class GpuKernels {
public:
  GpuKernels(std::shared_ptr<const KernelLauncher> launcher, at::Device device,
             at::ScalarType dtype);

  /// x [N, C, H, W], channels-last, C a multiple of 16 bytes.
  [[nodiscard]] bool takes_group_norm(const at::Tensor& x, std::int64_t groups) const;
  /// Group norm, and with `silu` SiLU of that; shape and order kept. weight, bias [C] of the same
  /// dtype.
  [[nodiscard]] at::Tensor group_norm(const at::Tensor& x, const at::Tensor& weight,
                                      const at::Tensor& bias, std::int64_t groups, double eps,
                                      bool silu) const;

  /// both [..., 2 * C], contiguous.
  [[nodiscard]] bool takes_geglu(const at::Tensor& both) const;
  /// First half times the exact GELU of the second: [..., C].
  [[nodiscard]] at::Tensor geglu(const at::Tensor& both) const;

  /// a, b [..., C], contiguous and of one shape.
  [[nodiscard]] bool takes_add_layer_norm(const at::Tensor& a, const at::Tensor& b) const;
  struct SumAndNorm {
    at::Tensor sum;    ///< a + b
    at::Tensor normed; ///< layer norm of that, over the last dimension
  };
  [[nodiscard]] SumAndNorm add_layer_norm(const at::Tensor& a, const at::Tensor& b,
                                          const at::Tensor& weight, const at::Tensor& bias,
                                          double eps) const;

  /// output [B or, if guided, 2B, ...], latents [B, ...], in the same order in memory.
  [[nodiscard]] bool takes_linear_step(const at::Tensor& output, const at::Tensor& latents,
                                       bool guided) const;
  struct Stepped {
    at::Tensor latents; ///< after the step
    at::Tensor input;   ///< those divided by next_scale
  };
  [[nodiscard]] Stepped linear_step(const at::Tensor& output, const at::Tensor& latents,
                                    const LinearStep& numbers) const;

private:
  template <class... Values>
  void launch(const std::string& kernel, const KernelGrid& grid, Values... values) const;
  /// Of this device and dtype, on a boundary of 16 bytes.
  [[nodiscard]] bool is_ours(const at::Tensor& x) const;
  [[nodiscard]] std::int64_t pack_width() const;    ///< elements of 16 bytes
  [[nodiscard]] std::int64_t most_channels() const; ///< kMostChannels of gpu_kernels.cu

  std::shared_ptr<const KernelLauncher> launcher_;
  at::Device device_;
  at::ScalarType dtype_;
  at::Tensor tickets_; ///< of group_norm_factors, an int of 0 for each image
};

/// Those of a device and dtype, made once a process. Throws Error as make_cuda_launcher does.
[[nodiscard]] std::shared_ptr<const GpuKernels> gpu_kernels_for(at::Device device,
                                                                at::ScalarType dtype);

} // namespace sdbench
