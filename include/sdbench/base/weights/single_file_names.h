#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/types/component.h"
#include "sdbench/base/weights/tensor_view.h"

namespace sdbench {

/// Prefix of a component in a single CompVis/SGM file, such as "model.diffusion_model."; empty if
/// the file lacks the component.
[[nodiscard]] std::string_view single_file_prefix(const TensorMap& tensors, Component component);

/// One component of such a file under diffusers' current names. Text encoders may have OpenCLIP's
/// or transformers' names under any prefix: in_proj matrices become views of their three parts,
/// text_projection a transposed view. Omits what these pipelines do not use (the first encoder's
/// last layer and projection). A tensor that matches no rule keeps its name.
[[nodiscard]] TensorMap single_file_names(Component component, const TensorMap& tensors,
                                          const std::string& origin);

/// Names of tensors outside of all components. Omits the schedule's buffers, EMA copies and other
/// leftovers that are usual in such files.
[[nodiscard]] std::vector<std::string> tensors_of_no_component(const TensorMap& tensors);

} // namespace sdbench
