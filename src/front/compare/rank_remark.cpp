#include "rank_remark.h"

#include <optional>
#include <string_view>
#include <vector>

#include "sdbench/base/numbers/units.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/compare/figures.h"
#include "sdbench/front/compare/metric.h"

namespace sdbench {
namespace {

struct Stage {
  std::string name;
  double seconds = 0; ///< per run
};

std::optional<double> mean_of(const ResultTable& table, const Pool& pool, std::string_view field) {
  const auto figure = pooled_by(find_metric(field), table, pool.rows);
  return figure ? std::optional(figure->mean) : std::nullopt;
}

/// The parts of a run that the rows have, and the time between them.
std::vector<Stage> stages_of(const ResultTable& table, const Pool& pool) {
  std::vector<Stage> stages;
  std::optional<double> rest = mean_of(table, pool, "e2e_s");
  for (const std::string_view part : task_row_of(table.text(pool.sample_row(), "task")).parts) {
    const std::optional<double> seconds = mean_of(table, pool, std::string(part) + "_s");
    stages.push_back({std::string(part) + "_s", seconds.value_or(0)});
    rest = rest && seconds ? std::optional(*rest - *seconds) : std::nullopt;
  }
  if (rest) {
    stages.push_back({"what lies between the stages", *rest});
  }
  return stages;
}

std::string remark_of(const Comparison& comparison, const ResultTable& table, const Pool& ahead,
                      const Pool& behind) {
  const std::vector<Stage> ours = stages_of(table, behind);
  const std::vector<Stage> theirs = stages_of(table, ahead);
  std::size_t worst = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const auto longer = [&](std::size_t stage) {
      return ours[stage].seconds - theirs[stage].seconds;
    };
    worst = longer(i) > longer(worst) ? i : worst;
  }
  return comparison.lines[behind.line].name + " has more UNet it/s than " +
         comparison.lines[ahead.line].name + ", but fewer images/min: " + ours[worst].name +
         " is " + time_text(ours[worst].seconds) + " of a run, and there " +
         time_text(theirs[worst].seconds);
}

} // namespace

std::string rank_remark(const Comparison& comparison, const ResultTable& table,
                        const ComparedColumn& column) {
  if (comparison.metric.name != "images_per_min") {
    return "";
  }
  const Pool* before = nullptr;
  for (const std::size_t place : column.pools) {
    const Pool& pool = comparison.pools[place];
    if (!pool.figure || !pool.unet_it_s) {
      continue;
    }
    if (before != nullptr && *pool.unet_it_s > *before->unet_it_s * (1 + comparison.threshold)) {
      return remark_of(comparison, table, *before, pool);
    }
    before = &pool;
  }
  return "";
}

} // namespace sdbench
