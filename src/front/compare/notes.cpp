#include "notes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/compare/baseline.h"
#include "sdbench/front/compare/figures.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/compare/pooled_figure.h"
#include "sdbench/front/compare/shown_value.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/flags.h"
#include "table_words.h"

namespace sdbench {
namespace {

/// A field that gets a note if a row differs from its base in it.
struct Watched {
  FieldName field;
  std::string words; ///< text before the value
};

const std::vector<Watched>& watched_fields() {
  static const std::vector<Watched> all = [] {
    std::vector<Watched> fields = {{"runtime_version", ""}, // see words()
                                   {"driver_version", "driver "},
                                   {"engine", ""},
                                   {"engine_revision", "engine revision "},
                                   {"dtype_unet", "UNet in "}};
    for (const EngineAxis& axis : engine_axes()) {
      if (const std::string field = telling_field(axis); field != axis.name) {
        fields.push_back({FieldName::of(field), std::string(axis.words) + " "});
      }
    }
    fields.push_back({"weights", ""});
    return fields;
  }();
  return all;
}

class Notes {
public:
  Notes(Comparison& comparison, const ResultTable& table)
      : comparison_(comparison), table_(table) {}

  void add_all() {
    for (const ComparedColumn& column : comparison_.columns) {
      const bool mixed = covers_differ(column);
      for (const std::size_t place : column.pools) {
        Pool& pool = comparison_.pools[place];
        add_differences(pool);
        add_flags(pool);
        add_rows(pool);
        add_interval(pool, mixed);
      }
    }
  }

private:
  void add(Pool& pool, const std::string& text) {
    const auto [place, is_new] = places_.try_emplace(text, comparison_.notes.size());
    if (is_new) {
      comparison_.notes.push_back(text);
    }
    if (std::ranges::find(pool.notes, place->second) == pool.notes.end()) {
      pool.notes.push_back(place->second);
    }
  }

  /// The value that all rows of the pool share, ignoring rows without one, as shown to people.
  [[nodiscard]] std::string value(const Pool& pool, const Watched& watched) const {
    const auto of_row = [&](std::size_t row) { return shown_value(table_, row, watched.field); };
    const std::string first = of_row(row_that_says(table_, pool.sample_rows(), watched.field));
    const bool all = std::ranges::all_of(pool.rows, [&](std::size_t row) {
      const std::string said = of_row(row);
      return said.empty() || said == first;
    });
    return all ? first : first + " in some of its rows";
  }

  /// The words before a value.
  [[nodiscard]] std::string words(const Pool& pool, const Watched& watched) const {
    return watched.field == FieldName("runtime_version")
               ? std::string(runtime_name(table_.text(pool.sample_row(), "engine"))) + " "
               : watched.words;
  }

  void add_differences(Pool& pool) {
    if (pool.is_baseline || !pool.base || !pool.figure) {
      return;
    }
    const Pool& base = comparison_.pools[*pool.base];
    const std::string& name = comparison_.lines[pool.line].name;
    const bool is_other_engine =
        table_.text(pool.sample_row(), "engine") != table_.text(base.sample_row(), "engine");
    for (const Watched& watched : watched_fields()) {
      if (is_other_engine && watched.field == FieldName("engine_revision")) {
        continue; // engines count revisions independently
      }
      const std::string ours = value(pool, watched);
      const std::string theirs = value(base, watched);
      const bool is_known = !ours.empty() && !theirs.empty();
      const std::string before = words(pool, watched);
      if (is_known && ours != theirs && !says(name, before + ours) && !says(name, ours)) {
        add(pool, before + ours + (is_best_ ? " (the best: " : " (the baseline: ") + theirs + ")");
      }
    }
  }

  void add_flags(Pool& pool) {
    std::map<std::string, std::size_t> counts;
    std::string busy_programs; // from the first row that names some
    for (const std::size_t row : pool.rows) {
      for (const std::string_view word : split(table_.text(row, "flags"), ' ')) {
        counts[std::string(word)] += word.empty() ? 0U : 1U;
      }
      if (busy_programs.empty()) {
        busy_programs = table_.text(row, "busy_programs");
      }
    }
    pool.busy_rows = counts["busy"];
    for (const auto& [flag, count] : counts) {
      if (count > 0) {
        const std::string_view text = flag_text(flag);
        const std::string who = flag == "busy" ? busy_programs : "";
        add(pool, flag + of_rows(count, pool.rows.size()) +
                      (text.empty() ? "" : ": " + std::string(text)) +
                      (who.empty() ? "" : " (" + who + ")"));
      }
    }
  }

  /// True if `part` is a part of a line's name: "fp16" of "RTX 9000 on alpha, fp16".
  static bool says(const std::string& name, const std::string& part) {
    return (", " + name + ", ").find(", " + part + ", ") != std::string::npos;
  }

  /// " (2 of 3 rows)"; empty for all rows.
  static std::string of_rows(std::size_t count, std::size_t all) {
    return count == all ? ""
                        : " (" + std::to_string(count) + " of " + std::to_string(all) + " rows)";
  }

  void add_rows(Pool& pool) {
    std::map<std::string_view, std::size_t> reasons;
    for (const std::size_t row : pool.left_out) {
      const SpoilingFlag* const spoiling = spoiling_flag(table_.text(row, "flags"));
      ++reasons[spoiling != nullptr ? spoiling->words
                                    : "runs were cut short or a parallel device failed"];
    }
    for (const auto& [reason, count] : reasons) {
      add(pool, std::to_string(count) + " left out, because " + std::string(reason));
    }
    for (const std::size_t row : pool.studies) {
      if (const auto status = table_.text(row, "status"); status != "ok") {
        add(pool, "sdbench quality ended as " + std::string(status));
      }
    }
    if (pool.figure && !pool.failed.empty()) {
      const std::size_t all = pool.failed.size() + pool.rows.size() + pool.left_out.size();
      add(pool, "failed" + of_rows(pool.failed.size(), all) + ": " +
                    outcome_words(table_, pool.failed.front()));
    }
  }

  [[nodiscard]] bool covers_differ(const ComparedColumn& column) const {
    std::set<IntervalBasis> bases;
    for (const std::size_t place : column.pools) {
      const Pool& pool = comparison_.pools[place];
      if (pool.figure && pool.figure->standard_error) {
        bases.insert(pool.figure->basis);
      }
    }
    return bases.size() > 1;
  }

  /// Says why an interval between cards is not there, or is between hosts.
  void add_units(Pool& pool) {
    const bool by_cards = pool.over == PoolOver::kCards;
    if (!by_cards) {
      add(pool, "a row does not tell its card (device_uuid), so each host counts as one card");
    }
    if (!pool.figure->standard_error) {
      add(pool, by_cards ? "one card, so there is no interval between cards"
                         : "one host, so there is no interval between hosts");
    }
  }

  void add_interval(Pool& pool, bool mixed) {
    if (!pool.figure) {
      return;
    }
    const PooledFigure& figure = *pool.figure;
    if (pool.over != PoolOver::kRows) {
      add_units(pool);
      return;
    }
    if (mixed && figure.standard_error && figure.basis == IntervalBasis::kRunsOfOneRow) {
      add(pool, "its interval covers the runs of one row, other intervals cover several rows");
    } else if (mixed && figure.standard_error && figure.basis == IntervalBasis::kRunsOfRows) {
      add(pool,
          "its rows differ less than the noise of single runs would make them, so its interval "
          "covers the runs");
    } else if (mixed && figure.basis == IntervalBasis::kRows && figure.sessions == 1) {
      add(pool, "its interval covers the rows of one session");
    }
    // The interval of two rows is wide: Student's t is 12.7 for one degree of freedom, 4.3 for two.
    if (figure.rows == 2 && figure.between_sd && figure.within_half_width &&
        *figure.between_sd > *figure.within_half_width * std::sqrt(2.0)) {
      add(pool, "its two rows differ by " +
                    significant_text(100 * *figure.between_sd * std::sqrt(2.0) / figure.mean, 2) +
                    " %, more than the noise of their runs explains: add a third row");
    }
  }

  Comparison& comparison_;
  const ResultTable& table_;
  std::unordered_map<std::string, std::size_t> places_;
  bool is_best_ = comparison_.baseline == kBestBaseline;
};

struct Stage {
  std::string name;
  double seconds = 0; ///< per run
};

std::optional<double> mean_of(const ResultTable& table, const Pool& pool, std::string_view field) {
  const auto figure = pooled_by(find_metric(field), table, pool.rows, pool.over);
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
    stages.push_back({"the time between the stages", *rest});
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

void add_notes(Comparison& comparison, const ResultTable& table) {
  Notes(comparison, table).add_all();
}

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
