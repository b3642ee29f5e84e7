#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <ATen/SDPBackend.h>
#include <ATen/core/Tensor.h>

namespace sdbench {

/// "math", "flash", "efficient", "cudnn"; "other" for those that this project does not know.
[[nodiscard]] std::string_view name_of(at::SDPBackend backend);

/// Which of libtorch's kernels computes softmax(q kᵀ / sqrt(D)) v: `wanted` if it can take these,
/// else libtorch's own choice. Looks at shapes, dtype and device only. Shapes as in attend().
[[nodiscard]] at::SDPBackend sdp_backend(const at::Tensor& q, const at::Tensor& k,
                                         const at::Tensor& v, bool causal,
                                         std::optional<at::SDPBackend> wanted);
/// Computes it by that kernel.
[[nodiscard]] at::Tensor sdp(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                             bool causal, std::optional<at::SDPBackend> wanted);

/// What a kernel may fail for while it computes others.
struct AttentionKind {
  std::int64_t head_width = 0;
  bool causal = false;

  auto operator<=>(const AttentionKind&) const = default;
};

/// From now on this process does not take the kernel for this kind: it failed (`reason`).
void give_up(at::SDPBackend backend, const AttentionKind& kind, const std::string& reason);
/// Why it does not; empty where it was not given up.
[[nodiscard]] std::string reason_given_up(at::SDPBackend backend, const AttentionKind& kind);

/// Whether cuDNN of this version (92200 is 9.22.0) is taken for heads so wide. Before 9.22 up to
/// 128 only: libtorch takes it up to 256 on Hopper, where PyTorch's maintainers saw such plans fail
/// and later asked for 9.22 (pull request 161210); flash attention takes those heads.
[[nodiscard]] bool cudnn_takes_heads(std::int64_t head_width, long cudnn_version);

} // namespace sdbench
