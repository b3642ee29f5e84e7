#pragma once

#include <filesystem>

#include "sdbench/base/dataset/locate_data.h"

namespace sdbench {

/// Writes the data for other projects' engines, so that all train with the same bytes. Makes
/// synthetic data first. The safetensors file has
/// - "train_images" [N, channels, height, width] and "train_labels" [N] of bytes
/// - "test_images" and "test_labels" of the same form
/// - "mean" and "std" [channels] in fp32
/// - the metadata "identity" (dataset.h)
/// Throws Error.
void export_data(const DataLocation& location, const std::filesystem::path& file);

} // namespace sdbench
