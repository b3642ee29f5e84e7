#pragma once

#include <filesystem>
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

/// Throws UsageError for an unknown name, listing the known ones.
[[nodiscard]] std::filesystem::path preset_file(const std::string& name);

} // namespace sdbench
