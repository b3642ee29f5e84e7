#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace sdbench {

/// The folder where huggingface_hub stores downloads: HF_HUB_CACHE (or its older name
/// HUGGINGFACE_HUB_CACHE), else HF_HOME/hub, else XDG_CACHE_HOME/huggingface/hub, else
/// ~/.cache/huggingface/hub. "~" and "$NAME" in these variables are expanded. Empty if neither
/// these variables nor HOME are set.
[[nodiscard]] std::filesystem::path hub_cache_folder();

/// True if `name` has the form of a repository id, "owner/name". Other names are never looked up,
/// so that no name can lead out of the cache folder.
[[nodiscard]] bool is_repository_id(const std::string& name);

/// True if the snapshot in `folder` has a model_index.json and weights of every component that this
/// file names. False after an interrupted download, or a download of only the configs.
[[nodiscard]] bool is_complete_snapshot(const std::filesystem::path& folder);

/// The repository's snapshot that sdbench uses: the one that refs/main names, if it is complete,
/// else the newest complete one. nullopt if no snapshot is complete.
[[nodiscard]] std::optional<std::filesystem::path> find_in_hub_cache(const std::string& repository);

/// The snapshot that find_in_hub_cache() would prefer, even if it is not complete. nullopt if there
/// is no snapshot.
[[nodiscard]] std::optional<std::filesystem::path>
any_snapshot_in_hub_cache(const std::string& repository);

/// True if the cache has a folder for the repository, but no complete snapshot in it.
[[nodiscard]] bool is_unfinished_in_hub_cache(const std::string& repository);

/// The shell command (`hf download …`) that downloads only the diffusers files of a repository into
/// the Hugging Face cache.
[[nodiscard]] std::string download_command(const std::string& repository);

} // namespace sdbench
