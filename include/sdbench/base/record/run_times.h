#pragma once

#include <string_view>
#include <vector>

#include "sdbench/base/record/run_record.h"

namespace sdbench {

/// Fills the times, their statistics, the rates and the raw samples. Needs width, height, steps,
/// batch, images and unet_tflop of `record`. Definitions: docs/measuring.md. What has no samples
/// stays empty. Without a whole timed run, the steps of a partial one give the UNet's figures, and
/// the flag "partial" says so. A figure of a part that the work has not stays empty, too.
void fill_times(RunRecord& record, const CellResult& result);

/// The part of it that whole runs alone give: statistics of e2e_s, and the rates of images.
void fill_whole_runs(RunRecord& record);

/// Times of epochs from first_image_s and the samples; nothing where the work has none.
void fill_epochs(RunRecord& record);

/// The steps that the record's statistics of steps are made of, in order of time: those of the
/// timed runs, or where none is whole, those of the partial one.
[[nodiscard]] std::vector<double> timed_steps(const RunRecord& record);

/// The time of each timed run from end to end.
[[nodiscard]] std::vector<double> times_of_runs(const RunRecord& record);
/// The time of a part of each timed run; none at all if one of them has no such part.
[[nodiscard]] std::vector<double> times_of_part(const RunRecord& record, std::string_view part);

} // namespace sdbench
