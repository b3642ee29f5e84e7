#include "record_figures.h"

#include <variant>

#include "sdbench/base/config/run_config.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/record/field_access.h"

namespace sdbench {
namespace {

constexpr double kSecondsAMinute = 60;

} // namespace

std::string figure_text(const std::optional<double>& value) {
  return value ? significant_text(*value) : "";
}

std::string figure_text(const RunRecord& record, FieldName name) {
  return figure_text(record.*
                     std::get<std::optional<double> RunRecord::*>(field_named(name).member));
}

std::string peak_memory_text(const RunRecord& record) {
  const auto& bytes = record.peak_device_allocated_bytes ? record.peak_device_allocated_bytes
                                                         : record.peak_host_bytes;
  return bytes ? bytes_text(*bytes) : "";
}

std::string iterations_text(const RunRecord& record) {
  const bool has_any =
      !makes_images(task_row_of(record.task).task) && record.batch > 0 && record.images > 0;
  return has_any ? std::to_string(batch_count(record.images, record.batch)) : "";
}

std::string loss_text(const RunRecord& record) {
  return record.loss.empty() && !record.weight_update.empty() ? kCrossEntropy : record.loss;
}

std::string images_interval_text(const RunRecord& record) {
  const auto& low = record.images_per_min_ci95_low;
  const auto& high = record.images_per_min_ci95_high;
  if (!low || !high) {
    return "";
  }
  const bool is_a_second = record.images_per_s.has_value();
  const double unit = is_a_second ? kSecondsAMinute : 1;
  return significant_text(*low / unit, 4) + " to " + significant_text(*high / unit, 4) +
         (is_a_second ? " images/s" : " images/min");
}

std::string together_words(const RunRecord& record) {
  if (record.parallel_role.empty()) {
    return "alone";
  }
  return (record.parallel_role == kRoleSum ? "sum of " : "part of ") +
         std::to_string(record.parallel_devices.value_or(0));
}

} // namespace sdbench
