#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "sdbench/base/config/model_config.h"
#include "sdbench/engine/models/classifier.h"

namespace sdbench {

/// Images whose bits are the same everywhere, standard deviation 1: [count, C, image_size,
/// image_size] in fp32, fp16 or bf16. A larger batch begins with the images of a smaller one.
[[nodiscard]] at::Tensor synthetic_images(const NetworkConfig& network, std::int64_t count,
                                          std::uint64_t seed, at::ScalarType dtype,
                                          at::Device device);

/// max|a - b| / max|b| of a classifier's logits in inference and those that torchvision computed
/// once in fp32 (see find_golden_file, which says what of `folder` is an error); nothing where
/// there are none of this architecture, NaN if ours have one. `classifier` must have the synthetic
/// weights of seed 0, in `dtype` on `device`, and untouched running statistics. Nothing is recorded
/// by autograd.
[[nodiscard]] std::optional<double> golden_logits_error(const Classifier& classifier,
                                                        const ModelConfig& model,
                                                        at::ScalarType dtype, at::Device device,
                                                        const std::filesystem::path& folder);

} // namespace sdbench
