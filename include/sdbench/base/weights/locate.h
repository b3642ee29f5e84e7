#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace sdbench {

/// Where a run's weights come from.
struct WeightsLocation {
  enum class Kind { kFolder, kSingleFile, kSynthetic };
  Kind kind = Kind::kSynthetic;
  std::filesystem::path path = {}; ///< path of the folder or file; empty for synthetic weights
  std::uint64_t seed = 0;          ///< seed of synthetic weights
  /// True: synthetic weights are used because no others were found. The user must be told this.
  bool fallback = false;
  std::string description = {}; ///< for people: "synthetic:0", a path, "repo (Hugging Face cache)"
  std::string variable = {}; ///< environment variable that named the path; empty if no variable did
};

/// True if the environment variable SDBENCH_WEIGHTS names a checkpoint and not a folder of several
/// checkpoints. The checkpoint then determines the architecture, as with --weights.
[[nodiscard]] bool environment_names_checkpoint();

/// Function that returns true if a single file contains weights of the wanted model.
using FitsModel = std::function<bool(const std::filesystem::path&)>;

/// Finds the weights for --weights. `asked`: a path, a repository id ("owner/name"),
/// "synthetic[:SEED]" or empty. An existing path takes precedence over a repository id. A folder
/// whose only weights are in model.safetensors stands for that file. If `asked` is empty, tries in
/// this order:
/// - The environment variable SDBENCH_WEIGHTS: a checkpoint, or a folder of checkpoints. In a
/// folder, looks for a checkpoint named like the model or one of `repositories`, then for a single
/// file that `fits` accepts, also in ComfyUI's and A1111's subfolders (Error if several fit).
/// - The Hugging Face cache (hub_cache.h), for each of `repositories` in order.
/// - Synthetic weights, with fallback = true.
/// Throws Error if the requested weights do not exist, or are a pickle; the error then says what to
/// use instead. Throws UsageError for a malformed synthetic seed.
[[nodiscard]] WeightsLocation locate_weights(const std::string& asked,
                                             const std::vector<std::string>& repositories,
                                             const std::string& model_name,
                                             const FitsModel& fits = {});

} // namespace sdbench
