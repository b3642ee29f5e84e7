#pragma once

#include <memory>
#include <span>
#include <string>

#include <ATen/core/Tensor.h>

#include "sdbench/engine/kernels/kernel_launcher.h"

namespace sdbench {

/// The coefficients of one linear sampler step: next = latents + (from_output * output +
/// from_latents * latents) * to_next, where `output` is the UNet's output after guidance.
struct LinearStep {
  bool guided = false; ///< the UNet's output has an unconditioned, then a conditioned half
  float guidance = 1;
  float from_output = 1;
  float from_latents = 0;
  float to_next = 0;    ///< next sigma - sigma
  float next_scale = 1; ///< the UNet's next input is the next latents divided by this
};

/// This project's GPU kernels for tensors of one dtype on one device (gpu_kernels.cu). takes_…()
/// returns true if a kernel can process the given tensors; else use ATen. All kernels compute in
/// fp32 and round once, whereas ATen rounds after each operator.
class GpuKernels {
public:
  GpuKernels(std::shared_ptr<const KernelLauncher> launcher, at::Device device,
             at::ScalarType dtype);

  /// False unless x is [N, C, H, W] and channels-last, and the size of C elements is a multiple of
  /// 16 bytes. `added`, if it is defined, must be [N or 1, C, 1, 1] and contiguous.
  [[nodiscard]] bool takes_group_norm(const at::Tensor& x, std::int64_t groups,
                                      const at::Tensor& added = {}) const;
  /// Group norm, followed by SiLU if `silu`; keeps the shape and the memory order. weight, bias [C]
  /// of the same dtype. If `added` is defined, the norm is of x + added, which costs no more.
  [[nodiscard]] at::Tensor group_norm(const at::Tensor& x, const at::Tensor& weight,
                                      const at::Tensor& bias, std::int64_t groups, double eps,
                                      bool silu, const at::Tensor& added = {}) const;

  /// False unless x is [N, C, H, W] and channels-last, the size of C elements is a multiple of 16
  /// bytes, and `other`, if it is defined, has the same form.
  [[nodiscard]] bool takes_add_bias(const at::Tensor& x, const at::Tensor& other) const;
  /// x += bias [C] + other, or x += bias if `other` is undefined.
  void add_bias(const at::Tensor& x, const at::Tensor& bias, const at::Tensor& other) const;

  /// False unless `both` is [..., 2 * C] and contiguous.
  [[nodiscard]] bool takes_geglu(const at::Tensor& both) const;
  /// Returns the first half times the exact GELU of the second half: [..., C].
  [[nodiscard]] at::Tensor geglu(const at::Tensor& both) const;

  /// False unless x is contiguous and its size is a multiple of 16 bytes.
  [[nodiscard]] bool takes_quick_gelu(const at::Tensor& x) const;
  /// x * sigmoid(1.702 * x), CLIP's activation.
  [[nodiscard]] at::Tensor quick_gelu(const at::Tensor& x) const;

  /// False unless x is [N, C, H, W] and channels-last, and the size of C elements is a multiple of
  /// 16 bytes.
  [[nodiscard]] bool takes_upsample(const at::Tensor& x) const;
  /// Each pixel four times: [N, C, 2 H, 2 W], channels-last.
  [[nodiscard]] at::Tensor upsample_twice(const at::Tensor& x) const;

  /// False unless x is [..., C] and contiguous, and the size of C elements is a multiple of 16
  /// bytes.
  [[nodiscard]] bool takes_layer_norm(const at::Tensor& x) const;
  /// Layer norm of x + addend over the last dimension; keeps the shape. addend, weight, bias [C] of
  /// the same dtype. The sum is not rounded.
  [[nodiscard]] at::Tensor layer_norm(const at::Tensor& x, const at::Tensor& addend,
                                      const at::Tensor& weight, const at::Tensor& bias,
                                      double eps) const;

  /// False unless `output` is [B, ...] ([2B, ...] if guided), `latents` is [B, ...], and both
  /// have the same memory order.
  [[nodiscard]] bool takes_linear_step(const at::Tensor& output, const at::Tensor& latents,
                                       bool guided) const;
  struct Stepped {
    at::Tensor latents; ///< after the step
    at::Tensor input;   ///< `latents` divided by next_scale
  };
  [[nodiscard]] Stepped linear_step(const at::Tensor& output, const at::Tensor& latents,
                                    const LinearStep& numbers) const;

private:
  template <class... Values>
  void launch(const std::string& kernel, const KernelGrid& grid, Values... values) const;
  /// True if `x` has device_ and dtype_ and is aligned to 16 bytes.
  [[nodiscard]] bool is_ours(const at::Tensor& x) const;
  /// True if `x` is also [N, C, H, W] and channels-last, and its pixels are whole packs.
  [[nodiscard]] bool is_our_image(const at::Tensor& x) const;
  [[nodiscard]] std::int64_t pack_width() const;    ///< number of elements in 16 bytes
  [[nodiscard]] std::int64_t most_channels() const; ///< kMostChannels of gpu_kernels.cu

  std::shared_ptr<const KernelLauncher> launcher_;
  at::Device device_;
  at::ScalarType dtype_;
  at::Tensor tickets_; ///< count of finished blocks per image in group_norm_factors; 0 when idle
};

/// Returns the kernels for `device` and `dtype`. Makes them in the first call; later calls return
/// the same object. Throws the Errors of make_cuda_launcher().
[[nodiscard]] std::shared_ptr<const GpuKernels> gpu_kernels_for(at::Device device,
                                                                at::ScalarType dtype);

} // namespace sdbench
