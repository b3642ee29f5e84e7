#include "sdbench/front/results/shared_fields.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <iterator>

#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/work_field_table.h"
#include "sdbench/base/executor/measured_figure_table.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/record_field.h"

namespace sdbench {
namespace {

/// The texts that may be shared, besides those in kWorkFields, engine_axes() and kMeasured. They
/// reveal neither who measured, nor the machine, files or prompts.
constexpr FieldName kSharedTexts[] = {
    // identity: ids that reveal a host are replaced
    "run_id", "workload_id", "variant_id", "env_id", "cell_id", "time_utc", "sdbench_version",
    "git_sha", "runtime_version", "sweep_id", "parallel_id", "parallel_role", "share",
    // device
    "device", "cpu_share", "device_kind", "device_name", "device_arch", "compute_capability",
    "driver_version", "cuda_driver_version", "cuda_runtime_version", "cudnn_version", "ecc", "mig",
    "vbios_version", "board_id", "board_vendor", "kernel_module", "persistence_mode",
    "gpu_virtualisation", "external_link",
    // work
    "model", "weights", "data", "data_place", "scheduler_source", "dtype_unet", "dtype_vae",
    "dtype_text", "asked_dtype", "asked_devices", "asked_libtorch",
    // what came of it
    "status", "flags", "stage", "ci95_covers", "quality_reference", "throttle_reasons",
    "energy_source", "other_temperature_sensor", "probe_format",
    // the kind of machine
    "os", "cpu", "core_list", "core_kinds", "governor", "transparent_huge_pages", "numa_balancing",
    "power_supply", "container", "cuda_device_order", "allocator_config", "openmp_config",
    "instruction_config", "cuda_config"};

/// Texts worded by this program, a driver or the hardware, which cannot contain a host's name. The
/// texts of the work, of the engine's axes and measured ones belong here, too. If a host is called
/// H100, its card's name therefore stays.
constexpr FieldName kOwnWords[] = {
    // ids and versions
    "run_id", "workload_id", "variant_id", "env_id", "cell_id", "time_utc", "sdbench_version",
    "git_sha", "runtime_version", "sweep_id", "parallel_id", "prompt_sha256", "driver_version",
    "cuda_driver_version", "cuda_runtime_version", "cudnn_version",
    // words of this program
    "parallel_role", "share", "device", "cpu_share", "device_kind", "data_place",
    "scheduler_source", "asked_dtype", "asked_devices", "asked_libtorch", "dtype_unet", "dtype_vae",
    "dtype_text", "status", "flags", "stage", "ci95_covers", "quality_reference", "energy_source",
    "core_list", "core_kinds", "other_temperature_sensor", "probe_format",
    // of the hardware and its driver
    "device_name", "device_arch", "compute_capability", "ecc", "mig", "throttle_reasons", "cpu",
    "vbios_version", "board_id", "board_vendor", "kernel_module", "persistence_mode",
    "gpu_virtualisation", "external_link"};

constexpr FieldName kWithPaths[] = {
    "model",      "weights", "data", "allocator_config", "openmp_config", "instruction_config",
    "cuda_config"};

bool is_of_an_axis(std::string_view name) {
  constexpr std::string_view kUsed = "_used";
  const std::string_view axis =
      name.ends_with(kUsed) ? name.substr(0, name.size() - kUsed.size()) : name;
  return std::ranges::any_of(axis_names(), [&](std::string_view known) { return known == axis; });
}

/// Texts of the work, of a measured figure and of an axis hold words of this program.
bool is_in_words(std::string_view name) {
  const MeasuredFigure* const measured = find_measured(name);
  return is_of_an_axis(name) ||
         std::ranges::find(kWorkFields, name, &WorkField::name) != std::end(kWorkFields) ||
         (measured != nullptr && measured->kind == MeasuredKind::kWords);
}

/// True for the worker's identity of weights, which says what they are and not where they are
/// stored.
bool is_identity(std::string_view weights) {
  return std::ranges::any_of(
      std::initializer_list<const char*>{"synthetic:", "blob:", "blobs:", "meta:"},
      [&](const char* form) { return weights.starts_with(form); });
}

/// "A=1 B=[redacted]" of "A=1 B=/home/ann/b.json".
std::string settings_without_paths(const std::string& text) {
  std::vector<std::string> words;
  for (const std::string_view word : split(text, ' ')) {
    const bool is_path = word.find('/') != std::string_view::npos;
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos && !words.empty() && words.back().ends_with(kRedacted)) {
      continue; // a path may have blanks
    }
    const std::size_t name = equals == std::string_view::npos ? 0 : equals + 1;
    words.push_back(std::string(is_path ? word.substr(0, name) : word) +
                    std::string(is_path ? kRedacted : ""));
  }
  return joined(words, " ");
}

} // namespace

std::vector<FieldName> fields_in_others_words() {
  std::vector<FieldName> fields;
  for (std::size_t place = 0; place < record_fields().size(); ++place) {
    const RecordField& facts = record_fields()[place];
    if (type_name(facts) == "text" && !is_in_words(facts.name) &&
        std::ranges::find(kOwnWords, FieldName::at(place)) == std::end(kOwnWords)) {
      fields.push_back(FieldName::at(place));
    }
  }
  return fields;
}

bool is_in_others_words(FieldName field, const std::string& text) {
  const std::string_view name = field.text();
  if (name == "model") {
    static const std::vector<std::string> shipped = shipped_model_names();
    return std::ranges::find(shipped, text) == shipped.end();
  }
  return (name != "weights" && name != "data") || without_paths(field, text).empty();
}

bool may_be_shared(FieldName field) {
  const RecordField& facts = field_named(field);
  return type_name(facts) != "text" || is_in_words(facts.name) ||
         std::ranges::find(kSharedTexts, field) != std::end(kSharedTexts);
}

std::vector<FieldName> private_fields() {
  return filtered(mapped(integers(std::size_t{0}, record_fields().size()), &FieldName::at),
                  std::not_fn(may_be_shared));
}

const std::vector<FieldName>& fields_with_paths() {
  static const std::vector<FieldName> fields(std::begin(kWithPaths), std::end(kWithPaths));
  return fields;
}

std::string without_paths(FieldName field, const std::string& text) {
  if (field == FieldName("weights")) {
    return is_identity(text) ? text : "";
  }
  if (field == FieldName("data")) { // a folder that could not be read is recorded as its path
    return text == "cifar10" || text.starts_with("synthetic:") ? text : "";
  }
  if (field == FieldName("model")) {
    const std::size_t end = text.find_last_not_of('/');
    const std::string path = text.substr(0, end == std::string::npos ? 0 : end + 1);
    return path.substr(path.rfind('/') + 1);
  }
  return settings_without_paths(text);
}

} // namespace sdbench
