#include "pool_words.h"

#include "sdbench/base/numbers/number_text.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/compare/metric.h"

namespace sdbench {

std::string times_text(double ratio) {
  return significant_text(ratio) + "x";
}

std::string value_text(const Comparison& comparison, const ResultTable& table, const Pool& pool) {
  if (pool.figure) {
    const Metric& metric = comparison.metric;
    if (metric.head == metric.unit) {
      return significant_text(metric.averaged_scale(pool.figure->mean));
    }
    const Pool& best = comparison.pools[comparison.columns[pool.column].pools.front()];
    return metric.text_in_column(metric.averaged_scale(pool.figure->mean),
                                 metric.averaged_scale(best.figure.value_or(*pool.figure).mean));
  }
  return pool.failed.empty() ? "-" : outcome_words(table, pool.failed.front());
}

std::size_t status_row(const Pool& pool) {
  const bool failed = pool.rows.empty() && pool.silent.empty() && !pool.failed.empty();
  return failed ? pool.failed.front() : pool.sample_row();
}

std::optional<double> s_per_image(const Pool& pool) {
  constexpr double kMinute = 60;
  return pool.images_per_min && pool.unet_it_s ? std::optional(kMinute / *pool.images_per_min)
                                               : std::nullopt;
}

bool is_judged(const Comparison& comparison, const Pool& pool) {
  return pool.figure && !pool.is_baseline && pool.base && comparison.pools[*pool.base].figure;
}

std::string relative_text(const Comparison& comparison, const Pool& pool) {
  if (pool.is_baseline && pool.figure) {
    return times_text(1);
  }
  return is_judged(comparison, pool) ? times_text(pool.relative.value) : "";
}

} // namespace sdbench
