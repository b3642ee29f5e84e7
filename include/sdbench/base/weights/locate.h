#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace sdbench {

/// Where a run takes its weights from.
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
/// architecture, as --weights does.
[[nodiscard]] bool environment_names_checkpoint();

/// Returns true if a single file holds weights of the wanted model.
using FitsModel = std::function<bool(const std::filesystem::path&)>;

/// Resolves --weights. `asked`: a path, a repository id ("owner/name"), "synthetic[:SEED]" or
/// empty; an existing path goes before a repository id. A folder whose only weights are
/// model.safetensors is that file. Empty: SDBENCH_WEIGHTS (a checkpoint, or a
/// folder of them, of which one named like the model or its repositories is taken, else the one
/// single file that `fits` it, also of ComfyUI's and A1111's folders), then the Hugging Face cache
/// (hub_cache.h) for `repositories` in their order, then synthetic with fallback = true. Throws
/// Error if what was asked for is not there, or is a pickle (refused by name, says what to use
/// instead); UsageError for a malformed synthetic seed.
[[nodiscard]] WeightsLocation locate_weights(const std::string& asked,
                                             const std::vector<std::string>& repositories,
                                             const std::string& model_name,
                                             const FitsModel& fits = {});

} // namespace sdbench
