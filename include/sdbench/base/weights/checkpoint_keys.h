#pragma once

#include <string>

#include "sdbench/base/weights/component.h"
#include "sdbench/base/weights/tensor_view.h"

namespace sdbench {

/// Names of a component in a diffusers folder → diffusers' current names: old VAE attention (`query
/// key value proj_attn`, weights [C, C, 1, 1] seen as [C, C]), text encoders as transformers 5
/// writes them (without `text_model.`). Buffers that are no weights
/// (`position_ids`) are dropped, other names stay. Throws Error if two names become one; `origin`
/// stands before it.
[[nodiscard]] TensorMap current_names(Component component, const TensorMap& tensors,
                                      const std::string& origin);

} // namespace sdbench
