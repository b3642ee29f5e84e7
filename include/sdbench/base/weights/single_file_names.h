#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/weights/component.h"
#include "sdbench/base/weights/tensor_view.h"

namespace sdbench {

/// Where a component of a single CompVis/SGM file lies, "model.diffusion_model." for one; empty if
/// nowhere.
[[nodiscard]] std::string_view single_file_prefix(const TensorMap& tensors, Component component);

/// One component of such a file under diffusers' current names. Text encoders may have OpenCLIP's
/// names or transformers', whichever they lie under: in_proj matrices become views of their three
/// parts, text_projection a transposed view. What pipelines of these kinds have no use for (first
/// encoders' last layer and projection) is dropped. A tensor that no rule knows keeps the file's
/// name.
[[nodiscard]] TensorMap single_file_names(Component component, const TensorMap& tensors,
                                          const std::string& origin);

/// Names of tensors that lie in no component, but for the schedule's buffers, EMA copies and the
/// like, which such files usually have.
[[nodiscard]] std::vector<std::string> tensors_of_no_component(const TensorMap& tensors);

} // namespace sdbench
