#include "sdbench/base/numbers/units.h"

#include <cmath>

#include "sdbench/base/numbers/number_text.h"

namespace sdbench {

std::string time_text(double seconds) {
  if (seconds < 1e-3) {
    return significant_text(seconds * 1e6) + " us";
  }
  if (seconds < 1) {
    return significant_text(seconds * 1e3) + " ms";
  }
  if (seconds < 100) {
    return significant_text(seconds) + " s";
  }
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  const auto two_digits = [](std::int64_t value) {
    return (value < 10 ? "0" : "") + std::to_string(value);
  };
  if (whole < 3600) {
    return std::to_string(whole / 60) + " min " + two_digits(whole % 60) + " s";
  }
  return std::to_string(whole / 3600) + " h " + two_digits(whole / 60 % 60) + " min";
}

std::string bytes_text(std::int64_t bytes) {
  constexpr double kMebi = 1 << 20;
  const double mebibytes = static_cast<double>(bytes) / kMebi;
  if (bytes != 0 && mebibytes < 0.1) {
    return bytes < 1024 ? std::to_string(bytes) + " bytes"
                        : significant_text(1024 * mebibytes) + " KiB";
  }
  return mebibytes < 1000 ? significant_text(mebibytes) + " MiB"
                          : significant_text(mebibytes / 1024) + " GiB";
}

std::string step_rate_text(double steps_per_second) {
  return steps_per_second >= 1 ? significant_text(steps_per_second) + " it/s"
                               : significant_text(1 / steps_per_second) + " s/it";
}

std::string clock_text(double hertz) {
  constexpr double kMega = 1e6;
  return significant_text(hertz / kMega, 4) + " MHz";
}

std::string step_rate_range_text(double rate, double low, double high) {
  constexpr int kDigits = 4;
  const bool quick = rate >= 1;
  return significant_text(quick ? low : 1 / high, kDigits) + " to " +
         significant_text(quick ? high : 1 / low, kDigits) + (quick ? " it/s" : " s/it");
}

std::string flop_text(double tera, double tera_per_second) {
  constexpr double kLeastTera = 0.1;
  return tera_per_second < kLeastTera ? significant_text(tera * 1e3) + " GFLOP"
                                      : significant_text(tera) + " TFLOP";
}

std::string flops_text(double tera_per_second) {
  return flop_text(tera_per_second, tera_per_second) + "/s";
}

std::string size_text(std::int64_t width, std::int64_t height) {
  return width > 0 && height > 0 ? std::to_string(width) + "x" + std::to_string(height) : "";
}

std::string counted(std::int64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string batches_text(std::int64_t images, std::int64_t batch) {
  return images == batch
             ? "batch " + std::to_string(batch)
             : std::to_string(images) + " images in batches of " + std::to_string(batch);
}

} // namespace sdbench
