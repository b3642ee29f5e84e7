#pragma once

#include <cstdint>
#include <filesystem>

#include "sdbench/base/core/precision.h"
#include "sdbench/base/plan/cell.h"
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

/// The golden run of a network, likewise: one iteration of inference, of a batch that has the
/// golden images first. Its answers go to `logits`.
[[nodiscard]] Cell golden_network_cell(const Cell& cell, Precision precision,
                                       const GoldenFile& golden,
                                       const std::filesystem::path& logits);

} // namespace sdbench
