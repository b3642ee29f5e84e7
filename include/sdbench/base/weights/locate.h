#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace sdbench {

/// The source of a run's weights.
struct WeightsLocation {
  enum class Kind { kFolder, kSingleFile, kSynthetic };
  Kind kind = Kind::kSynthetic;
  std::filesystem::path path; ///< folder or file
  std::uint64_t seed = 0;     ///< synthetic only
  bool fallback = false;      ///< synthetic because nothing was found: the user must be told loudly
  std::string description;    ///< for people: "synthetic:0", a path, "repo (Hugging Face cache)"
  std::string variable;       ///< environment variable that led here; empty if none
};

/// True if SDBENCH_WEIGHTS is a checkpoint, not a folder of checkpoints. It then decides the
/// architecture, like --weights.
[[nodiscard]] bool environment_names_checkpoint();

/// Returns true if a single file holds weights of the wanted model.
using FitsModel = std::function<bool(const std::filesystem::path&)>;

/// Resolves --weights. `asked`: a path, a repository id ("owner/name"), "synthetic[:SEED]" or
/// empty; an existing path takes precedence over a repository id. A folder whose only weights are
/// model.safetensors stands for that file. If empty, tries in this order:
/// - SDBENCH_WEIGHTS: a checkpoint, or a folder of them. Of a folder, the one named like the model
///   or its repositories, else the single file that `fits`, also in ComfyUI's and A1111's folders.
/// - The Hugging Face cache (hub_cache.h), for `repositories` in their order.
/// - Synthetic weights, with fallback = true.
/// Throws Error if the requested weights do not exist or are a pickle (refused by name, with what
/// to use instead), and UsageError for a malformed synthetic seed.
[[nodiscard]] WeightsLocation locate_weights(const std::string& asked,
                                             const std::vector<std::string>& repositories,
                                             const std::string& model_name,
                                             const FitsModel& fits = {});

} // namespace sdbench
