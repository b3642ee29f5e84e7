#pragma once

#include <vector>

#include "sdbench/record/run_record.h"

namespace sdbench {

/// Fills the times, their statistics, the rates and the raw samples. Needs width, height, steps,
/// batch, images and unet_tflop of `record`. Definitions: docs/measuring.md. What has no samples
/// stays empty. Without a whole timed run, the steps of a partial one give the UNet's figures, and
/// the flag "partial" says so.
void fill_times(RunRecord& record, const CellResult& result);

/// The part of it that whole runs alone give: statistics of e2e_s, and the rates of images.
void fill_whole_runs(RunRecord& record);

/// The steps that the record's statistics of steps are made of, in order of time: those of the
/// timed runs, or where none is whole, those of the partial one.
[[nodiscard]] std::vector<double> timed_steps(const RunRecord& record);

/// One time of each timed run: `&RunSample::e2e_s`, say.
[[nodiscard]] std::vector<double> times_of_runs(const RunRecord& record, double RunSample::*time);

} // namespace sdbench
