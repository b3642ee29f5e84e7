#include "sdbench/front/other_engines/kept_entries.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "exported_weights.h"
#include "kept_folder.h"
#include "sdbench/base/config/other_engine_table.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/atomic_folder.h"
#include "sdbench/base/files/cache_folder.h"
#include "sdbench/base/files/descriptor.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/files/locked_file.h"
#include "sdbench/front/bench/version_numbers.h"
#include "sdbench/front/other_engines/engine_environment.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnvironments = "environments";
constexpr const char* kHalfWritten = "half-written";

/// Bytes of the file or folder; does not follow links inside it.
std::int64_t bytes_of(const fs::path& path) {
  std::error_code gone;
  if (!fs::is_directory(path, gone)) {
    const std::uintmax_t size = fs::file_size(path, gone);
    return gone ? 0 : static_cast<std::int64_t>(size);
  }
  std::int64_t bytes = 0;
  for (fs::recursive_directory_iterator file(path, fs::directory_options::skip_permission_denied,
                                             gone);
       !gone && file != fs::recursive_directory_iterator(); file.increment(gone)) {
    std::error_code no_file;
    if (fs::is_regular_file(file->symlink_status(no_file))) {
      const std::uintmax_t size = file->file_size(no_file);
      bytes += no_file ? 0 : static_cast<std::int64_t>(size);
    }
  }
  return bytes;
}

/// NAME of an entry that is being made (AtomicFolder, engines/shared/kept.py) or removed
/// (clear_entries), whose file name is "NAME.partial-123" or ".NAME.x1y2z3". Nothing for other file
/// names.
std::optional<std::string> name_of_half(const std::string& name) {
  if (const std::size_t end = name.rfind(kPartialFolder); end != std::string::npos) {
    return name.substr(0, end);
  }
  const std::size_t dot = name.rfind('.');
  if (name.starts_with('.') && dot > 1) {
    return name.substr(1, dot - 1);
  }
  return std::nullopt;
}

/// True for a SHA-256 in hexadecimal.
bool is_hash(const std::string& name) {
  constexpr std::size_t kDigits = 64;
  return name.size() == kDigits && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// Reads the entry's manifest (engines/shared/kept.py). If it is malformed, the entry is "broken".
void read_manifest(KeptEntry& entry) {
  try {
    const Json manifest = read_json_file(entry.path / "manifest.json");
    if (manifest.at("key") != entry.path.filename().string()) {
      throw Error("of another entry");
    }
    for (const auto& [name, text] : {std::pair("engine", &entry.engine),
                                     {"model", &entry.model},
                                     {"dtype", &entry.dtype},
                                     {"shapes", &entry.shapes}}) {
      *text = manifest.value(name, "");
    }
  } catch (const std::exception&) {
    entry.state = "broken";
  }
}

/// True for folders made by engines/set_up.py or set_up_libtorch.py. Their marks are in the folder,
/// their log is next to it.
bool is_set_up_by_python(std::string_view kind) {
  return kind == kEnvironments || kind == kCachedLibtorches;
}

void read_facts(KeptEntry& entry, const std::string& name) {
  if (entry.kind == kCachedWeights) {
    const ExportedName parts = parse_exported_name(name).value_or(ExportedName{});
    entry.model = parts.model + ", synthetic:" + parts.seed;
    entry.dtype = "fp32";
  } else if (entry.kind == kCachedEngines && entry.state == "whole") {
    read_manifest(entry);
  } else if (is_set_up_by_python(entry.kind)) {
    if (entry.kind == kEnvironments) {
      entry.engine = name;
    }
    if (!is_whole(entry.path)) {
      entry.state = kHalfWritten;
    }
  }
}

bool is_environment(const std::string& name) {
  return std::ranges::any_of(other_engine_table(), [&](const EngineRow& row) {
    return row.environment == name || (!name.empty() && row.gpu_environment == name);
  });
}

/// True if an entry of that kind may have that name.
bool is_ours(std::string_view kind, const std::string& name) {
  return kind == kCachedWeights      ? parse_exported_name(name).has_value()
         : kind == kEnvironments     ? is_environment(name)
         : kind == kCachedLibtorches ? version_numbers(name).size() == 3
                                     : is_hash(name);
}

std::optional<KeptEntry> entry_at(std::string_view kind, const fs::directory_entry& found) {
  std::error_code gone;
  const bool is_file = kind == kCachedKernels;
  const fs::file_type type = found.symlink_status(gone).type();
  if (type != (is_file ? fs::file_type::regular : fs::file_type::directory)) {
    return std::nullopt;
  }
  const std::string name = found.path().filename().string();
  const std::optional<std::string> half = is_file ? std::nullopt : name_of_half(name);
  const std::string whole = half.value_or(name);
  if (!is_ours(kind, whole) || (is_set_up_by_python(kind) && !is_made_by_set_up(found.path()))) {
    return std::nullopt;
  }
  KeptEntry entry{.kind = std::string(kind), .path = found.path()};
  if (half) {
    entry.state = kHalfWritten;
  }
  read_facts(entry, whole);
  entry.bytes = bytes_of(entry.path);
  entry.last_used = found.last_write_time(gone);
  if (!is_file) {
    entry.locked_as = found.path().parent_path() / whole;
  }
  return entry;
}

void add_entries(KeptEntries& kept, std::string_view kind, const fs::path& folder) {
  std::vector<KeptEntry> entries;
  std::error_code gone;
  for (fs::directory_iterator found(folder, gone); !gone && found != fs::directory_iterator();
       found.increment(gone)) {
    if (std::optional<KeptEntry> entry = entry_at(kind, *found)) {
      entries.push_back(*std::move(entry));
    } else if (found->is_symlink(gone) && is_ours(kind, found->path().filename().string())) {
      kept.links.push_back(found->path());
    }
  }
  std::ranges::sort(entries, {}, &KeptEntry::path);
  std::ranges::move(entries, std::back_inserter(kept.entries));
}

void remove_entry(const KeptEntry& entry) {
  std::error_code failure;
  fs::path gone = entry.path;
  if (!entry.locked_as.empty() &&
      entry.state == "whole") { // renamed, so that no process takes it for whole
    gone = entry.path.parent_path() / ("." + entry.path.filename().string() + ".cleared");
    fs::remove_all(gone, failure); // left by a clear that was killed
    fs::rename(entry.path, gone, failure);
  }
  if (!failure) {
    fs::remove_all(gone, failure);
  }
  if (!failure && is_set_up_by_python(entry.kind)) {
    fs::remove(entry.locked_as.string() + ".log", failure); // the log of its set-up
  }
  if (failure) {
    throw Error("cannot remove " + gone.string() + ": " + failure.message());
  }
}

/// Removes entries, except those whose lock `is_busy`.
template <typename IsBusy>
ClearedEntries cleared_but(std::span<const KeptEntry> entries, IsBusy is_busy) {
  ClearedEntries cleared;
  for (const KeptEntry& entry : entries) {
    try {
      std::optional<Descriptor> lock;
      if (!entry.locked_as.empty()) {
        lock = open_lock(entry.locked_as);
      }
      if (lock && is_busy(try_lock(*lock))) {
        cleared.busy.push_back(entry.path);
        continue;
      }
      remove_entry(entry);
      ++cleared.count;
      cleared.bytes += entry.bytes;
    } catch (const Error& error) {
      cleared.failures.emplace_back(error.what());
    }
  }
  return cleared;
}

} // namespace

std::span<const KeptKind> kept_kinds() {
  static constexpr KeptKind kKinds[] = {
      {kCachedWeights, "synthetic weights, written to files for other engines"},
      {kCachedEngines, "exported and compiled models of other engines"},
      {kCachedKernels, "compiled GPU kernels"},
      {kEnvironments, "packages of other engines", true},
      {kCachedLibtorches, "libtorch versions for workers that came without one", true},
  };
  return kKinds;
}

KeptEntries kept_entries() {
  KeptEntries kept;
  for (const KeptKind& kind : kept_kinds()) {
    const fs::path folder = kind.name == kEnvironments ? engines_folder() : kept_folder(kind.name);
    std::error_code missing;
    if (folder.parent_path() != cache_folder() || !fs::is_symlink(folder, missing)) {
      add_entries(kept, kind.name, folder);
    } else if (std::ranges::find(kept.links, folder) == kept.links.end()) {
      kept.links.push_back(folder);
    }
  }
  return kept;
}

void clear_half_written(std::string_view kind) {
  KeptEntries kept;
  add_entries(kept, kind, kept_folder(kind));
  std::erase_if(kept.entries, [](const KeptEntry& entry) { return entry.state != kHalfWritten; });
  static_cast<void>(cleared_but(kept.entries, [](Lock lock) { return lock != Lock::kOurs; }));
}

ClearedEntries clear_entries(std::span<const KeptEntry> entries) {
  return cleared_but(entries, [](Lock lock) { return lock == Lock::kOfAnother; });
}

} // namespace sdbench
