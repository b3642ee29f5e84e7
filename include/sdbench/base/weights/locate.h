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
  std::string variable;       ///< the environment's that led here; empty: none did
};

/// Whether SDBENCH_WEIGHTS is a checkpoint itself, not a shelf of them: then it decides the
/// architecture, as --weights does.
[[nodiscard]] bool environment_names_checkpoint();

/// Whether a single file holds weights of the model that is looked for.
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
