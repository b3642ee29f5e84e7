#pragma once

#include "sdbench/plan/cell.h"

namespace sdbench {

/// Makes the folder of --save-images and sees that it and the folder of --dump-latents can be
/// written to, before minutes are spent on what could not be kept. Throws Error.
void check_output_targets(const Cell& cell);

} // namespace sdbench
