#pragma once

#include <vector>

#include <ATen/core/Tensor.h>

namespace sdbench {

/// True if joined_relu() can compute these images: all must be fp32, on a CPU and channels-last.
[[nodiscard]] bool can_join(const std::vector<at::Tensor>& parts);

/// Returns relu(x * scale + shift), where x is the concatenation of the images `parts` along
/// channels: [N, C1, H, W], [N, C2, H, W], … -> [N, C1 + C2 + …, H, W], channels-last. Takes one
/// pass over memory; ATen's operators take three, and memory traffic dominates a DenseNet's time.
/// `scale` and `shift`: fp32, one value for each of the C1 + C2 + … channels. NaN stays NaN.
[[nodiscard]] at::Tensor joined_relu(const std::vector<at::Tensor>& parts, const at::Tensor& scale,
                                     const at::Tensor& shift);

} // namespace sdbench
