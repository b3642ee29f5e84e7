#include "sdbench/base/weights/golden_file.h"

#include <system_error>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/numbers/number_text.h"

namespace sdbench {
namespace {

/// `found`: the value as a number, if it is one.
template <class Number>
Number number_of(const SafetensorsFile& file, const char* key, const std::string& value,
                 std::optional<Number> found) {
  if (!found) {
    throw Error("golden file " + file.path().string() + " must have a number as \"" + key +
                "\", but has " + value + "; install sdbench again");
  }
  return *found;
}

/// True if sdbench ships exactly this architecture, and therefore a golden file for it.
bool is_shipped(const ModelConfig& config, const std::filesystem::path& models) {
  const std::filesystem::path file = models / (config.name + ".json");
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored) &&
         architecture_id(load_model_config_file(file)) == architecture_id(config);
}

} // namespace

const std::string& GoldenFile::text(const char* key) const {
  const auto found = file_.metadata().find(key);
  if (found == file_.metadata().end()) {
    throw Error("golden file " + file_.path().string() + " must say \"" + key +
                "\" in its metadata, but does not; install sdbench again");
  }
  return found->second;
}

double GoldenFile::guidance() const {
  const std::string& value = text("guidance");
  return number_of(file_, "guidance", value, parse_number(value));
}

std::int64_t GoldenFile::integer(const char* key) const {
  const std::string& value = text(key);
  return number_of(file_, key, value, parse_integer(value));
}

const TensorView& GoldenFile::tensor(const char* name) const {
  const auto found = file_.tensors().find(name);
  if (found == file_.tensors().end()) {
    throw Error("golden file " + file_.path().string() + " must hold the tensor " + name +
                ", but does not; install sdbench again");
  }
  return found->second;
}

std::optional<GoldenFile> find_golden_file(const ModelConfig& config,
                                           const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / (config.name + ".safetensors");
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) {
    if (is_shipped(config, folder.parent_path() / "models")) {
      throw Error("golden file " + path.string() + " must be there to check " + config.name +
                  ", but is not; install sdbench again");
    }
    return std::nullopt;
  }
  GoldenFile golden(path);
  if (golden.architecture() != architecture_id(config)) {
    return std::nullopt;
  }
  return golden;
}

} // namespace sdbench
