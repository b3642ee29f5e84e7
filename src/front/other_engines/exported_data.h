#pragma once

#include <filesystem>

#include "sdbench/base/dataset/locate_data.h"

namespace sdbench {

/// Reads or makes what lies there and writes it for engines of others, so that all train with the
/// same bytes: a safetensors file with "train_images" [N, channels, height, width] and
/// "train_labels" [N] of bytes, "test_images" and "test_labels" alike, "mean" and "std" [channels]
/// in fp32, and the metadata "identity" (dataset.h). Throws Error.
void export_data(const DataLocation& location, const std::filesystem::path& file);

} // namespace sdbench
