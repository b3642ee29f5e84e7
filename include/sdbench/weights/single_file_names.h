#pragma once

#include <string>

#include "sdbench/weights/component.h"
#include "sdbench/weights/single_file.h"
#include "sdbench/weights/tensor_view.h"

namespace sdbench {

/// One component of a single CompVis/SGM file under diffusers' current names. Text in_proj matrices
/// become views of their three parts, text_projection a transposed view. The schedule's buffers,
/// EMA copies and the like are dropped. A tensor that no rule knows keeps the file's name; one that
/// lies under no component's prefix is counted to the UNet.
[[nodiscard]] TensorMap single_file_names(SingleFileKind kind, Component component,
                                          const TensorMap& tensors, const std::string& origin);

} // namespace sdbench
