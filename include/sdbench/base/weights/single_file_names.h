#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/types/component_table.h"
#include "sdbench/base/weights/tensor_view.h"

namespace sdbench {

/// Prefix of a component's tensor names in a single CompVis or SGM file, such as
/// "model.diffusion_model.". Empty if the file does not contain the component.
[[nodiscard]] std::string_view single_file_prefix(const TensorMap& tensors, Component component);

/// Returns one component's tensors of a CompVis or SGM file under diffusers' current names.
/// - In the file, a text encoder may have OpenCLIP's or transformers' names under any known prefix.
/// Each in_proj tensor becomes three views of its parts; text_projection becomes a transposed view.
/// - Omits unused tensors: the first text encoder's projection and, for SD2, its last layer.
/// - A tensor that matches no rule keeps its name.
/// `origin` (the file) appears in errors.
[[nodiscard]] TensorMap single_file_names(Component component, const TensorMap& tensors,
                                          const std::string& origin);

/// Names of a CompVis or SGM file's tensors that belong to no component. Omits the noise schedule's
/// buffers, EMA copies and other leftovers that are usual in such files.
[[nodiscard]] std::vector<std::string> tensors_of_no_component(const TensorMap& tensors);

} // namespace sdbench
