#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/weights/safetensors.h"
#include "sdbench/base/weights/tensor_view.h"

namespace sdbench {

/// Results of diffusers in fp32 with the synthetic weights of seed 0: a short fixed run of one
/// architecture, in share/sdbench/golden/NAME.safetensors (made by scripts/make_golden.py). For a
/// network it contains only torchvision's logits of synthetic images. Members throw Error if the
/// file lacks the requested value.
class GoldenFile {
public:
  explicit GoldenFile(const std::filesystem::path& path) : file_(path) {}

  [[nodiscard]] std::string prompt() const { return text("prompt"); }
  [[nodiscard]] double guidance() const;
  [[nodiscard]] std::int64_t steps() const { return integer("steps"); }
  [[nodiscard]] std::int64_t width() const { return integer("width"); }   ///< pixels
  [[nodiscard]] std::int64_t height() const { return integer("height"); } ///< pixels
  /// See architecture_id().
  [[nodiscard]] std::string architecture() const { return text("architecture"); }

  [[nodiscard]] const TensorView& noise() const { return tensor("noise"); }     ///< unscaled
  [[nodiscard]] const TensorView& latents() const { return tensor("latents"); } ///< the final ones
  [[nodiscard]] const TensorView& pixels() const {
    return tensor("pixels");
  } ///< [1, 3, H, W], -1…1
  [[nodiscard]] const TensorView& logits() const { return tensor("logits"); } ///< [N, classes]

private:
  [[nodiscard]] const std::string& text(const char* key) const;
  [[nodiscard]] std::int64_t integer(const char* key) const;
  [[nodiscard]] const TensorView& tensor(const char* name) const;

  SafetensorsFile file_;
};

/// The golden file in `folder` for exactly this architecture; nullopt if it does not exist. Throws
/// Error if a file is damaged, or if the file of a shipped architecture is missing
/// (`folder`/../models/NAME.json).
[[nodiscard]] std::optional<GoldenFile> find_golden_file(const ModelConfig& config,
                                                         const std::filesystem::path& folder);

} // namespace sdbench
