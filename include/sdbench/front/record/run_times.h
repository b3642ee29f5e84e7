#pragma once

#include <string_view>
#include <vector>

#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// Fills the times, their statistics, the rates and the raw samples. Needs width, height, steps,
/// batch, images and unet_tflop of `record`. Definitions: docs/measuring.md. What has no samples
/// stays empty. Without a whole timed run, the steps of a partial one give the UNet's figures, and
/// the flag "partial" is set. The figures of a part that the work does not have stay empty, too.
void fill_times(RunRecord& record, const CellResult& result);

/// Fills what only whole runs give: statistics of e2e_s, and the rates of images.
void fill_whole_runs(RunRecord& record);

/// Fills the times of epochs from first_image_s and the samples. Does nothing for work without
/// epochs.
void fill_epochs(RunRecord& record);

/// The steps behind the record's statistics of steps, in order of time: those of the timed runs, or
/// of the partial run if no timed run is whole.
[[nodiscard]] std::vector<double> timed_steps(const RunRecord& record);

/// The time of each timed run from end to end.
[[nodiscard]] std::vector<double> times_of_runs(const RunRecord& record);
/// The time of a part in each timed run. Empty if one of the runs lacks the part.
[[nodiscard]] std::vector<double> times_of_part(const RunRecord& record, std::string_view part);

} // namespace sdbench
