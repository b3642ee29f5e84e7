#include "sdbench/front/compare/slower_check.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>

#include "sdbench/base/numbers/units.h"
#include "sdbench/base/types/status.h"
#include "sdbench/front/compare/answer.h"
#include "sdbench/front/compare/figures.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/compare/pooled_figure.h"
#include "sdbench/front/compare/verdict.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/flags.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {
namespace {

std::string compared_words(const Comparison& comparison, const Pool& pool, const Pool& base) {
  return comparison.columns[pool.column].name + ": " + std::string(comparison.metric.name) + ": " +
         pair_words(comparison, pool, base);
}

/// Judges a pool against its base; both have figures.
void judge(SlowerCheck& check, const Comparison& comparison, std::size_t place, const Pool& pool,
           double limit) {
  const Pool& base = comparison.pools[*pool.base];
  const Verdict verdict = verdict_of(comparison.metric, *pool.figure, *base.figure, limit);
  const double worse = worse_by(comparison.metric, pool.figure->mean, base.figure->mean);
  const SlowerPlace found{place, pool.sample_row(), compared_words(comparison, pool, base)};
  if (!pool.figure->covers_starts() || !base.figure->covers_starts()) {
    check.one_start.push_back(found);
  } else if (verdict == Verdict::kSlower) {
    check.slower.push_back(found);
  } else if (verdict == Verdict::kUnclear && worse >= limit) {
    check.uncertain.push_back(found);
  }
}

/// "1 of 3 rows failed (crash)"
std::string failure_words(std::size_t failed, std::size_t all, const std::string& noun,
                          std::string_view status) {
  return std::to_string(failed) + " of " + counted(static_cast<std::int64_t>(all), noun) +
         " failed (" + std::string(status) + ")";
}

std::string broken_words(const Comparison& comparison, const ResultTable& table, const Pool& pool,
                         std::string_view status) {
  const std::size_t all =
      pool.rows.size() + pool.left_out.size() + pool.silent.size() + pool.failed.size();
  const auto failed = static_cast<std::size_t>(std::ranges::count_if(
      pool.failed, [&](std::size_t row) { return is_true_failure(outcome_of(table, row)); }));
  return place_words(comparison, pool) + ": " +
         (all == 1 ? std::string(status) : failure_words(failed, all, "row", status));
}

bool has_failed(const ResultTable& table, const Pool& pool) {
  return std::ranges::any_of(
      pool.failed, [&](std::size_t row) { return excuses_failure(outcome_of(table, row)); });
}

/// The results of a row's cell when it ran again.
struct Again {
  std::optional<PooledFigure> figure;
  std::size_t starts = 0;
  std::size_t failed = 0;
  std::string status;    ///< of the first start that failed
  std::size_t busy = 0;  ///< rows with a figure and the flag busy
  bool is_other = false; ///< measured with a different program, weights or environment
};

bool is_same_engine(const RunRecord& row, const RunRecord& record) {
  return row.git_sha == record.git_sha && row.engine_revision == record.engine_revision &&
         row.weights == record.weights && row.env_id == record.env_id;
}

Again measured_again(const Metric& metric, const RunRecord& record,
                     std::span<const RunRecord> rows) {
  Again again;
  ResultTable table;
  std::vector<std::size_t> places;
  for (const RunRecord& row : rows) {
    if (row.cell_id != record.cell_id) {
      continue;
    }
    ++again.starts;
    if (row.status != name_of(Status::kOk)) {
      ++again.failed;
      again.status = again.status.empty() ? row.status : again.status;
      continue;
    }
    again.is_other = again.is_other || !is_same_engine(row, record);
    if (is_whole_by(row.flags)) {
      places.push_back(table.add(row));
      again.busy += has_flag(row, "busy") ? 1 : 0;
    }
  }
  again.figure = pooled_by(metric, table, places);
  return again;
}

} // namespace

std::string place_words(const Comparison& comparison, const Pool& pool) {
  return comparison.columns[pool.column].name + ": " + comparison.lines[pool.line].name;
}

bool is_true_failure(std::string_view outcome) {
  const auto status = status_from_name(outcome); // nothing for a row that contradicts itself
  return status && status != Status::kOk && status != Status::kInterrupted;
}

bool excuses_failure(std::string_view outcome) {
  return is_true_failure(outcome) && outcome != name_of(Status::kSkipped);
}

std::string why_no_figure(const Metric& metric, const ResultTable& table,
                          std::span<const std::size_t> failed,
                          std::span<const std::size_t> left_out) {
  if (!failed.empty()) {
    return std::string(outcome_of(table, failed.front()));
  }
  const std::string_view flags =
      left_out.empty() ? std::string_view() : table.text(left_out.front(), "flags");
  return is_whole_by(flags)                ? "no " + std::string(metric.name)
         : spoiling_flag(flags) != nullptr ? std::string(spoiling_flag(flags)->name)
                                           : "cut short";
}

bool is_beside_a_device(const Metric& metric, const ResultTable& table, const Pool& pool) {
  return metric.name == FieldName("peak_host_bytes") &&
         table.number(pool.sample_row(), "peak_device_allocated_bytes") > 0;
}

CheckedAgain check_again(const Comparison& comparison, const ResultTable& table,
                         const SlowerPlace& place, const RunRecord& record,
                         std::span<const RunRecord> rows, double limit) {
  const Again again = measured_again(comparison.metric, record, rows);
  CheckedAgain checked{.check = {},
                       .stays = "",
                       .failures = again.failed == 0 ? ""
                                                     : failure_words(again.failed, again.starts,
                                                                     "start", again.status)};
  Pool pool = comparison.pools[place.pool];
  const bool is_broken =
      again.failed > 0 && (!has_failed(table, comparison.pools[*pool.base]) || !again.figure);
  if (again.is_other) {
    checked.stays = "the new rows are of another build of sdbench, or have other weights";
    return checked;
  }
  if (is_broken) {
    checked.check.broken.push_back(
        {place.pool, place.row, place_words(comparison, pool) + ": again " + checked.failures});
  }
  if (again.figure) {
    pool.figure = again.figure;
    pool.busy_rows = again.busy;
    judge(checked.check, comparison, place.pool, pool, limit);
  } else if (!is_broken) {
    checked.stays = "no new row has this figure";
  }
  return checked;
}

SlowerCheck check_slower(const Comparison& comparison, const ResultTable& table, double limit) {
  SlowerCheck check;
  std::set<std::size_t> met; // baselines that something was compared with
  for (std::size_t place = 0; place < comparison.pools.size(); ++place) {
    const Pool& pool = comparison.pools[place];
    const Pool* base = pool.base && pool.same_settings && !pool.is_baseline
                           ? &comparison.pools[*pool.base]
                           : nullptr;
    if (base == nullptr || !base->figure) {
      continue;
    }
    const auto broke = std::ranges::find_if(
        pool.failed, [&](std::size_t row) { return is_true_failure(outcome_of(table, row)); });
    // Failures of the baseline excuse a failure, unless the place has no figure at all.
    const bool is_broken =
        broke != pool.failed.end() && (!has_failed(table, *base) || !pool.figure);
    met.insert(*pool.base);
    if (is_beside_a_device(comparison.metric, table, pool) ||
        is_beside_a_device(comparison.metric, table, *base)) {
      continue;
    }
    if (!is_broken && !pool.figure) {
      check.uncertain.push_back(
          {place, pool.sample_row(),
           place_words(comparison, pool) + ": " +
               why_no_figure(comparison.metric, table, pool.failed, pool.left_out)});
    } else if (is_broken) {
      check.broken.push_back(
          {place, *broke, broken_words(comparison, table, pool, outcome_words(table, *broke))});
      if (pool.figure) { // the good rows may also be slower
        SlowerCheck left;
        judge(left, comparison, place, pool, limit);
        std::ranges::move(left.slower, std::back_inserter(check.slower));
      }
    } else {
      judge(check, comparison, place, pool, limit);
    }
    ++check.compared;
  }
  for (std::size_t place = 0; place < comparison.pools.size(); ++place) {
    const Pool& pool = comparison.pools[place];
    if (pool.is_baseline && pool.figure && !met.contains(place)) {
      check.missing.push_back({place, pool.sample_row(), place_words(comparison, pool)});
    }
  }
  return check;
}

} // namespace sdbench
