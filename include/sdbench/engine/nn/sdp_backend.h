#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <ATen/SDPBackend.h>
#include <ATen/core/Tensor.h>

namespace sdbench {

/// "math", "flash", "efficient" or "cudnn"; "other" for any other backend.
[[nodiscard]] std::string_view name_of(at::SDPBackend backend);

/// The libtorch kernel that computes softmax(q kᵀ / sqrt(D)) v: `wanted` if it can take these
/// tensors, else libtorch's own choice. Never returns a kernel that was given up (see give_up()).
/// Does not read the tensors' values. Shapes as in attend().
[[nodiscard]] at::SDPBackend sdp_backend(const at::Tensor& q, const at::Tensor& k,
                                         const at::Tensor& v, bool causal,
                                         std::optional<at::SDPBackend> wanted);
/// Computes the attention with the kernel that sdp_backend() returns.
[[nodiscard]] at::Tensor sdp(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                             bool causal, std::optional<at::SDPBackend> wanted);

/// The properties of an attention that decide whether a kernel fails for it. A kernel may compute
/// one kind of attention and fail for another.
struct AttentionKind {
  std::int64_t head_width = 0;
  bool causal = false;

  auto operator<=>(const AttentionKind&) const = default;
};

/// Stops this process from using a failed kernel for this kind of attention. `reason`: its error.
void give_up(at::SDPBackend backend, const AttentionKind& kind, const std::string& reason);
/// Why the kernel was given up for this kind; empty if it was not.
[[nodiscard]] std::string reason_given_up(at::SDPBackend backend, const AttentionKind& kind);

/// True if we use cuDNN of this version (92200 is 9.22.0) for heads of this width. Before 9.22 we
/// use cuDNN only up to a width of 128, and flash attention for wider heads. Reason: on Hopper,
/// libtorch uses cuDNN up to a width of 256. PyTorch's maintainers saw cuDNN's plans fail there
/// above 128, and later required cuDNN 9.22 (pull request 161210).
[[nodiscard]] bool cudnn_takes_heads(std::int64_t head_width, long cudnn_version);

} // namespace sdbench
