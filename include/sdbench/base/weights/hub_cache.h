#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace sdbench {

/// The folder of huggingface_hub's downloads: HF_HUB_CACHE (or its older name
/// HUGGINGFACE_HUB_CACHE), else HF_HOME/hub, else XDG_CACHE_HOME/huggingface/hub, else
/// ~/.cache/huggingface/hub. "~" and "$NAME" in them are expanded. Empty if not even HOME is known.
[[nodiscard]] std::filesystem::path hub_cache_folder();

/// True if `name` has the form of a repository id, "owner/name". Only such names are looked up, so
/// that no name leads out of the cache.
[[nodiscard]] bool is_repository_id(const std::string& name);

/// True if a snapshot has a model_index.json and the weights of every component in it. False for an
/// interrupted download, or one with only configs.
[[nodiscard]] bool is_complete_snapshot(const std::filesystem::path& folder);

/// The snapshot of a repository to use: that of refs/main if complete, else the newest complete
/// one. nullopt if none is complete.
[[nodiscard]] std::optional<std::filesystem::path> find_in_hub_cache(const std::string& repository);

/// The snapshot that would be used if it were complete; nullopt without a snapshot.
[[nodiscard]] std::optional<std::filesystem::path>
any_snapshot_in_hub_cache(const std::string& repository);

/// True if the cache has files of a repository, but no complete snapshot.
[[nodiscard]] bool is_unfinished_in_hub_cache(const std::string& repository);

/// The command of huggingface_hub's own tool that downloads only a repository's diffusers folder
/// into that cache.
[[nodiscard]] std::string download_command(const std::string& repository);

} // namespace sdbench
