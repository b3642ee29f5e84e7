#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "sdbench/base/weights/safetensors.h"

namespace sdbench {

/// Reads the safetensors file that a cell writes if Cell::dump_run is set. It contains the pixels
/// of the final images ("pixels": uint8 [N, H, W, 3]) and the latents after each step ("step_1",
/// "step_2", …: fp32 [N, C, h, w]). N is the number of images. With Cell::dump_step_images, each
/// step except the last also has a file of its own, with the pixels decoded after the step. Thus
/// finished files survive if decoding a later step fails.
class RunDump {
public:
  /// Name of the tensor with pixels.
  static constexpr const char* kPixels = "pixels";
  /// Name of the tensor with the latents after a step. `step` counts from 1.
  [[nodiscard]] static std::string step_name(std::int64_t step);
  /// Path of the file with the pixels after a step (tensor "pixels"), in the same folder as `dump`.
  [[nodiscard]] static std::filesystem::path step_file(const std::filesystem::path& dump,
                                                       std::int64_t step);

  /// Opens the file and the files of its steps, which may be missing. Throws Error for a file in
  /// another format.
  explicit RunDump(const std::filesystem::path& path);

  [[nodiscard]] std::int64_t images() const { return images_; }
  [[nodiscard]] std::int64_t width() const { return width_; }
  [[nodiscard]] std::int64_t height() const { return height_; }
  [[nodiscard]] std::int64_t steps() const { return steps_; }
  /// Pixels of a final image: RGB, [height, width, 3]. `image` counts from 0. The span is valid as
  /// long as this object lives.
  [[nodiscard]] std::span<const std::uint8_t> pixels(std::int64_t image) const;
  /// Pixels of an image, decoded after the given step (the first is 1). For the last step, returns
  /// pixels(). Empty if the step has no file.
  [[nodiscard]] std::span<const std::uint8_t> pixels_after(std::int64_t step,
                                                           std::int64_t image) const;
  /// Latents of an image after the given step (the first is 1): [C, h, w]. The size is the same for
  /// all steps and images.
  [[nodiscard]] std::span<const float> latents(std::int64_t step, std::int64_t image) const;

private:
  [[nodiscard]] static TensorView tensor(const SafetensorsFile& file, const std::string& name,
                                         Dtype dtype);
  void open_step_file(std::int64_t step);
  [[nodiscard]] std::span<const std::uint8_t> pixels_in(const SafetensorsFile& file,
                                                        std::int64_t image) const;

  SafetensorsFile file_;
  std::map<std::int64_t, SafetensorsFile> step_files_; ///< opened files, by step
  std::int64_t images_ = 0;
  std::int64_t width_ = 0;
  std::int64_t height_ = 0;
  std::int64_t steps_ = 0;
  std::size_t latent_count_ = 0; ///< number of elements of one image's latents
};

} // namespace sdbench
