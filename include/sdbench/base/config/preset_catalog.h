#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sdbench {

/// A config file that comes with sdbench.
struct Preset {
  std::string name;
  std::filesystem::path file;
  std::string description; ///< one sentence: what it measures
};

/// All of them (share/sdbench/presets/*.json), sorted by name. Throws Error for a broken one.
[[nodiscard]] std::vector<Preset> shipped_presets();

/// For "card", the one of "card-1", "card-2", ... with the highest number. nullopt if there is no
/// such preset.
[[nodiscard]] std::optional<std::string> newest_of(const std::string& name,
                                                   const std::vector<std::string>& known);

/// A name without its number stands for the newest. Throws UsageError for an unknown name, listing
/// the known ones.
[[nodiscard]] std::filesystem::path preset_file(const std::string& name);

} // namespace sdbench
