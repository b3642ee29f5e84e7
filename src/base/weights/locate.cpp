#include "sdbench/base/weights/locate.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>

#include "pickle_refusal.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/file_ending.h"
#include "sdbench/base/files/home_path.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/types/component_table.h"
#include "sdbench/base/weights/component_files.h"
#include "sdbench/base/weights/hub_cache.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;
using Kind = WeightsLocation::Kind;

constexpr std::string_view kSynthetic = "synthetic";

WeightsLocation synthetic(std::uint64_t seed, bool fallback) {
  return {.seed = seed,
          .fallback = fallback,
          .description = std::string(kSynthetic) + ":" + std::to_string(seed)};
}

/// "synthetic" or "synthetic:SEED"; nothing if `asked` is neither.
std::optional<WeightsLocation> parse_synthetic(const std::string& asked) {
  if (asked == kSynthetic) {
    return synthetic(0, false);
  }
  if (!asked.starts_with(std::string(kSynthetic) + ":")) {
    return std::nullopt;
  }
  const std::string number = asked.substr(kSynthetic.size() + 1);
  const std::optional<std::uint64_t> seed = parse_unsigned(number);
  if (!seed) {
    throw UsageError("the seed of --weights synthetic:SEED must be a whole number from 0 to "
                     "18446744073709551615, but is " +
                     in_quotes(number));
  }
  return synthetic(*seed, false);
}

WeightsLocation single_file(const fs::path& path) {
  return {.kind = Kind::kSingleFile, .path = path, .description = path.string()};
}

WeightsLocation folder_location(const fs::path& path) {
  return {.kind = Kind::kFolder, .path = path, .description = path.string()};
}

/// A folder in diffusers' layout or a safetensors file of any name; nothing if the path is neither.
std::optional<WeightsLocation> as_checkpoint(const fs::path& path) {
  if (fs::is_directory(path)) {
    return fs::exists(path / "model_index.json") || fs::is_directory(path / "unet")
               ? std::optional(folder_location(path))
               : std::nullopt;
  }
  const bool is_file =
      fs::exists(path) && (file_ending(path) == ".safetensors" || looks_like_safetensors(path));
  return is_file ? std::optional(single_file(path)) : std::nullopt;
}

/// The single files of a folder, sorted by name; includes subfolders if `deep`.
std::vector<fs::path> single_files_in(const fs::path& folder, bool deep) {
  std::vector<fs::path> files;
  std::error_code ignored;
  const auto take = [&](const fs::path& path) {
    if (!fs::is_directory(path, ignored) && as_checkpoint(path)) {
      files.push_back(path);
    }
  };
  constexpr auto kOptions = fs::directory_options::skip_permission_denied;
  if (deep) {
    for (const auto& entry : fs::recursive_directory_iterator(folder, kOptions, ignored)) {
      take(entry.path());
    }
  } else {
    for (const auto& entry : fs::directory_iterator(folder, kOptions, ignored)) {
      take(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

/// The single files of a folder of checkpoints, which may be ComfyUI's (models/checkpoints) or
/// A1111's (models/Stable-diffusion).
std::vector<fs::path> single_files_of_shelf(const fs::path& shelf) {
  std::vector<fs::path> files = single_files_in(shelf, false);
  for (const char* folder :
       {"checkpoints", "Stable-diffusion", "models/checkpoints", "models/Stable-diffusion"}) {
    std::ranges::copy(single_files_in(shelf / folder, true), std::back_inserter(files));
  }
  return files;
}

/// "\"a.safetensors\", \"b.safetensors\" and 3 more"
std::string listed(const std::vector<fs::path>& files) {
  constexpr std::size_t kMost = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(files.size(), kMost); ++i) {
    text += (i == 0 ? "" : ", ") + in_quotes(files[i].string());
  }
  return files.size() <= kMost ? text
                               : text + " and " + std::to_string(files.size() - kMost) + " more";
}

WeightsLocation existing_path(const fs::path& path) {
  if (auto location = as_checkpoint(path)) {
    return *location;
  }
  const std::vector<fs::path> files = single_files_of_shelf(path);
  if (files.size() == 1 && files.front() == path / "model.safetensors") {
    return single_file(files.front()); // export-weights writes networks like this
  }
  throw Error("weights must be a .safetensors file or a diffusers folder (with model_index.json or "
              "unet/), but " +
              in_quotes(path.string()) +
              (!fs::is_directory(path) ? " is another file"
               : files.empty()         ? " is another folder"
                               : " is a folder of single files; name one: " + listed(files)));
}

/// The location with a description that says that it is cached.
WeightsLocation in_cache(WeightsLocation location, const std::string& repository) {
  location.description = repository + " (Hugging Face cache)";
  return location;
}

std::optional<WeightsLocation> cached(const std::string& repository) {
  const std::optional<fs::path> snapshot = find_in_hub_cache(repository);
  return snapshot ? std::optional(in_cache(folder_location(*snapshot), repository)) : std::nullopt;
}

/// Single files of a cached repository that holds no pipeline.
std::vector<fs::path> cached_single_files(const std::string& repository) {
  const std::optional<fs::path> snapshot = any_snapshot_in_hub_cache(repository);
  return snapshot && !fs::exists(*snapshot / "model_index.json") ? single_files_in(*snapshot, false)
                                                                 : std::vector<fs::path>{};
}

/// Pickles of those parts of a cached pipeline that have no other files, relative to the snapshot.
std::vector<fs::path> cached_pickles(const std::string& repository) {
  std::vector<fs::path> pickles;
  const std::optional<fs::path> snapshot = any_snapshot_in_hub_cache(repository);
  for (const ComponentRow& row : pipeline_components()) {
    if (!snapshot || has_component_files(*snapshot, row.component)) {
      continue;
    }
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(*snapshot / row.folder, ignored)) {
      if (is_pickle(entry.path())) {
        pickles.push_back(fs::path(row.folder) / entry.path().filename());
        break;
      }
    }
  }
  return pickles;
}

WeightsLocation asked_repository(const std::string& repository) {
  if (auto location = cached(repository)) {
    return *location;
  }
  const std::string weights_of = "weights of " + repository + " must be ";
  if (const auto files = cached_single_files(repository); files.size() == 1) {
    return in_cache(single_file(files.front()), repository);
  } else if (files.size() > 1) {
    throw Error(weights_of + "one file or a diffusers folder, but the Hugging Face cache has " +
                listed(files) + "; name one with --weights");
  }
  if (const auto pickles = cached_pickles(repository); !pickles.empty()) {
    throw Error(weights_of +
                ".safetensors files, but the Hugging Face cache has only pickles of some parts (" +
                listed(pickles) +
                "), which are never opened; get others with: " + download_command(repository) +
                "; or, if you trust them, convert them: " + conversion_command(repository));
  }
  if (is_unfinished_in_hub_cache(repository)) {
    throw Error(weights_of + "complete in the Hugging Face cache, but " +
                "their download is unfinished; finish it with: " + download_command(repository));
  }
  throw Error(
      "weights must be a file or folder that is there or a repository in the Hugging Face cache, "
      "but " +
      in_quotes(repository) + " is neither (no complete snapshot in " +
      hub_cache_folder().string() + "); get it with: " + download_command(repository));
}

constexpr const char* kShelf = "SDBENCH_WEIGHTS";

fs::path shelf_of_environment() {
  const char* shelf = std::getenv(kShelf);
  return shelf == nullptr ? "" : expanded_path(shelf);
}

/// Weights of a cached repository that the user did not name; an error must therefore name it.
std::optional<WeightsLocation> usual_repository(const std::string& repository,
                                                const FitsModel& fits) {
  try {
    if (auto location = cached(repository)) {
      return location;
    }
    const auto files = cached_single_files(repository);
    return files.size() == 1 && fits && fits(files.front())
               ? std::optional(in_cache(single_file(files.front()), repository))
               : std::nullopt;
  } catch (const Error& error) {
    throw Error("the cached repository " + repository + " cannot be used: " + error.what() +
                "; download it again, or run without it: --weights synthetic");
  }
}

/// True if a folder holds a checkpoint of any name: as NAME, as OWNER/NAME, or in the folders of
/// other programs.
bool is_shelf(const fs::path& folder, int depth = 2) {
  if (!single_files_of_shelf(folder).empty()) {
    return true;
  }
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (as_checkpoint(entry.path()) ||
        (depth > 1 && entry.is_directory(ignored) && is_shelf(entry.path(), depth - 1))) {
      return true;
    }
  }
  return false;
}

/// The only single file of a shelf that fits the model; nothing if no file does.
std::optional<WeightsLocation> fitting_file(const fs::path& shelf, const std::string& model_name,
                                            const FitsModel& fits) {
  std::vector<fs::path> files;
  if (fits) {
    std::ranges::copy_if(single_files_of_shelf(shelf), std::back_inserter(files), fits);
  }
  if (files.size() > 1) {
    throw Error("SDBENCH_WEIGHTS must hold one checkpoint of " + model_name + ", but " +
                in_quotes(shelf.string()) + " has several: " + listed(files) +
                "; name one with --weights");
  }
  return files.empty() ? std::nullopt : std::optional(single_file(files.front()));
}

/// Resolves SDBENCH_WEIGHTS: a checkpoint, or a shelf of checkpoints, of which one is found by the
/// model's name, by a repository's name, or because it fits.
std::optional<WeightsLocation> from_shelf(const fs::path& shelf,
                                          const std::vector<std::string>& repositories,
                                          const std::string& model_name, const FitsModel& fits) {
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
    for (const char* suffix : {"", ".safetensors", "/model.safetensors"}) {
      if (auto location = as_checkpoint(shelf / (name + suffix))) {
        return location;
      }
    }
  }
  return fitting_file(shelf, model_name, fits);
}

} // namespace

bool environment_names_checkpoint() {
  const fs::path shelf = shelf_of_environment();
  return !shelf.empty() && as_checkpoint(shelf).has_value();
}

WeightsLocation locate_weights(const std::string& asked,
                               const std::vector<std::string>& repositories,
                               const std::string& model_name, const FitsModel& fits) {
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
    if (auto location = from_shelf(shelf, repositories, model_name, fits)) {
      location->variable = kShelf;
      return *location;
    }
  }
  for (const std::string& repository : repositories) {
    if (const auto location = usual_repository(repository, fits)) {
      return *location;
    }
  }
  return synthetic(0, true);
}

} // namespace sdbench
