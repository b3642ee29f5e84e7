#pragma once

#include <functional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "sdbench/engine/nn/attention_kernel.h"

namespace sdbench {

/// Computes one attention and waits for it; throws what its kernel throws.
using AttentionAttempt = std::function<void(const at::Tensor& q, const at::Tensor& k,
                                            const at::Tensor& v, const AttendOptions& options)>;

/// attend() on a GPU. On a CPU nothing: there a kernel that is chosen can compute.
void attempt_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                       const AttendOptions& options);

/// Makes sure that attend() can compute these: libtorch chooses a kernel by shapes and never tries,
/// so the one it takes may fail (cuDNN's without a plan for this GPU). As long as it does, it is
/// given up for heads so wide, and the next one is tried. Returns a line for each that is given up,
/// now or before in this process, and would have been taken by what is asked for. Not for a
/// capture. What q, k and v hold does not count. Throws c10::OutOfMemoryError.
[[nodiscard]] std::vector<std::string>
settle_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                 const AttendOptions& options, const AttentionAttempt& attempt = attempt_attention);

} // namespace sdbench
