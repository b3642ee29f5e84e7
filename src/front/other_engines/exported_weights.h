#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "sdbench/base/dataset/locate_data.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/front/bench/worker_process.h"

namespace sdbench {

/// A diffusers folder, or the failure to write it.
struct ExportedWeights {
  std::filesystem::path folder;
  std::optional<CellOutcome> failure;
};

/// The parts of such a folder's name.
struct ExportedName {
  std::string model;
  std::string seed;
};

/// The parts of the folder's name; nothing if the name is not ours.
[[nodiscard]] std::optional<ExportedName> parse_exported_name(const std::string& folder);

/// The synthetic weights of a cell in fp32, as a diffusers folder in the cache. If they are
/// missing, our own worker `own`, whose options are `options`, writes them. Of two processes, one
/// waits for the other. If the file system has no locks, both write, and the first folder stays.
/// The folder is always whole. Throws Error if the disk has no room.
[[nodiscard]] ExportedWeights exported_weights(const Cell& cell, WorkerExecutor& own,
                                               const WorkerOptions& options,
                                               ExecutorObserver& observer);

/// Writes the data for other projects' engines, so that all train with the same bytes. Makes
/// synthetic data first. The safetensors file has
/// - "train_images" [N, channels, height, width] and "train_labels" [N] of bytes
/// - "test_images" and "test_labels" of the same form
/// - "mean" and "std" [channels] in fp32
/// - the metadata "identity" (dataset.h)
/// Throws Error.
void export_data(const DataLocation& location, const std::filesystem::path& file);

} // namespace sdbench
