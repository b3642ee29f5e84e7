#pragma once

#include <cstdint>
#include <filesystem>

#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/weights/golden_file.h"

namespace sdbench {

/// The cell without its settings for measuring, saving and limits. It makes one image to check,
/// with `repeat` timed runs (0: only the first image).
[[nodiscard]] Cell checking_cell(Cell cell, std::int64_t repeat);

/// The golden run as a cell for the engine of `cell`. It has the model, weights, device and axes of
/// `cell`, in `precision`, and the size, steps and prompt of the golden run. Writes the golden
/// noise to `noise`. Its one timed run writes its latents to `latents`.
[[nodiscard]] Cell golden_cell(const Cell& cell, Precision precision, const GoldenFile& golden,
                               const std::filesystem::path& noise,
                               const std::filesystem::path& latents);

/// The same for a network: one iteration of inference, with a batch that begins with the golden
/// images. Its answers are written to `logits`.
[[nodiscard]] Cell golden_network_cell(const Cell& cell, Precision precision,
                                       const GoldenFile& golden,
                                       const std::filesystem::path& logits);

} // namespace sdbench
