#pragma once

#include <filesystem>
#include <vector>

#include "sdbench/base/core/dtype.h"
#include "sdbench/base/weights/component.h"
#include "sdbench/base/weights/safetensors.h"

namespace sdbench {

/// The files of one component in a diffusers folder, opened: one, or the shards that an index
/// names. A folder may hold the weights plain and as `fp16`, `bf16` or `fp32` variant. The nearest
/// to `wanted` is taken: first the same dtype, then fp32 (nothing is lost before the one rounding),
/// then bf16 or fp16; of equals the plain one. Variants of other names
/// (`non_ema`) hold other values and are never taken.
/// An index may only name files of its own folder; each must be there and hold the tensors the
/// index says. Throws Error.
[[nodiscard]] std::vector<SafetensorsFile> open_component_files(const std::filesystem::path& root,
                                                                Component component, Dtype wanted);

/// Whether that folder holds weights that open_component_files would take, judged by names alone.
[[nodiscard]] bool has_component_files(const std::filesystem::path& root, Component component);

} // namespace sdbench
