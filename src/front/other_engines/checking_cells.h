#pragma once

#include <cstdint>
#include <filesystem>

#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/weights/golden_file.h"

namespace sdbench {

/// The cell without what is for measuring, saving and limits: an image to look at, by so many timed
/// runs (0: the first image is all).
[[nodiscard]] Cell checking_cell(Cell cell, std::int64_t repeat);

/// The golden run as a cell for the engine of `cell`: its model, weights, device and axes in
/// `precision`, of the golden run's size, steps and prompt. The golden noise is written to `noise`.
/// One timed run, whose latents go to `latents`.
[[nodiscard]] Cell golden_cell(const Cell& cell, Precision precision, const GoldenFile& golden,
                               const std::filesystem::path& noise,
                               const std::filesystem::path& latents);

/// The same for a network: one iteration of inference, with a batch that begins with the golden
/// images. Its answers go to `logits`.
[[nodiscard]] Cell golden_network_cell(const Cell& cell, Precision precision,
                                       const GoldenFile& golden,
                                       const std::filesystem::path& logits);

} // namespace sdbench
