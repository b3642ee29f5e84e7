#include "sdbench/front/compare/studies.h"
#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/config/work_field_table.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/compare/shown_value.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/work_record.h"
#include "sdbench/front/results/result_table.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace sdbench {
namespace {

bool is_of_quality(const Metric& metric) {
  constexpr std::string_view kOfQuality[] = {"psnr_db_mean", "psnr_db_min", "ssim_mean",
                                             "ssim_min"};
  return std::ranges::find(kOfQuality, metric.name) != std::end(kOfQuality);
}

/// Everything that a picture depends on, except its prompt and seed. The used value counts, not the
/// requested one: "auto" equals the kernel that it chose.
std::string configuration_of(const ResultTable& table, std::span<const std::size_t> rows) {
  static const std::vector<FieldName> fields = [] {
    std::vector<FieldName> names = {"model",           "weights",     "dtype_unet",
                                    "dtype_vae",       "dtype_text",  "engine_revision",
                                    "runtime_version", "device_kind", "device_name"};
    for (const WorkField& field : kWorkFields) {
      if (field.changes_pictures) {
        names.push_back(record_field(field));
      }
    }
    for (const EngineAxis& axis : engine_axes()) {
      if (axis.changes_pictures) {
        names.push_back(FieldName::of(telling_field(axis)));
      }
    }
    return names;
  }();
  std::string key;
  for (const FieldName field : fields) {
    key += table.value_text(row_that_says(table, rows, field), field) + '\n';
  }
  return key;
}

} // namespace

SortedRows set_studies_apart(const ResultTable& table, std::span<const std::size_t> rows,
                             const Metric& metric) {
  SortedRows sorted;
  for (const std::size_t row : rows) {
    (table.text_id(row, "quality_reference") == 0 ? sorted.placed : sorted.studies).push_back(row);
  }
  if (sorted.placed.empty() || (is_of_quality(metric) && !sorted.studies.empty())) {
    return {std::move(sorted.studies), {}};
  }
  return sorted;
}

void add_studies(Comparison& comparison, const ResultTable& table,
                 std::span<const std::size_t> studies) {
  if (studies.empty()) {
    return;
  }
  std::unordered_map<std::string, std::vector<std::size_t>> places;
  for (std::size_t place = 0; place < comparison.pools.size(); ++place) {
    places[configuration_of(table, comparison.pools[place].sample_rows())].push_back(place);
  }
  for (const std::size_t row : studies) {
    const auto found = places.find(configuration_of(table, std::span(&row, 1)));
    if (found == places.end()) {
      ++comparison.lone_studies;
      continue;
    }
    for (const std::size_t place : found->second) {
      comparison.pools[place].studies.push_back(row);
    }
  }
}

} // namespace sdbench
