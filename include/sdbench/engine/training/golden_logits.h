#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "sdbench/base/config/model_config.h"
#include "sdbench/engine/models/classifier.h"

namespace sdbench {

/// Synthetic images [count, C, image_size, image_size] in fp32, fp16 or bf16, of standard deviation
/// 1. Their bits are the same on every machine. A larger `count` only appends images.
[[nodiscard]] at::Tensor synthetic_images(const NetworkConfig& network, std::int64_t count,
                                          std::uint64_t seed, at::ScalarType dtype,
                                          at::Device device);

/// Returns max|a - b| / max|b|. a: the classifier's logits in inference. b: the logits in the
/// golden file, which torchvision computed in fp32. Returns nullopt if `folder` has no golden file
/// for this architecture, NaN if a logit is NaN. `classifier` must have the synthetic weights of
/// seed 0, in `dtype` on `device`, and initial running statistics. Records nothing for autograd.
/// Throws Error if the golden file is damaged, or missing for a model that sdbench ships.
[[nodiscard]] std::optional<double> golden_logits_error(const Classifier& classifier,
                                                        const ModelConfig& model,
                                                        at::ScalarType dtype, at::Device device,
                                                        const std::filesystem::path& folder);

} // namespace sdbench
