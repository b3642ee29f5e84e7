#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "config_reader.h"
#include "sdbench/base/config/install_paths.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/errors/suggestion.h"
#include "sdbench/base/files/file_ending.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/files/sha256.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_unknown(const std::string& name, const std::vector<std::string>& known) {
  throw UsageError("--model must be one of " + joined(nearest_first(name, known)) +
                   ", or the path of an architecture file or of a folder with configs, but is " +
                   describe_json(name));
}

} // namespace

std::vector<std::string> shipped_model_names() {
  return shipped_names("models");
}

ModelConfig load_model_config_file(const fs::path& file) {
  Json document = read_json_file(file);
  if (document.is_object() && !document.contains("name")) {
    document["name"] = file.stem().string();
  }
  return parse_model_config(document, file.string());
}

std::optional<fs::path> network_file_of(const fs::path& folder) {
  const fs::path file = folder / "architecture.json";
  std::error_code error; // a name that cannot be a path (too long, for example)
  return fs::exists(file, error) && !fs::exists(folder / "model_index.json", error)
             ? std::optional(file)
             : std::nullopt;
}

ModelConfig find_model_config(const std::string& name_or_path) {
  const std::vector<std::string> known = shipped_model_names();
  if (std::find(known.begin(), known.end(), name_or_path) != known.end()) {
    return load_model_config_file(share_folder() / "models" / (name_or_path + ".json"));
  }
  std::error_code error; // a name that cannot be a path (too long, for example)
  if (fs::is_directory(name_or_path, error)) {
    const std::optional<fs::path> network = network_file_of(name_or_path);
    return network ? load_model_config_file(*network) : load_model_config_folder(name_or_path);
  }
  if (!fs::exists(name_or_path, error)) {
    refuse_unknown(name_or_path, known);
  }
  if (file_ending(name_or_path) != ".json") {
    throw UsageError("--model must be a name, an architecture file (.json) or a folder, but is " +
                     describe_json(name_or_path) + "; give weights with --weights");
  }
  return load_model_config_file(name_or_path);
}

ModelKind kind_of_model(const std::string& name_or_path) {
  std::error_code ignored;
  if (fs::is_directory(name_or_path, ignored)) {
    return network_file_of(name_or_path) ? ModelKind::kNetwork : ModelKind::kPipeline;
  }
  try {
    return kind_of(find_model_config(name_or_path));
  } catch (const Error&) {
    return ModelKind::kPipeline;
  }
}

std::string architecture_id(const ModelConfig& config) {
  Json parts = config.source.is_object() ? config.source : Json::object();
  for (const char* key : {"name", "pipeline", "defaults", "repositories", "license"}) {
    parts.erase(key); // no number depends on these
  }
  parts["force_zeros_for_empty_prompt"] = config.force_zeros_for_empty_prompt;
  return sha256_hex(parts.dump(-1, ' ', false, Json::error_handler_t::replace));
}

} // namespace sdbench
