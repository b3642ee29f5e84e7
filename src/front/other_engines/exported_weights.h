#pragma once

#include <filesystem>
#include <optional>
#include <string>

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

} // namespace sdbench
