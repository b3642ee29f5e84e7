#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// What `sdbench cache` lists and clears. All but the environments have a folder of that name in
/// cache_folder().
struct KeptKind {
  std::string_view name;
  std::string_view words;
  bool only_by_name = false; ///< clear leaves them alone unless they are named
};

[[nodiscard]] std::span<const KeptKind> kept_kinds();

/// Something that is kept for later runs, as what made it tells of it. What does not apply is
/// empty.
struct KeptEntry {
  std::string kind;
  std::filesystem::path path; ///< a folder, or a file
  std::string engine = {};
  std::string model = {};
  std::string dtype = {};
  std::string shapes = {};
  std::string state = "whole"; ///< or "half-written", or "broken"
  std::int64_t bytes = 0;
  std::filesystem::file_time_type last_used = {};
  std::filesystem::path locked_as = {}; ///< the entry whose lock its maker holds; empty: none does
};

struct KeptEntries {
  std::vector<KeptEntry> entries; ///< by kind, in the order of kept_kinds()
  /// What would be a kind's folder, or an entry, but is a link. What it leads to is not looked at.
  std::vector<std::filesystem::path> links;
};

/// All of them. Files and folders whose names are not ours, and links, are none. Throws Error where
/// the cache's place is not known.
[[nodiscard]] KeptEntries kept_entries();

/// Removes what processes that were killed left of a kind: half-written entries whose lock nobody
/// holds; none where the file system has no locks. What cannot be removed stays. `kind`: of one
/// that lies in cache_folder().
void clear_half_written(std::string_view kind);

/// What became of entries that were to go.
struct ClearedEntries {
  std::size_t count = 0;
  std::int64_t bytes = 0;
  std::vector<std::filesystem::path> busy; ///< left alone, for another process makes them
  std::vector<std::string> failures;       ///< what could not be removed, and why
};

/// Removes entries. A kill in the middle leaves no entry that looks whole.
[[nodiscard]] ClearedEntries clear_entries(std::span<const KeptEntry> entries);

} // namespace sdbench
