#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "sdbench/base/weights/safetensors.h"

namespace sdbench {

/// The output of a cell with dump_run: the pixels of its images and their latents after each step,
/// in a mapped safetensors file ("step_1", "step_2" and so on: fp32 [N, C, h, w]; "pixels": uint8
/// [N, H, W, 3]). With dump_step_images also the pixels after each step except the last, in one
/// file for each step, so that finished files survive a failure in decoding the rest.
class RunDump {
public:
  static constexpr const char* kPixels = "pixels";
  /// `step` counts from 1.
  [[nodiscard]] static std::string step_name(std::int64_t step);
  /// The file with the pixels after a step, next to the dump, as a tensor "pixels".
  [[nodiscard]] static std::filesystem::path step_file(const std::filesystem::path& dump,
                                                       std::int64_t step);

  /// Throws Error for a file of any other form. Files of steps may be missing.
  explicit RunDump(const std::filesystem::path& path);

  [[nodiscard]] std::int64_t images() const { return images_; }
  [[nodiscard]] std::int64_t width() const { return width_; }
  [[nodiscard]] std::int64_t height() const { return height_; }
  [[nodiscard]] std::int64_t steps() const { return steps_; }
  /// RGB, [height, width, 3]; lives as long as this object. `image` counts from 0.
  [[nodiscard]] std::span<const std::uint8_t> pixels(std::int64_t image) const;
  /// The same after step `step`, from 1; after the last step it is pixels(). Empty if the step has
  /// no file.
  [[nodiscard]] std::span<const std::uint8_t> pixels_after(std::int64_t step,
                                                           std::int64_t image) const;
  /// Latents after step `step`, from 1: [C, h, w], of equal size in all steps and images.
  [[nodiscard]] std::span<const float> latents(std::int64_t step, std::int64_t image) const;

private:
  [[nodiscard]] static TensorView tensor(const SafetensorsFile& file, const std::string& name,
                                         Dtype dtype);
  void open_step_file(std::int64_t step);
  [[nodiscard]] std::span<const std::uint8_t> pixels_in(const SafetensorsFile& file,
                                                        std::int64_t image) const;

  SafetensorsFile file_;
  std::map<std::int64_t, SafetensorsFile> step_files_; ///< by step
  std::int64_t images_ = 0;
  std::int64_t width_ = 0;
  std::int64_t height_ = 0;
  std::int64_t steps_ = 0;
  std::size_t latent_count_ = 0; ///< numbers of one image's latents
};

} // namespace sdbench
