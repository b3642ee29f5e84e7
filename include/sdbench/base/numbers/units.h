#pragma once

#include <cstdint>
#include <string>

namespace sdbench {

/// Time as text. All functions here except batch_count() format figures for people. They use three
/// significant digits and a suitable unit unless their comment says otherwise.
[[nodiscard]] std::string time_text(double seconds);      ///< "12.3 ms", "4.56 s", "2 min 05 s"
[[nodiscard]] std::string bytes_text(std::int64_t bytes); ///< "812 MiB", "4.27 GiB"
/// Step rate as text: "24.3 it/s"; for less than one step per second "3.21 s/it".
[[nodiscard]] std::string step_rate_text(double steps_per_second);
/// Range of step rates from `low` to `high` as text: "24.81 to 25.19 it/s" or "3.197 to 3.223
/// s/it". `rate`: the step rate that determines the unit. The text has four significant digits,
/// because the two ends are close.
[[nodiscard]] std::string step_rate_range_text(double rate, double low, double high);

[[nodiscard]] std::string clock_text(double hertz); ///< "1500 MHz"
/// Operations per second as text: "0.968 GFLOP/s", "40.2 TFLOP/s".
[[nodiscard]] std::string flops_text(double tera_per_second);
/// Number of operations as text: "0.968 GFLOP", "1.61 TFLOP". `tera_per_second`: the rate that is
/// shown beside it and determines the unit.
[[nodiscard]] std::string flop_text(double tera, double tera_per_second);
/// Image size as text: "512x768". Empty if unknown (0), as for a model that cannot be read.
[[nodiscard]] std::string size_text(std::int64_t width, std::int64_t height);
/// Count with its noun in singular or plural: "1 step", "2 steps".
[[nodiscard]] std::string counted(std::int64_t count, const std::string& noun);
/// Number of batches for `images` images. The last batch may be incomplete, as in an epoch.
[[nodiscard]] constexpr std::int64_t batch_count(std::int64_t images, std::int64_t batch) {
  return (images + batch - 1) / batch;
}
/// Batches of a run as text: "batch 4" for one batch, "8 images in batches of 4" for several.
[[nodiscard]] std::string batches_text(std::int64_t images, std::int64_t batch);

} // namespace sdbench
