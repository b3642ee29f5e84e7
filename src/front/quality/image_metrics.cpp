#include "sdbench/front/quality/image_metrics.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sdbench/base/errors/error.h"

namespace sdbench {
namespace {

constexpr double kPeak = 255;
constexpr std::int64_t kWindow = 7; ///< pixels per side
constexpr std::int64_t kChannels = 3;

template <typename Number>
Difference difference_of(std::span<const Number> numbers, std::span<const Number> reference) {
  if (numbers.size() != reference.size() || numbers.empty()) {
    throw Error("two images that are compared must have the same number of values, but have " +
                std::to_string(numbers.size()) + " and " + std::to_string(reference.size()));
  }
  Difference found;
  double squares = 0;
  double reference_squares = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double wanted = reference[i];
    const double error = numbers[i] - wanted;
    squares += error * error;
    reference_squares += wanted * wanted;
    found.max_error = std::max(found.max_error, std::abs(error));
  }
  found.mse = squares / static_cast<double>(numbers.size());
  found.nmse = squares == 0 ? 0 : squares / reference_squares;
  if (std::isnan(squares)) {
    found.max_error = squares; // std::max ignores NaN
  }
  return found;
}

/// Sums over a window or one of its columns. Integers, so that sliding the window adds no error.
struct Sums {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t xx = 0;
  std::int64_t yy = 0;
  std::int64_t xy = 0;

  void add(std::int64_t a, std::int64_t b, std::int64_t sign) {
    x += sign * a;
    y += sign * b;
    xx += sign * a * a;
    yy += sign * b * b;
    xy += sign * a * b;
  }
  void add(const Sums& other, std::int64_t sign) {
    x += sign * other.x;
    y += sign * other.y;
    xx += sign * other.xx;
    yy += sign * other.yy;
    xy += sign * other.xy;
  }
};

double window_similarity(const Sums& sums) {
  constexpr double kCount = kWindow * kWindow;
  constexpr double kSample = kCount / (kCount - 1); // divisor n - 1
  constexpr double kC1 = (0.01 * kPeak) * (0.01 * kPeak);
  constexpr double kC2 = (0.03 * kPeak) * (0.03 * kPeak);
  const double mean_x = static_cast<double>(sums.x) / kCount;
  const double mean_y = static_cast<double>(sums.y) / kCount;
  const double variance_x = kSample * (static_cast<double>(sums.xx) / kCount - mean_x * mean_x);
  const double variance_y = kSample * (static_cast<double>(sums.yy) / kCount - mean_y * mean_y);
  const double covariance = kSample * (static_cast<double>(sums.xy) / kCount - mean_x * mean_y);
  return ((2 * mean_x * mean_y + kC1) * (2 * covariance + kC2)) /
         ((mean_x * mean_x + mean_y * mean_y + kC1) * (variance_x + variance_y + kC2));
}

/// Sum of the similarities of all windows of one channel.
double channel_similarity(const ImageView& image, const ImageView& reference,
                          std::int64_t channel) {
  std::vector<Sums> columns(static_cast<std::size_t>(image.width)); // over a window's height
  const auto add_row = [&](std::int64_t row, std::int64_t sign) {
    for (std::int64_t column = 0; column < image.width; ++column) {
      const auto place =
          static_cast<std::size_t>((row * image.width + column) * kChannels + channel);
      columns[static_cast<std::size_t>(column)].add(image.rgb[place], reference.rgb[place], sign);
    }
  };
  double total = 0;
  for (std::int64_t row = 0; row < image.height; ++row) {
    add_row(row, 1);
    if (row >= kWindow) {
      add_row(row - kWindow, -1);
    }
    if (row + 1 < kWindow) {
      continue;
    }
    Sums window;
    for (std::int64_t column = 0; column < image.width; ++column) {
      window.add(columns[static_cast<std::size_t>(column)], 1);
      if (column >= kWindow) {
        window.add(columns[static_cast<std::size_t>(column - kWindow)], -1);
      }
      total += column + 1 < kWindow ? 0 : window_similarity(window);
    }
  }
  return total;
}

} // namespace

Difference difference(std::span<const std::uint8_t> numbers,
                      std::span<const std::uint8_t> reference) {
  return difference_of(numbers, reference);
}

Difference difference(std::span<const float> numbers, std::span<const float> reference) {
  return difference_of(numbers, reference);
}

double psnr_db(double mse) {
  constexpr double kDecibel = 10;
  return mse == 0 ? HUGE_VAL : kDecibel * std::log10(kPeak * kPeak / mse);
}

double ssim(const ImageView& image, const ImageView& reference) {
  const auto size_text = [](const ImageView& view) {
    return std::to_string(view.width) + "x" + std::to_string(view.height);
  };
  if (image.width != reference.width || image.height != reference.height) {
    throw Error("images must be of one size to be compared, but are " + size_text(image) + " and " +
                size_text(reference));
  }
  if (image.width < kWindow || image.height < kWindow) {
    throw Error("images must have sides of at least 7 pixels for SSIM, but are " +
                size_text(image));
  }
  double total = 0;
  for (std::int64_t channel = 0; channel < kChannels; ++channel) {
    total += channel_similarity(image, reference, channel);
  }
  const double windows =
      static_cast<double>((image.width - kWindow + 1) * (image.height - kWindow + 1));
  return total / (windows * kChannels);
}

} // namespace sdbench
