#include "sdbench/base/record/old_ids.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sdbench/base/record/ids.h"
#include "sdbench/base/record/record_fields.h"

namespace sdbench {
namespace {

/// What a row does not say of how it was asked for, for it says what came of it.
struct Unsaid {
  std::string dtype;
  std::string threads;
  std::string libtorch_version;
  std::string parallel_devices;
  std::string fused; ///< which reading empties where it was not on
};

/// In the order that the ids were made in.
constexpr FieldName kAxesBehindThreads[] = {
    "memory_format",   "packed_weights", "fused",     "host_allocator", "kv_cache",
    "time_cache",      "shared_prefix",  "graphs",    "kernels",        "tf32",
    "cudnn_benchmark", "offload",        "vae_tiling"};

std::vector<NamedValue> variant_values(const RunRecord& record, const Unsaid& unsaid) {
  std::vector<NamedValue> values = {{"dtype", unsaid.dtype},
                                    {"engine", record.engine},
                                    {"attention", record.attention},
                                    {"threads", unsaid.threads}};
  for (const FieldName name : kAxesBehindThreads) {
    values.emplace_back(name.text(), name == FieldName("fused") && record.fused.empty()
                                         ? unsaid.fused
                                         : field_text(record, field_named(name)));
  }
  const NamedValue rest[] = {{"libtorch_version", unsaid.libtorch_version},
                             {"cpu_share", record.cpu_share},
                             {"parallel_devices", unsaid.parallel_devices},
                             {"share", record.share},
                             {"openmp_config", record.openmp_config},
                             {"instruction_config", record.instruction_config},
                             {"cuda_config", record.cuda_config}};
  values.insert(values.end(), std::begin(rest), std::end(rest));
  // An axis that was none yet is empty in the row, and was no part of the id.
  std::erase_if(values, [](const NamedValue& value) { return value.second.empty(); });
  return values;
}

/// The list that a device's part of a parallel execution was named in, as far as it can be guessed.
std::vector<std::string> device_lists(const RunRecord& record) {
  const std::int64_t count = record.parallel_devices.value_or(0);
  if (count == 0 || record.parallel_role == kRoleSum) {
    return {count == 0 ? "" : record.device};
  }
  const std::string kind = record.device.substr(0, record.device.find(':'));
  std::string list;
  for (std::int64_t number = 0; number < std::min<std::int64_t>(count, 64); ++number) {
    list += (list.empty() ? "" : "+") + kind + ":" + std::to_string(number);
  }
  return {list};
}

/// A worker of the former benchmarks/peers says which libtorch it has, but is asked for by the name
/// of its folder.
std::vector<std::string> libtorch_versions(const RunRecord& record) {
  return {record.libtorch_version, "peer"};
}

std::vector<std::string> thread_counts(const RunRecord& record) {
  std::vector<std::string> counts = {"0"};
  if (record.threads.value_or(0) > 0) {
    counts.push_back(std::to_string(*record.threads));
  }
  return counts;
}

/// Empty where the columns do not give the row's id.
std::optional<std::string> renewed_variant(const RunRecord& record) {
  const std::string dtypes[] = {"auto", record.dtype_unet, "fp16",         "bf16",
                                "fp32", "autocast-fp16",   "autocast-bf16"};
  for (const std::string& devices : device_lists(record)) {
    for (const std::string& version : libtorch_versions(record)) {
      for (const std::string& threads : thread_counts(record)) {
        for (const std::string& dtype : dtypes) {
          for (const char* fused : {"auto", "", "off"}) {
            std::vector<NamedValue> values =
                variant_values(record, {dtype, threads, version, devices, fused});
            if (id_digits(values) == record.variant_id) {
              return variant_id_of(std::move(values));
            }
          }
        }
      }
    }
  }
  return std::nullopt;
}

} // namespace

bool is_old_id(std::string_view id) {
  constexpr std::size_t kDigits = 16;
  return id.size() == kDigits && id.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::vector<FieldName> fields_of_ids() {
  std::vector<FieldName> fields = variant_fields();
  fields.insert(fields.end(),
                {"model", "width", "height", "steps", "batch", "images", "guidance", "clip_skip",
                 "scheduler", "timestep_spacing", "libtorch_version", "device", "parallel_role"});
  return fields;
}

void renew_ids(RunRecord& record) {
  if (is_old_id(record.workload_id)) {
    const bool is_of_columns = id_digits(workload_values(record)) == record.workload_id;
    record.workload_id = is_of_columns ? workload_id_of(record) : "w" + record.workload_id;
  }
  if (is_old_id(record.variant_id)) {
    record.variant_id = renewed_variant(record).value_or("v" + record.variant_id);
  }
  if (is_old_id(record.env_id)) {
    record.env_id = env_id_of_digits(record.env_id);
  }
  if (is_old_id(record.cell_id)) {
    record.cell_id = cell_id_of(record.workload_id, record.variant_id, record.device);
  }
}

} // namespace sdbench
