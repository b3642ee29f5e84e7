#pragma once

#include <filesystem>
#include <vector>

#include "sdbench/front/report/speed_fit.h"

namespace sdbench {

/// Of the published times of share/sdbench/published/egpu-2022.csv (columns device, precision,
/// model, task, width, height, batch, quantity, value in ms, unit and tflops_fp32): a fit for each
/// model, quantity and precision, against the nominal rate and each column of the facts. The MX250
/// has no nominal rate: it computes fp16 at a 64th of the FP32 rate that stands in the table. Empty
/// if the file is not there or lacks one of the columns.
[[nodiscard]] std::vector<SpeedFit> published_speed_fits(const std::filesystem::path& file,
                                                         const Facts& facts);

} // namespace sdbench
