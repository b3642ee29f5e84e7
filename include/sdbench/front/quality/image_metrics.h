#pragma once

#include <cstdint>
#include <span>

namespace sdbench {

/// An image's pixels, not owned: 8-bit RGB, [height, width, 3], as in a PNG.
struct ImageView {
  std::span<const std::uint8_t> rgb;
  std::int64_t width = 0;
  std::int64_t height = 0;
};

/// Errors of numbers compared with their reference.
struct Difference {
  double mse = 0;       ///< mean of the squared errors
  double nmse = 0;      ///< sum of the squared errors / sum of the squared reference values
  double max_error = 0; ///< largest |number - reference|
};

/// `numbers` compared with `reference`. Throws Error if they differ in size or are empty. A NaN
/// makes the result NaN.
[[nodiscard]] Difference difference(std::span<const std::uint8_t> numbers,
                                    std::span<const std::uint8_t> reference);
[[nodiscard]] Difference difference(std::span<const float> numbers,
                                    std::span<const float> reference);

/// Peak signal-to-noise ratio of 8-bit images, in decibels; infinity if `mse` is 0. Computed as by
/// skimage.metrics.peak_signal_noise_ratio(data_range=255).
[[nodiscard]] double psnr_db(double mse);

/// Mean structural similarity (Wang et al. 2004), with uniform windows of 7x7 pixels wholly inside
/// the image, sample covariance, and the mean of the channels. 1 for equal images. Computed as by
/// skimage.metrics.structural_similarity(channel_axis=-1, data_range=255). Throws Error if the
/// images differ in size, or if a side has fewer than 7 pixels.
[[nodiscard]] double ssim(const ImageView& image, const ImageView& reference);

} // namespace sdbench
