#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "sdbench/engine/pipeline/stable_diffusion.h"

namespace sdbench {

/// Outcome of the golden check. `check`: "pass", "fail", or empty where there is nothing to compare
/// with.
struct GoldenResult {
  std::string check;
  std::optional<double> rel_err; ///< the larger of the latents' and the image's max|a - b| / max|b|
  std::string message;           ///< one line, if it failed
};

/// Largest relative error of a correct program in these dtypes on this kind of device. See
/// docs/synthetic-weights.md for what was measured.
struct GoldenBounds {
  double latents = 0;
  double pixels = 0;
};
[[nodiscard]] GoldenBounds golden_bounds(const PipelineOptions& options);

/// Repeats the short fixed run of `folder`/NAME.safetensors (share/sdbench/golden; made by
/// scripts/make_golden.py with diffusers in fp32) and compares the final latents, and the decoded
/// image of the golden latents. `pipeline` must have the synthetic weights of seed 0. Nothing to
/// compare with: no such file, or one of another architecture. Throws Error for a damaged file, and
/// for one that is missing beside a shipped architecture (`folder`/../models/NAME.json).
[[nodiscard]] GoldenResult check_golden(const StableDiffusion& pipeline,
                                        const PipelineOptions& options,
                                        const std::filesystem::path& folder);

} // namespace sdbench
