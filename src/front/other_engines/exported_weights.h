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

/// What the name of such a folder says.
struct ExportedName {
  std::string model;
  std::string seed;
};

/// Nothing if the folder's name is not ours.
[[nodiscard]] std::optional<ExportedName> parse_exported_name(const std::string& folder);

/// The synthetic weights of a cell in fp32 as a diffusers folder in the cache, written by our own
/// worker where they are not there yet. Two processes write one after the other, or where the file
/// system has no locks each for itself, and the first one's stay; what is there is whole.
/// `options`: of `own`. Throws Error where the disk has no room.
[[nodiscard]] ExportedWeights exported_weights(const Cell& cell, WorkerExecutor& own,
                                               const WorkerOptions& options,
                                               ExecutorObserver& observer);

/// Reads or makes what lies there and writes it for engines of others, so that all train with the
/// same bytes: a safetensors file with "train_images" [N, channels, height, width] and
/// "train_labels" [N] of bytes, "test_images" and "test_labels" alike, "mean" and "std" [channels]
/// in fp32, and the metadata "identity" (dataset.h). Throws Error.
void export_data(const DataLocation& location, const std::filesystem::path& file);

} // namespace sdbench
