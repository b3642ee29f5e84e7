#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "sdbench/engine/pipeline/stable_diffusion.h"

namespace sdbench {

/// Outcome of the golden check. `check`: "pass", "fail", or empty if there is no golden file.
struct GoldenResult {
  std::string check;
  std::optional<double> rel_err; ///< the larger of the latents' and the image's max|a - b| / max|b|
  std::string message;           ///< one line, if it failed
};

/// Repeats the golden run of the architecture (see find_golden_file for errors of
/// `folder`), and compares the final latents, and the decoded image of the golden latents, by
/// golden_bounds(). `pipeline` must have the synthetic weights of seed 0.
[[nodiscard]] GoldenResult check_golden(const StableDiffusion& pipeline,
                                        const PipelineOptions& options,
                                        const std::filesystem::path& folder);

} // namespace sdbench
