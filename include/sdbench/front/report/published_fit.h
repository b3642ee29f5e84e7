#pragma once

#include <filesystem>
#include <vector>

#include "sdbench/front/report/speed_fit.h"

namespace sdbench {

/// Fits of the published times in share/sdbench/published/egpu-2022.csv (columns device, precision,
/// model, task, width, height, batch, quantity, value in ms, unit and tflops_fp32). Makes a fit for
/// each model, quantity and precision, against the nominal rate and each column of the facts. The
/// MX250 gets no nominal rate, because it computes fp16 at 1/64 of the FP32 rate in the table.
/// Empty if the file or one of the columns is missing.
[[nodiscard]] std::vector<SpeedFit> published_speed_fits(const std::filesystem::path& file,
                                                         const Facts& facts);

} // namespace sdbench
