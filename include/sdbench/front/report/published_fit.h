#pragma once

#include <filesystem>
#include <vector>

#include "sdbench/front/report/speed_fit.h"

namespace sdbench {

/// Fits of the published times in share/sdbench/published/egpu-2022.csv. The columns read are
/// device, precision, model, task, width, height, batch, loss, quantity, value, unit and
/// tflops_fp32; values whose unit is not ms are skipped. There is a fit for each model, quantity
/// and precision, against the nominal rate and against each column of the facts. The MX250 has no
/// point against the nominal FP32 rate: its times are in fp16, and this GPU computes fp16 at
/// 1/64 of that rate. Returns an empty list if the file or one of these columns is missing.
[[nodiscard]] std::vector<SpeedFit> published_speed_fits(const std::filesystem::path& file,
                                                         const Facts& facts);

} // namespace sdbench
