#include "sdbench/compare/quality_beside.h"

#include <algorithm>

namespace sdbench {
namespace {

constexpr const char* kKeyFields[] = {
    "model",       "width",           "height",           "steps",       "guidance",
    "scheduler",   "dtype_unet",      "timestep_spacing", "dtype_vae",   "dtype_text",
    "engine",      "attention_used",  "memory_format",    "tf32_used",   "cudnn_benchmark",
    "vae_tiles",   "weights",         "engine_revision",  "device_name", "env_id",
    "device_kind", "libtorch_version"};

} // namespace

QualityBeside::QualityBeside(const ResultTable& table, std::span<const std::size_t> rows)
    : table_(table) {
  for (const char* name : kKeyFields) {
    fields_.push_back(field_index(name));
  }
  for (const std::size_t row : rows) {
    if (is_quality(row) && table.text(row, status_) == "ok") {
      rows_[key(row)].push_back(row);
    }
  }
}

std::vector<std::size_t> QualityBeside::rows_of(std::size_t row) const {
  if (rows_.empty() || is_quality(row)) {
    return {};
  }
  const auto found = rows_.find(key(row));
  if (found == rows_.end()) {
    return {};
  }
  std::vector<std::size_t> beside = found->second;
  for (const char* name : {"variant_id", "batch"}) {
    const std::size_t field = field_index(name);
    const std::string ours = table_.value_text(row, field);
    std::vector<std::size_t> same;
    std::ranges::copy_if(beside, std::back_inserter(same), [&](std::size_t other) {
      return table_.value_text(other, field) == ours;
    });
    if (!same.empty()) {
      beside = std::move(same);
    }
  }
  return beside;
}

std::string QualityBeside::key(std::size_t row) const {
  std::string key;
  for (const std::size_t field : fields_) {
    key += table_.value_text(row, field);
    key += '\0'; // no field has one
  }
  return key;
}

bool QualityBeside::is_quality(std::size_t row) const {
  return !table_.text(row, reference_).empty();
}

} // namespace sdbench
