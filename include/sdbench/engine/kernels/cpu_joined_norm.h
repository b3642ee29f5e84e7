#pragma once

#include <vector>

#include <ATen/core/Tensor.h>

namespace sdbench {

/// Whether joined_relu computes with these images: fp32 on a CPU, each channels-last.
[[nodiscard]] bool can_join(const std::vector<at::Tensor>& parts);

/// relu(x * scale + shift) of images that stand one behind the other in channels: of [N, C1, H, W],
/// [N, C2, H, W], … -> [N, C1 + C2 + …, H, W], channels-last. In one pass, where ATen's operators
/// take three, and a DenseNet's time goes into reading and writing. `scale` and `shift`: fp32 of
/// all channels. NaN stays NaN.
[[nodiscard]] at::Tensor joined_relu(const std::vector<at::Tensor>& parts, const at::Tensor& scale,
                                     const at::Tensor& shift);

} // namespace sdbench
