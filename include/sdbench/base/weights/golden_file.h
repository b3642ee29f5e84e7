#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/weights/safetensors.h"
#include "sdbench/base/weights/tensor_view.h"

namespace sdbench {

/// A golden file: results of diffusers in fp32 with the synthetic weights of seed 0, for a short
/// fixed run of one architecture. The path is share/sdbench/golden/NAME.safetensors;
/// scripts/make_golden.py makes the file. For an image classifier, the file contains only
/// torchvision's logits of synthetic images. The member functions throw Error if the file does not
/// contain the requested value.
class GoldenFile {
public:
  explicit GoldenFile(const std::filesystem::path& path) : file_(path) {}

  [[nodiscard]] std::string prompt() const { return text("prompt"); }
  [[nodiscard]] double guidance() const;
  [[nodiscard]] std::int64_t steps() const { return integer("steps"); }
  [[nodiscard]] std::int64_t width() const { return integer("width"); }   ///< pixels
  [[nodiscard]] std::int64_t height() const { return integer("height"); } ///< pixels
  /// The architecture_id() of the model that the file was made for.
  [[nodiscard]] std::string architecture() const { return text("architecture"); }

  /// Initial noise, before the sampler scales it.
  [[nodiscard]] const TensorView& noise() const { return tensor("noise"); }
  /// The final latents.
  [[nodiscard]] const TensorView& latents() const { return tensor("latents"); }
  /// [1, 3, H, W], values from -1 to 1.
  [[nodiscard]] const TensorView& pixels() const { return tensor("pixels"); }
  [[nodiscard]] const TensorView& logits() const { return tensor("logits"); } ///< [N, classes]

private:
  [[nodiscard]] const std::string& text(const char* key) const;
  [[nodiscard]] std::int64_t integer(const char* key) const;
  [[nodiscard]] const TensorView& tensor(const char* name) const;

  SafetensorsFile file_;
};

/// Opens the golden file in `folder` for exactly this architecture. nullopt if there is no such
/// file. Throws Error if the file is damaged, or if it is missing for an architecture that is
/// shipped with sdbench (`folder`/../models/NAME.json).
[[nodiscard]] std::optional<GoldenFile> find_golden_file(const ModelConfig& config,
                                                         const std::filesystem::path& folder);

} // namespace sdbench
