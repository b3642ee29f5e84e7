#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "sdbench/engine/pipeline/stable_diffusion.h"

namespace sdbench {

/// Result of a comparison with the reference output in a golden file. `check`: "pass", "fail", or
/// empty if there is no golden file.
struct GoldenResult {
  std::string check;
  /// The larger of the errors of latents and image, each max|ours - golden| / max|golden|. Empty if
  /// there is no golden file or if an error is not finite.
  std::optional<double> rel_err;
  std::string message; ///< one line; empty unless `check` is "fail"
};

/// Repeats the run that the architecture's golden file in `folder` describes, and compares the
/// final latents with the file's latents. Then decodes the file's latents and compares the image
/// with the file's image. golden_bounds() gives the largest errors that pass. `pipeline` must have
/// the synthetic weights of seed 0. Throws the Errors of find_golden_file().
[[nodiscard]] GoldenResult check_golden(const StableDiffusion& pipeline,
                                        const PipelineOptions& options,
                                        const std::filesystem::path& folder);

} // namespace sdbench
