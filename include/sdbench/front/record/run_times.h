#pragma once

#include <string_view>
#include <vector>

#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// Fills the times, their statistics, the rates and the raw times from the worker's result.
/// docs/measuring.md defines them.
/// - `record` must already have width, height, steps, batch, images and unet_tflop.
/// - Figures without samples stay empty, and so do figures of parts that the work does not have.
/// - If no timed run was completed, the UNet's figures come from the steps of the unfinished run,
///   and the flag "partial" is set.
void fill_times(RunRecord& record, const CellResult& result);

/// Fills the figures that need completed runs: statistics of e2e_s, and the rates of images.
void fill_whole_runs(RunRecord& record);

/// Fills the times of epochs from first_image_s and the samples. Does nothing for work without
/// epochs.
void fill_epochs(RunRecord& record);

/// The step times, in seconds, from which the record's step statistics are computed, in
/// chronological order. They come from the timed runs, or from the unfinished run if no timed run
/// was completed.
[[nodiscard]] std::vector<double> timed_steps(const RunRecord& record);

/// The end-to-end time of each timed run, in seconds.
[[nodiscard]] std::vector<double> times_of_runs(const RunRecord& record);
/// The seconds of one part (such as the VAE) in each timed run. Empty if any run lacks this part.
[[nodiscard]] std::vector<double> times_of_part(const RunRecord& record, std::string_view part);

} // namespace sdbench
