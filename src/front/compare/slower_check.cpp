#include "sdbench/front/compare/slower_check.h"

#include <algorithm>
#include <set>

#include "sdbench/base/record/field_name.h"
#include "sdbench/front/compare/answer.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/compare/verdict.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {
namespace {

std::string place_words(const Comparison& comparison, const Pool& pool) {
  return comparison.columns[pool.column].name + ": " + comparison.lines[pool.line].name;
}

std::string compared_words(const Comparison& comparison, const Pool& pool, const Pool& base) {
  return comparison.columns[pool.column].name + ": " + std::string(comparison.metric.name) + ": " +
         pair_words(comparison, pool, base);
}

/// Both have figures.
void judge(SlowerCheck& check, const Comparison& comparison, std::size_t place, const Pool& pool,
           double limit) {
  const Pool& base = comparison.pools[*pool.base];
  const Verdict verdict = verdict_of(comparison.metric, *pool.figure, *base.figure, limit);
  const bool more_is_better = comparison.metric.more_is_better && !comparison.metric.is_rate;
  const double worse = more_is_better ? base.figure->mean / pool.figure->mean
                                      : pool.figure->mean / base.figure->mean;
  const SlowerPlace found{place, compared_words(comparison, pool, base)};
  if (!pool.figure->covers_rows() || !base.figure->covers_rows()) {
    check.one_start.push_back(found);
  } else if (verdict == Verdict::kSlower) {
    check.slower.push_back(found);
  } else if (verdict == Verdict::kUnclear && worse - 1 >= limit) {
    check.uncertain.push_back(found);
  }
}

/// The host's memory beside a device's: no figure of its own.
bool is_beside_the_devices(const Comparison& comparison, const ResultTable& table,
                           const Pool& pool) {
  return comparison.metric.name == FieldName("peak_host_bytes") &&
         table.number(pool.sample_row(), "peak_device_allocated_bytes") > 0;
}

} // namespace

SlowerCheck judge_again(const Comparison& comparison, std::size_t pool, const PooledFigure& figure,
                        double limit) {
  SlowerCheck check;
  Pool again = comparison.pools[pool];
  again.figure = figure;
  again.busy_rows = 0;
  judge(check, comparison, pool, again, limit);
  check.compared = 1;
  return check;
}

SlowerCheck check_slower(const Comparison& comparison, const ResultTable& table, double limit) {
  SlowerCheck check;
  std::set<std::size_t> met; // baselines that something was compared with
  const std::size_t status = field_index("status");
  for (std::size_t place = 0; place < comparison.pools.size(); ++place) {
    const Pool& pool = comparison.pools[place];
    const Pool* base = pool.base && pool.same_settings && !pool.is_baseline
                           ? &comparison.pools[*pool.base]
                           : nullptr;
    if (base == nullptr || !base->figure) {
      continue;
    }
    const auto broke = std::ranges::find_if(pool.failed, [&](std::size_t row) {
      return outcome_of(table, row) == table.text(row, status) &&
             table.text(row, status) != "interrupted";
    });
    const bool is_broken = broke != pool.failed.end() && base->failed.empty();
    if (!is_broken && !pool.figure) {
      continue;
    }
    met.insert(*pool.base);
    if (is_broken) {
      check.broken.push_back(
          {place, place_words(comparison, pool) + ": " + std::string(table.text(*broke, status))});
    } else if (is_beside_the_devices(comparison, table, pool)) {
      continue;
    } else {
      judge(check, comparison, place, pool, limit);
    }
    ++check.compared;
  }
  for (std::size_t place = 0; place < comparison.pools.size(); ++place) {
    const Pool& pool = comparison.pools[place];
    if (pool.is_baseline && pool.figure && !met.contains(place)) {
      check.missing.push_back({place, place_words(comparison, pool)});
    }
  }
  return check;
}

} // namespace sdbench
