#pragma once

#include <string>

#include "sdbench/base/weights/component.h"
#include "sdbench/base/weights/tensor_view.h"

namespace sdbench {

/// Renames the tensors of a component in a diffusers folder to diffusers' current names. Converts
/// old VAE attention (`query key value proj_attn`, weights [C, C, 1, 1] seen as [C, C]), and text
/// encoders from transformers 5 (without `text_model.`). Drops buffers that are not weights
/// (`position_ids`); keeps other names. Throws Error, with `origin` in front, if two names become
/// one.
[[nodiscard]] TensorMap current_names(Component component, const TensorMap& tensors,
                                      const std::string& origin);

} // namespace sdbench
