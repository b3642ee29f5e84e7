#pragma once

#include "sdbench/record/run_record.h"

namespace sdbench {

/// Fills the times, their statistics, the rates and the raw samples. Needs width, height, steps,
/// batch, images and unet_tflop of `record`. Definitions: docs/measuring.md. What has no samples
/// stays empty.
void fill_times(RunRecord& record, const CellResult& result);

} // namespace sdbench
