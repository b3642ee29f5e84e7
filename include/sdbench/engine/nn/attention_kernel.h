#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <ATen/SDPBackend.h>
#include <ATen/core/Tensor.h>

#include "sdbench/engine/kernels/cpu_attention.h"

namespace sdbench {

/// The implementation that computes softmax(q kᵀ / sqrt(D)) v. `kAuto` leaves the choice to
/// libtorch; `kSliced` is diffusers' attention slicing with half the heads at a time, which trades
/// speed for memory; `kOwn` is this project's own kernel (kernels/cpu_attention.h). `kBlocked`
/// calls blocked_attention() (nn/blocked_attention.h) and is only for a VAE; users cannot request
/// it.
enum class Attention { kAuto, kMath, kSliced, kEfficient, kFlash, kCudnn, kOwn, kBlocked };

/// "auto", "math", "sliced", "efficient", "flash", "cudnn", "own", "blocked".
[[nodiscard]] std::string_view name_of(Attention kernel);
/// libtorch's kernel of the same name, for kEfficient, kFlash and kCudnn. Empty for all others.
[[nodiscard]] std::optional<at::SDPBackend> fused_backend(Attention kernel);
/// The kernel with this name. Empty if the name is unknown or users cannot request the kernel.
[[nodiscard]] std::optional<Attention> attention_from_name(std::string_view name);

struct AttendOptions {
  Attention kernel = Attention::kAuto;
  bool causal = false;
  bool upcast_scores = false; ///< sliced attention: scores in fp32 (SD2.1 overflows in fp16)
};

/// Computes softmax(q kᵀ / sqrt(D)) v. All layers compute attention with this function. q [B,
/// heads, N, D]; k, v [B, heads, M, D] -> [B, heads, N, D]. If the requested kernel cannot compute
/// this attention, such as the VAE's with its head width of 512, libtorch chooses another one. In
/// that case attention_instead() names the kernel that runs, and attention_used() throws.
/// `kSliced`, `kBlocked` and `kOwn` are used for non-causal attention only.
[[nodiscard]] at::Tensor attend(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                                const AttendOptions& options);

/// The libtorch kernel that attend() uses for these tensors. Empty if attend() uses our own code.
[[nodiscard]] std::optional<at::SDPBackend> libtorch_kernel(const at::Tensor& q,
                                                            const at::Tensor& k,
                                                            const at::Tensor& v,
                                                            const AttendOptions& options);

/// Name of the kernel that attend() runs for unmasked self-attention of q [B, heads, N, D]: "math",
/// "sliced", "flash", "efficient", "cudnn", or the instruction set of our own kernel. Throws Error
/// if that kernel is not the requested one. Does not read q's values.
[[nodiscard]] std::string attention_used(const at::Tensor& q, Attention kernel);
/// Like attention_used(), but never throws: if the requested kernel cannot run, returns the name of
/// the kernel that attend() runs in its place.
[[nodiscard]] std::string attention_instead(const at::Tensor& q, Attention kernel);

/// The instructions that `kOwn` uses for tensors on `device` in `dtype`. Empty if `kOwn` cannot
/// compute with such tensors.
[[nodiscard]] std::optional<CpuInstructions> own_attention(at::Device device, at::ScalarType dtype);

} // namespace sdbench
