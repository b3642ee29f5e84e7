#include "record_figures.h"

#include "sdbench/base/core/number_text.h"
#include "sdbench/base/core/units.h"

namespace sdbench {

std::string figure_text(const std::optional<double>& value) {
  return value ? significant_text(*value) : "";
}

std::string peak_memory_text(const RunRecord& record) {
  const auto& bytes = record.peak_device_allocated_bytes ? record.peak_device_allocated_bytes
                                                         : record.peak_host_bytes;
  return bytes ? bytes_text(*bytes) : "";
}

} // namespace sdbench
