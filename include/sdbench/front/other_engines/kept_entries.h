#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// A kind of entry that `sdbench cache` lists and clears. Each kind except environments has a
/// folder in cache_folder(), named after the kind.
struct KeptKind {
  std::string_view name;
  std::string_view words;
  bool only_by_name = false; ///< cleared only if named
};

[[nodiscard]] std::span<const KeptKind> kept_kinds();

/// A file or folder that is kept for later runs. Its engine, model, dtype and shapes come
/// from its name or its manifest.json. Fields that do not apply are empty.
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
  std::filesystem::path locked_as = {}; ///< the path that its writer locks; empty: no lock
};

struct KeptEntries {
  std::vector<KeptEntry> entries; ///< by kind, in the order of kept_kinds()
  /// Symbolic links found in place of an entry or of a KeptKind's folder. They are not followed.
  std::vector<std::filesystem::path> links;
};

/// Finds all entries and links. Ignores files and folders whose names sdbench does not use. Throws
/// Error if the cache folder is unknown.
[[nodiscard]] KeptEntries kept_entries();

/// Removes half-written entries whose lock no process holds: a process that was killed left them
/// behind. Removes nothing if the file system has no locks. Skips entries that cannot be removed.
/// `kind`: any kind except environments.
void clear_half_written(std::string_view kind);

/// The result of clear_entries().
struct ClearedEntries {
  std::size_t count = 0;
  std::int64_t bytes = 0;
  std::vector<std::filesystem::path>
      busy;                          ///< left alone, because a different process is writing them
  std::vector<std::string> failures; ///< what could not be removed, and why
};

/// Removes entries. If this process is killed meanwhile, a half-removed entry does not look whole.
[[nodiscard]] ClearedEntries clear_entries(std::span<const KeptEntry> entries);

} // namespace sdbench
