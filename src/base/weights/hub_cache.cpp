#include "sdbench/base/weights/hub_cache.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <utility>
#include <vector>

#include "sdbench/base/files/home_path.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/text/utf8.h"
#include "sdbench/base/types/component_table.h"
#include "sdbench/base/weights/component_files.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

/// An environment variable as a path, expanded as huggingface_hub does it; empty if it is unset or
/// empty.
fs::path path_from(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : expanded_path(value);
}

bool is_plain_part(const std::string& part) {
  const auto is_allowed = [](char c) {
    return is_letter_or_digit(c) || c == '-' || c == '_' || c == '.';
  };
  return !part.empty() && part.front() != '.' && std::all_of(part.begin(), part.end(), is_allowed);
}

fs::path repository_folder(const std::string& repository) {
  std::string name = repository;
  name.replace(name.find('/'), 1, "--");
  return hub_cache_folder() / ("models--" + name);
}

/// The commit in refs/main; empty if the file is missing.
std::string main_commit(const fs::path& folder) {
  const fs::path ref = folder / "refs" / "main";
  if (!fs::is_regular_file(ref)) {
    return "";
  }
  std::string commit = read_text_file(ref, 4096);
  commit.erase(commit.find_last_not_of(" \t\r\n") + 1);
  return is_plain_part(commit) ? commit : "";
}

std::vector<fs::path> newest_first(const fs::path& snapshots) {
  std::vector<std::pair<fs::file_time_type, fs::path>> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(snapshots, ignored)) {
    found.emplace_back(entry.last_write_time(ignored), entry.path());
  }
  std::sort(found.rbegin(), found.rend());
  return mapped(found, [](const auto& entry) { return entry.second; });
}

/// Snapshots: that of refs/main first, then the others, newest first.
std::vector<fs::path> snapshots_of(const std::string& repository) {
  if (!is_repository_id(repository)) {
    return {};
  }
  const fs::path folder = repository_folder(repository);
  std::vector<fs::path> snapshots = newest_first(folder / "snapshots");
  const fs::path main = folder / "snapshots" / main_commit(folder);
  std::stable_partition(snapshots.begin(), snapshots.end(),
                        [&](const fs::path& path) { return path == main; });
  return snapshots;
}

} // namespace

fs::path hub_cache_folder() {
  if (fs::path cache = path_from("HF_HUB_CACHE"); !cache.empty()) {
    return cache;
  }
  if (fs::path cache = path_from("HUGGINGFACE_HUB_CACHE"); !cache.empty()) {
    return cache; // the older name
  }
  if (const fs::path home = path_from("HF_HOME"); !home.empty()) {
    return home / "hub";
  }
  if (const fs::path cache = path_from("XDG_CACHE_HOME"); !cache.empty()) {
    return cache / "huggingface" / "hub";
  }
  const fs::path home = path_from("HOME");
  return home.empty() ? home : home / ".cache" / "huggingface" / "hub";
}

bool is_repository_id(const std::string& name) {
  const std::size_t slash = name.find('/');
  return slash != std::string::npos && is_plain_part(name.substr(0, slash)) &&
         is_plain_part(name.substr(slash + 1));
}

bool is_complete_snapshot(const fs::path& folder) {
  const fs::path index = folder / "model_index.json";
  if (!fs::is_regular_file(index)) {
    return false;
  }
  const Json parts = read_json_file(index);
  if (!parts.is_object() || !parts.contains(folder_name(Component::kUNet))) {
    return false;
  }
  for (const ComponentRow& row : pipeline_components()) {
    const auto part = parts.find(row.folder);
    const bool is_named =
        part != parts.end() && part->is_array() && !part->empty() && !part->front().is_null();
    if (is_named && !has_component_files(folder, row.component)) {
      return false;
    }
  }
  return true;
}

std::optional<fs::path> find_in_hub_cache(const std::string& repository) {
  const std::vector<fs::path> snapshots = snapshots_of(repository);
  const auto found = std::ranges::find_if(snapshots, is_complete_snapshot);
  return found == snapshots.end() ? std::nullopt : std::optional(*found);
}

std::optional<fs::path> any_snapshot_in_hub_cache(const std::string& repository) {
  const std::vector<fs::path> snapshots = snapshots_of(repository);
  return snapshots.empty() ? std::nullopt : std::optional(snapshots.front());
}

bool is_unfinished_in_hub_cache(const std::string& repository) {
  std::error_code ignored;
  return is_repository_id(repository) && fs::is_directory(repository_folder(repository), ignored) &&
         !find_in_hub_cache(repository);
}

std::string download_command(const std::string& repository) {
  return "hf download " + repository +
         " --include '*.json' --include '*.txt' --include '*/*.safetensors'";
}

} // namespace sdbench
