#include "sdbench/front/record/between_runs.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sdbench/base/types/status.h"
#include "sdbench/front/record/card_state.h"
#include "sdbench/front/record/confidence.h"
#include "sdbench/front/record/flags.h"

namespace sdbench {
namespace {

/// False for a run without all of its partners, which is a different measurement, and for a partial
/// run. A partial run's row has a step rate, but no image rate; the sum of a parallel execution and
/// a network's row have an image rate, but no step rate.
bool is_whole(const RunRecord& record) {
  return record.status == name_of(Status::kOk) && is_whole_by(record.flags) &&
         !has_flag(record, kContradicts) && record.images_per_min.value_or(0) > 0;
}

bool has_step_rate(const RunRecord& record) {
  return record.unet_it_s.value_or(0) > 0;
}

void add_row(const RunRecord& row, std::vector<double>& s_per_it,
             std::vector<double>& s_per_image) {
  if (has_step_rate(row)) {
    s_per_it.push_back(1 / *row.unet_it_s);
  }
  constexpr double kSecondsPerMinute = 60;
  s_per_image.push_back(kSecondsPerMinute / *row.images_per_min);
}

std::optional<double> image_interval_width(const RunRecord& record) {
  return record.images_per_min_ci95_low && record.images_per_min_ci95_high
             ? std::optional(*record.images_per_min_ci95_high - *record.images_per_min_ci95_low)
             : std::nullopt;
}

/// Link generations that only one row of the record's card has, while other rows have another
/// generation.
std::set<std::int64_t> odd_generations(const RunRecord& record,
                                       std::span<const RunRecord> earlier) {
  std::map<std::int64_t, std::size_t> counts;
  const auto count = [&](const RunRecord& row) {
    if (row.pcie_generation_used && row.env_id == record.env_id &&
        row.device_uuid == record.device_uuid && row.device_index == record.device_index) {
      ++counts[*row.pcie_generation_used];
    }
  };
  count(record);
  std::ranges::for_each(earlier, count);
  std::set<std::int64_t> odd;
  for (const auto& [generation, rows] : counts) {
    if (rows == 1 && counts.size() > 1) {
      odd.insert(generation);
    }
  }
  return odd;
}

bool same_measurement(const RunRecord& a, const RunRecord& b,
                      const std::set<std::int64_t>& odd_generations) {
  const auto is_odd = [&](const RunRecord& row) {
    return row.pcie_generation_used && odd_generations.contains(*row.pcie_generation_used);
  };
  const bool same_execution = a.sweep_id == b.sweep_id && a.round == b.round &&
                              a.restart == b.restart; // the same cell twice in one list
  return a.cell_id == b.cell_id && a.env_id == b.env_id && a.engine == b.engine &&
         a.engine_revision == b.engine_revision && a.weights == b.weights && a.seed == b.seed &&
         a.prompt_sha256 == b.prompt_sha256 && a.tags == b.tags &&
         same_card_state(a, b, !is_odd(a) && !is_odd(b)) && !same_execution;
}

} // namespace

void apply_between_runs(RunRecord& record, std::span<const RunRecord> earlier) {
  if (!is_whole(record)) {
    return;
  }
  std::vector<double> s_per_it;
  std::vector<double> s_per_image;
  add_row(record, s_per_it, s_per_image);
  const std::set<std::int64_t> odd = odd_generations(record, earlier);
  for (const RunRecord& row : earlier) {
    if (is_whole(row) && has_step_rate(row) == has_step_rate(record) &&
        same_measurement(row, record, odd)) {
      add_row(row, s_per_it, s_per_image);
    }
  }
  if (s_per_image.size() < kRowsForBetweenRuns) {
    return;
  }
  RunRecord between = record;
  set_intervals(between, "between-runs", s_per_it, s_per_image);
  // A few rows may agree by chance. The spread within a row is then more reliable, as in compare.
  const auto within_width = image_interval_width(record);
  const auto between_width = image_interval_width(between); // nothing if rows are too far apart
  if (!within_width || !between_width || *between_width >= *within_width) {
    record = std::move(between);
  }
}

} // namespace sdbench
