#pragma once

#include <optional>
#include <string>

#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// Why the cell's engine does not support the requested device, dtype or engine options (axes), in
/// one line. Empty if it supports them. The worker later checks what depends on the actual device.
[[nodiscard]] std::string engine_obstacle(const Cell& cell);

/// Why sdbench's own engines cannot train an image classifier on a CPU in the cell's number format.
/// Empty if they can, or if the cell does not train.
[[nodiscard]] std::string cpu_training_obstacle(const Cell& cell);

/// Why --fp16-accumulation on has no effect in the cell, on a CPU or a GPU, with a UNet in `dtype`
/// (empty: not chosen yet). Empty if it has an effect or is off.
[[nodiscard]] std::string fp16_accumulation_obstacle(const Cell& cell, bool on_cpu,
                                                     std::optional<Precision> dtype);

} // namespace sdbench
