#include "sdbench/front/words/best_batch.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "sdbench/base/config/work_field_table.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/numbers/statistics.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/record/work_record.h"
#include "sdbench/front/words/sweep_table.h"

namespace sdbench {
namespace {

/// The rows of one search, by batch.
struct Curve {
  std::string search;
  std::map<std::int64_t, std::vector<const RunRecord*>> points;
};

/// The key that the rows of one search share: environment, device and everything that was asked
/// for, except batch and images.
std::string search_of(const RunRecord& row) {
  std::string key;
  for (const WorkField& field : kWorkFields) {
    const bool is_searched = field.name == "batch" || field.name == "images";
    key += is_searched ? "" : said_text(row, field) + '\n';
  }
  for (const std::string& part :
       {row.model, row.weights, std::to_string(row.seed), row.prompt_sha256, row.variant_id,
        row.env_id, std::to_string(row.device_index.value_or(0)), row.label, row.note, row.tags}) {
    key += part + '\n';
  }
  return key;
}

/// Mean rate of a point's good rows: images/s where rows have it, else images/min.
std::optional<double> images_in_time(const std::vector<const RunRecord*>& rows) {
  std::vector<double> rates;
  for (const RunRecord* row : rows) {
    const std::optional<double>& rate = row->images_per_s ? row->images_per_s : row->images_per_min;
    if (row->status == "ok" && rate) {
      rates.push_back(*rate);
    }
  }
  return mean(rates);
}

std::string text_of(const Curve& curve) {
  const RunRecord* best = nullptr;
  double most = 0;
  std::string points;
  for (const auto& [batch, rows] : curve.points) {
    const std::optional<double> rate = images_in_time(rows);
    points += (points.empty() ? "" : ", ") + std::to_string(batch) + ": " +
              (rate ? significant_text(*rate) : rows.back()->status);
    if (rate && *rate > most) {
      most = *rate;
      best = rows.front();
    }
  }
  if (best == nullptr) {
    return {};
  }
  const std::string unit = best->images_per_s ? "images/s" : "images/min";
  return "best batch  " + std::to_string(best->batch) + " (" + significant_text(most) + " " + unit +
         "): " + cell_words(*best) + "\n  " + unit + " by batch  " + points + "\n";
}

} // namespace

std::string best_batch_text(std::span<const RunRecord> rows) {
  std::vector<Curve> curves; // in the order of the rows
  std::set<std::string> seen;
  for (const RunRecord& row : rows) {
    if (!row.run_id.empty() && !seen.insert(row.run_id).second) {
      continue;
    }
    const std::string search = search_of(row);
    auto curve = std::ranges::find(curves, search, &Curve::search);
    if (curve == curves.end()) {
      curve = curves.insert(curve, Curve{search, {}});
    }
    curve->points[row.batch].push_back(&row);
  }
  return joined(mapped(curves, text_of), "");
}

} // namespace sdbench
