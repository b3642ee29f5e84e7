#include "sdbench/front/compare/slower_check.h"

#include <algorithm>
#include <set>

#include "sdbench/front/compare/answer.h"
#include "sdbench/front/compare/verdict.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {
namespace {

std::string place_words(const Comparison& comparison, const Pool& pool) {
  return comparison.columns[pool.column].name + ": " + comparison.lines[pool.line].name;
}

} // namespace

SlowerCheck check_slower(const Comparison& comparison, const ResultTable& table, double limit) {
  SlowerCheck check;
  std::set<std::size_t> met; // baselines that something was compared with
  const std::size_t status = field_index("status");
  for (const Pool& pool : comparison.pools) {
    const Pool* base = pool.base && pool.same_settings && !pool.is_baseline
                           ? &comparison.pools[*pool.base]
                           : nullptr;
    if (base == nullptr || !base->figure) {
      continue;
    }
    const auto broke = std::ranges::find_if(
        pool.failed, [&](std::size_t row) { return table.text(row, status) != "interrupted"; });
    if (broke != pool.failed.end() && base->failed.empty()) {
      met.insert(*pool.base);
      ++check.compared;
      check.broken.push_back(place_words(comparison, pool) + ": " +
                             std::string(table.text(*broke, status)));
      continue;
    }
    if (!pool.figure) {
      continue;
    }
    met.insert(*pool.base);
    ++check.compared;
    const std::string words =
        comparison.columns[pool.column].name + ": " + pair_words(comparison, pool, *base);
    const Verdict verdict = verdict_of(comparison.metric, *pool.figure, *base->figure, limit);
    const bool more_is_better = comparison.metric.more_is_better && !comparison.metric.is_rate;
    const double worse = more_is_better ? base->figure->mean / pool.figure->mean
                                        : pool.figure->mean / base->figure->mean;
    if (verdict == Verdict::kSlower) {
      check.slower.push_back(words);
    } else if (verdict == Verdict::kUnclear && worse - 1 >= limit) {
      check.uncertain.push_back(words);
    }
  }
  for (std::size_t place = 0; place < comparison.pools.size(); ++place) {
    const Pool& pool = comparison.pools[place];
    if (pool.is_baseline && pool.figure && !met.contains(place)) {
      check.missing.push_back(place_words(comparison, pool));
    }
  }
  return check;
}

} // namespace sdbench
