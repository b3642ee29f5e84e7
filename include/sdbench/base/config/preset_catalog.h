#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sdbench {

/// A preset: a config file for `sdbench run` that is shipped with sdbench.
struct Preset {
  std::string name;
  std::filesystem::path file;
  std::string description; ///< one sentence that says what the preset measures
};

/// All shipped presets (share/sdbench/presets/*.json), sorted by name. Throws Error if a preset
/// cannot be parsed.
[[nodiscard]] std::vector<Preset> shipped_presets();

/// Among the names `name`-N in `known`, returns the one with the highest number N: "card-2" for
/// "card". nullopt if there is no such name.
[[nodiscard]] std::optional<std::string> newest_of(const std::string& name,
                                                   const std::vector<std::string>& known);

/// Path of the preset's file. A name without a number selects the preset with the highest number.
/// Throws UsageError for an unknown name; the error lists the known names.
[[nodiscard]] std::filesystem::path preset_file(const std::string& name);

} // namespace sdbench
