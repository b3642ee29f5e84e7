#include "sdbench/front/record/ids.h"

#include <algorithm>

#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/config/sampler_table.h"
#include "sdbench/base/config/work_field_table.h"
#include "sdbench/base/files/sha256.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/work_record.h"

namespace sdbench {
namespace {

/// True for the value that a row without this option has. These values never follow the options'
/// defaults, because that would change all ids.
bool is_as_ever(const NamedValue& value) {
  const std::string_view name = value.first;
  const std::string& text = value.second;
  if (name == "dtype") {
    return text == "auto";
  }
  if (name == "threads") {
    return text == "0";
  }
  return is_usual_choice(name, text);
}

std::string id_text(const RunRecord& record, const WorkField& field) {
  if (field.member == WorkField::Member(&CellWork::task)) {
    return std::string(task_row_of(record.task).name); // the row may say an alias
  }
  if (is_sampler(field)) {
    return sampler_word(record.scheduler, record.noise_levels);
  }
  std::string text = said_text(record, field);
  return text == field.id_default ? "" : text;
}

} // namespace

std::string id_digits(std::span<const NamedValue> values) {
  std::string lines;
  for (const auto& [name, value] : values) {
    // one_line keeps a line end inside a value from looking like the next value.
    lines += std::string(name) + "=" + one_line(value) + "\n";
  }
  constexpr std::size_t kDigits = 16;
  return sha256_hex(lines).substr(0, kDigits);
}

std::string stable_id(char letter, std::vector<NamedValue> values) {
  std::erase_if(values, [](const NamedValue& value) { return value.second.empty(); });
  std::ranges::sort(values, {}, &NamedValue::first);
  return letter + id_digits(values);
}

std::vector<NamedValue> workload_values(const RunRecord& record) {
  const TaskRow& task = task_row_of(record.task);
  std::vector<NamedValue> values = {{"model", record.model},
                                    {"data", makes_images(task.task) ? "" : record.data}};
  for (const WorkField& field : kWorkFields) {
    if (field.in_ids && field.id_kind.value_or(task.kind) == task.kind) {
      values.emplace_back(id_name(field), id_text(record, field));
    }
  }
  return values;
}

std::vector<FieldName> workload_fields() {
  std::vector<FieldName> fields(kWorkFieldNames.begin(), kWorkFieldNames.end());
  fields.insert(fields.end(), {"model", "data"});
  return fields;
}

std::string workload_id_of(const RunRecord& record) {
  return stable_id('w', workload_values(record));
}

std::vector<FieldName> variant_fields() {
  std::vector<FieldName> fields = fields_of_axes();
  fields.insert(fields.end(),
                {"dtype_unet", "threads", "runtime_version", "parallel_devices", "data_place"});
  fields.insert(fields.end(), kVariantTexts.begin(), kVariantTexts.end());
  return fields;
}

std::vector<NamedValue> variant_values(const RunRecord& record) {
  std::vector<NamedValue> values = {
      {"dtype", record.asked_dtype},
      {"threads", record.asked_threads ? std::to_string(*record.asked_threads) : ""},
      // Keeps the name that the first ids used: another name would change all ids.
      {"libtorch_version", record.asked_libtorch},
      {"cpu_share", record.cpu_share}, // half of the cores differs from a third
      {"data_place", record.data_place == "device" ? record.data_place : ""}, // host is the default
      {"parallel_devices", record.asked_devices},
      {"share", record.share},
      {"openmp_config", record.openmp_config},
      {"instruction_config", record.instruction_config},
      {"cuda_config", record.cuda_config}};
  for (const FieldName axis : fields_of_axes()) {
    values.emplace_back(axis.text(), field_text(record, field_named(axis)));
  }
  std::erase_if(values, is_as_ever);
  return values;
}

std::string variant_id_of(const RunRecord& record) {
  return stable_id('v', variant_values(record));
}

std::vector<NamedValue> environment_values(const RunRecord& record) {
  const std::string kernel = record.kernel.empty() ? "" : "Linux " + record.kernel;
  return {
      {"device_kind", record.device_kind},
      {"device_name", record.device_name},
      {"driver_version", record.driver_version},
      {"os", joined({record.os, kernel}, ", ")},
      {"host", record.host},
      {"cpu", record.cpu},
      {"core_count", std::to_string(record.core_count.value_or(0))},
      // Whole GiB, because the kernel's own share changes from boot to boot.
      {"memory_gib", std::to_string(record.host_memory_bytes.value_or(0) >> 30)},
  };
}

std::string env_id_of(const RunRecord& record) {
  return env_id_of_digits(id_digits(environment_values(record)));
}

std::string env_id_of_digits(const std::string& digits) {
  return 'e' + digits;
}

std::string cell_id_of(const std::string& workload_id, const std::string& variant_id,
                       const std::string& device) {
  return stable_id('c',
                   {{"workload_id", workload_id}, {"variant_id", variant_id}, {"device", device}});
}

} // namespace sdbench
