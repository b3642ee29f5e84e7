#pragma once

#include <cstdint>
#include <string>

namespace sdbench {

/// Figures for people: three significant digits, in a suitable unit.
[[nodiscard]] std::string time_text(double seconds);      ///< "12.3 ms", "4.56 s", "2 min 05 s"
[[nodiscard]] std::string bytes_text(std::int64_t bytes); ///< "812 MiB", "4.27 GiB"
/// "24.3 it/s", or below one step a second "3.21 s/it".
[[nodiscard]] std::string step_rate_text(double steps_per_second);
/// "24.81 to 25.19 it/s", or "3.197 to 3.223 s/it", in the unit of `rate`, with one more digit
/// because the ends are close.
[[nodiscard]] std::string step_rate_range_text(double rate, double low, double high);

[[nodiscard]] std::string clock_text(double hertz); ///< "1500 MHz"
/// Operations a second: "0.968 GFLOP/s", "40.2 TFLOP/s".
[[nodiscard]] std::string flops_text(double tera_per_second);
/// Operations, in the unit of the rate beside them: "0.968 GFLOP", "1.61 TFLOP".
[[nodiscard]] std::string flop_text(double tera, double tera_per_second);
/// "512x768"; empty if unknown, like for a model that cannot be read.
[[nodiscard]] std::string size_text(std::int64_t width, std::int64_t height);
/// "1 step", "2 steps"
[[nodiscard]] std::string counted(std::int64_t count, const std::string& noun);
/// Number of batches for `images`. The last one may be partial, like in an epoch.
[[nodiscard]] constexpr std::int64_t batch_count(std::int64_t images, std::int64_t batch) {
  return (images + batch - 1) / batch;
}
/// "batch 4", or if a run takes more than one batch "8 images in batches of 4".
[[nodiscard]] std::string batches_text(std::int64_t images, std::int64_t batch);

} // namespace sdbench
