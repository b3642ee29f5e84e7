#include "sdbench/weights/locate.h"

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <system_error>

#include "sdbench/core/error.h"
#include "sdbench/core/in_quotes.h"
#include "sdbench/weights/hub_cache.h"
#include "sdbench/weights/pickle.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;
using Kind = WeightsLocation::Kind;

constexpr std::string_view kSynthetic = "synthetic";

WeightsLocation synthetic(std::uint64_t seed, bool fallback) {
  return {
      Kind::kSynthetic, {}, seed, fallback, std::string(kSynthetic) + ":" + std::to_string(seed)};
}

/// "synthetic" or "synthetic:SEED"; nothing if `asked` is neither.
std::optional<WeightsLocation> parse_synthetic(const std::string& asked) {
  if (asked == kSynthetic) {
    return synthetic(0, false);
  }
  if (!asked.starts_with(std::string(kSynthetic) + ":")) {
    return std::nullopt;
  }
  const char* begin = asked.data() + kSynthetic.size() + 1;
  const char* end = asked.data() + asked.size();
  std::uint64_t seed = 0;
  const auto [stop, error] = std::from_chars(begin, end, seed);
  if (error != std::errc() || stop != end) {
    throw UsageError("the seed of --weights synthetic:SEED must be a whole number from 0 to "
                     "18446744073709551615, but is " +
                     in_quotes(std::string(begin, end)));
  }
  return synthetic(seed, false);
}

/// A folder in diffusers' layout or a .safetensors file; nothing if the path holds neither.
std::optional<WeightsLocation> as_checkpoint(const fs::path& path) {
  if (fs::is_directory(path)) {
    return fs::exists(path / "model_index.json") || fs::is_directory(path / "unet")
               ? std::optional(WeightsLocation{Kind::kFolder, path, 0, false, path.string()})
               : std::nullopt;
  }
  return fs::exists(path) && path.extension() == ".safetensors"
             ? std::optional(WeightsLocation{Kind::kSingleFile, path, 0, false, path.string()})
             : std::nullopt;
}

WeightsLocation existing_path(const fs::path& path) {
  if (auto location = as_checkpoint(path)) {
    return *location;
  }
  throw Error("weights must be a .safetensors file or a diffusers folder (with model_index.json or "
              "unet/), but " +
              in_quotes(path.string()) +
              (fs::is_directory(path) ? " is another folder" : " is another file"));
}

std::optional<WeightsLocation> cached(const std::string& repository) {
  const std::optional<fs::path> snapshot = find_in_hub_cache(repository);
  return snapshot ? std::optional(WeightsLocation{Kind::kFolder, *snapshot, 0, false,
                                                  repository + " (Hugging Face cache)"})
                  : std::nullopt;
}

WeightsLocation asked_repository(const std::string& repository) {
  if (auto location = cached(repository)) {
    return *location;
  }
  if (is_unfinished_in_hub_cache(repository)) {
    throw Error("weights of " + repository + " must be complete in the Hugging Face cache, but " +
                "their download is unfinished; finish it with: " + download_command(repository));
  }
  throw Error(
      "weights must be a file or folder that is there or a repository in the Hugging Face cache, "
      "but " +
      in_quotes(repository) + " is neither (no complete snapshot in " +
      hub_cache_folder().string() + "); get it with: " + download_command(repository));
}

fs::path shelf_of_environment() {
  const char* shelf = std::getenv("SDBENCH_WEIGHTS");
  return shelf == nullptr ? "" : shelf;
}

/// The same for a repository that nobody named: what is broken there must not end in a riddle.
std::optional<WeightsLocation> usual_repository(const std::string& repository) {
  try {
    return cached(repository);
  } catch (const Error& error) {
    throw Error("the cached repository " + repository + " cannot be used: " + error.what() +
                "; download it again, or run without it: --weights synthetic");
  }
}

/// Whether a folder holds a checkpoint by any name, as name or owner/name.
bool is_shelf(const fs::path& folder, int depth = 2) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (as_checkpoint(entry.path()) ||
        (depth > 1 && entry.is_directory(ignored) && is_shelf(entry.path(), depth - 1))) {
      return true;
    }
  }
  return false;
}

/// SDBENCH_WEIGHTS: a checkpoint itself, or a shelf of them, by the model's name or a repository's.
std::optional<WeightsLocation> from_shelf(const fs::path& shelf,
                                          const std::vector<std::string>& repositories,
                                          const std::string& model_name) {
  if (!fs::exists(shelf)) {
    throw Error("SDBENCH_WEIGHTS must be a checkpoint or a folder of checkpoints, but " +
                in_quotes(shelf.string()) + " is not there; correct or unset it");
  }
  if (auto location = as_checkpoint(shelf)) {
    return location;
  }
  if (!is_shelf(shelf)) {
    throw Error("SDBENCH_WEIGHTS must be a checkpoint (a diffusers folder or a .safetensors file) "
                "or a folder of checkpoints, but " +
                in_quotes(shelf.string()) + " is neither; correct or unset it");
  }
  std::vector<std::string> names{model_name};
  for (const std::string& repository : repositories) {
    names.push_back(repository);
    names.push_back(repository.substr(repository.find('/') + 1));
  }
  for (const std::string& name : names) {
    for (const char* suffix : {"", ".safetensors"}) {
      if (auto location = as_checkpoint(shelf / (name + suffix))) {
        return location;
      }
    }
  }
  return std::nullopt;
}

} // namespace

bool environment_names_checkpoint() {
  const fs::path shelf = shelf_of_environment();
  return !shelf.empty() && as_checkpoint(shelf).has_value();
}

WeightsLocation locate_weights(const std::string& asked,
                               const std::vector<std::string>& repositories,
                               const std::string& model_name) {
  if (!asked.empty()) {
    if (const auto location = parse_synthetic(asked)) {
      return *location;
    }
    refuse_pickle(asked);
    if (fs::exists(asked)) {
      return existing_path(asked);
    }
    if (is_repository_id(asked) && !asked.ends_with(".safetensors")) {
      return asked_repository(asked);
    }
    throw Error(
        "weights must be a .safetensors file, a diffusers folder, a repository id (owner/name) or "
        "synthetic[:SEED], but " +
        in_quotes(asked) + " is not there");
  }
  if (const fs::path shelf = shelf_of_environment(); !shelf.empty()) {
    if (const auto location = from_shelf(shelf, repositories, model_name)) {
      return *location;
    }
  }
  for (const std::string& repository : repositories) {
    if (const auto location = usual_repository(repository)) {
      return *location;
    }
  }
  return synthetic(0, true);
}

} // namespace sdbench
