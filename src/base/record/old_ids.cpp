#include "sdbench/base/record/old_ids.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sdbench/base/config/scheduler_name.h"
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

std::vector<NamedValue> old_variant_values(const RunRecord& record, const Unsaid& unsaid) {
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
  return {record.libtorch_version, record.runtime_version, "peer", "2.11.0"};
}

/// Of schema versions before 4, whose axis `fused` and layout of a list may be others.
bool gives_old_id(const RunRecord& record, const std::string& id) {
  const std::string threads = record.asked_threads ? std::to_string(*record.asked_threads) : "0";
  for (const char* fused : {"auto", "", "off"}) {
    const Unsaid unsaid = {record.asked_dtype, threads, record.asked_libtorch, record.asked_devices,
                           fused};
    if (id_digits(old_variant_values(record, unsaid)) == id) {
      return true;
    }
  }
  return false;
}

/// Fills what was asked for, where it and the columns give the row's variant_id. Returns whether
/// they do; else it stays empty.
bool fill_asked(RunRecord& record) {
  const std::string dtypes[] = {"auto", record.dtype_unet, "fp16",         "bf16",
                                "fp32", "autocast-fp16",   "autocast-bf16"};
  RunRecord guess = record;
  for (const std::string& devices : device_lists(record)) {
    for (const std::string& version : libtorch_versions(record)) {
      for (const std::int64_t threads : {std::int64_t{0}, record.threads.value_or(0)}) {
        for (const std::string& dtype : dtypes) {
          guess.asked_devices = devices;
          guess.asked_libtorch = version;
          guess.asked_threads = threads;
          guess.asked_dtype = dtype;
          if (variant_id_of(guess) == record.variant_id || gives_old_id(guess, record.variant_id)) {
            record.asked_devices = devices;
            record.asked_libtorch = version;
            record.asked_threads = threads;
            record.asked_dtype = dtype;
            return true;
          }
        }
      }
    }
  }
  return false;
}

/// One word named the sampler and its noise levels.
void part_scheduler(RunRecord& record) {
  constexpr std::string_view kKarrasWord = "euler_karras";
  if (record.scheduler.empty() || !record.noise_levels.empty()) {
    return;
  }
  record.noise_levels = noise_levels(record.scheduler == kKarrasWord);
  record.scheduler = record.scheduler == kKarrasWord ? kEuler : std::string_view(record.scheduler);
}

} // namespace

bool is_old_id(std::string_view id) {
  constexpr std::size_t kDigits = 16;
  return id.size() == kDigits && id.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::vector<FieldName> fields_of_ids() {
  std::vector<FieldName> fields = variant_fields();
  fields.insert(fields.end(), std::begin(kWorkloadFields), std::end(kWorkloadFields));
  fields.insert(fields.end(), {"libtorch_version", "device", "parallel_role", "schema_version",
                               "load_s", "prepare_s", "prepared"});
  return fields;
}

void renew_row(RunRecord& record) {
  constexpr std::int64_t kFirstWithAsked = 4;
  if (record.schema_version >= kFirstWithAsked) {
    return;
  }
  if (is_old_id(record.workload_id)) {
    const bool is_of_columns = id_digits(workload_values(record)) == record.workload_id;
    record.workload_id = is_of_columns ? workload_id_of(record) : "w" + record.workload_id;
  }
  const bool is_told = fill_asked(record);
  if (is_old_id(record.variant_id)) {
    record.variant_id = is_told ? variant_id_of(record) : "v" + record.variant_id;
  }
  if (is_old_id(record.env_id)) {
    record.env_id = env_id_of_digits(record.env_id);
  }
  if (is_old_id(record.cell_id)) {
    record.cell_id = cell_id_of(record.workload_id, record.variant_id, record.device);
  }
  part_scheduler(record);
  constexpr std::int64_t kFirstWithPrepared = 3;
  if (record.schema_version < kFirstWithPrepared && record.load_s && !record.prepare_s &&
      record.prepared.empty()) {
    record.prepared = "unknown";
  }
}

} // namespace sdbench
