#include "sdbench/front/trend/cell_trend.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "changed_fields.h"
#include "lasting_keys.h"
#include "night_dates.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/numbers/statistics.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/tags.h"
#include "sdbench/front/compare/figures.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/compare/row_states.h"

namespace sdbench {
namespace {

constexpr std::int64_t kSecondsOfDay = 86400;

/// They change with an upgrade, and somebody may compare two of them on one date.
constexpr FieldName kSoftwareVersions[] = {"runtime_version", "engine_revision", "driver_version"};

using Rows = std::vector<std::size_t>;

std::int64_t time_of(const ResultTable& table, std::size_t row) {
  return seconds_of(table.text(row, "time_utc")).value_or(0); // dated_rows() keeps only good dates
}

/// The day of each row of a cell: that of the first row of its session.
std::map<std::size_t, std::int64_t> days_of(const ResultTable& table, const Pool& pool) {
  std::map<std::size_t, std::int64_t> days;
  std::map<std::uint32_t, std::int64_t> begins; // time of the first row, by session
  const auto each = [&](const auto& visit) {
    for (const Rows* rows : {&pool.rows, &pool.left_out, &pool.failed, &pool.silent}) {
      std::ranges::for_each(*rows, visit);
    }
  };
  each([&](std::size_t row) {
    const std::int64_t time = time_of(table, row);
    const auto [begin, is_new] = begins.try_emplace(table.text_id(row, "sweep_id"), time);
    begin->second = std::min(begin->second, time);
  });
  each([&](std::size_t row) {
    const std::uint32_t session = table.text_id(row, "sweep_id");
    days[row] = (session == 0 ? time_of(table, row) : begins[session]) / kSecondsOfDay;
  });
  return days;
}

std::vector<Night> nights_of(const ResultTable& table, const Metric& metric, const Pool& pool) {
  const auto days = days_of(table, pool);
  std::map<std::int64_t, Night> by_day;
  const auto put = [&](const Rows& rows, Rows Night::*list) {
    for (const std::size_t row : rows) {
      (by_day[days.at(row)].*list).push_back(row);
    }
  };
  put(pool.rows, &Night::rows);
  put(pool.failed, &Night::failed);
  put(pool.left_out, &Night::left_out);
  put(pool.silent, &Night::left_out);
  std::vector<Night> nights;
  for (auto& [day, night] : by_day) {
    std::ranges::stable_sort(night.rows, {}, [&](std::size_t row) { return time_of(table, row); });
    night.day = day;
    night.figure = pooled_by(metric, table, night.rows);
    nights.push_back(std::move(night));
  }
  return nights;
}

Rows rows_of_nights(const CellTrend& trend, std::span<const std::size_t> nights) {
  Rows rows;
  for (const std::size_t night : nights) {
    if (!trend.nights[night].standing.is_odd) {
      rows.insert(rows.end(), trend.nights[night].rows.begin(), trend.nights[night].rows.end());
    }
  }
  return rows;
}

void find_changes(CellTrend& trend, const ResultTable& table, const Metric& metric) {
  const Rows measured = trend.measured();
  std::vector<double> values =
      mapped(measured, [&](std::size_t night) { return trend.nights[night].figure->mean; });
  const Levels levels = levels_of(values);
  trend.spread = levels.spread;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    trend.nights[measured[i]].standing = levels.nights[i];
  }
  for (std::size_t level = 1; level < levels.starts.size(); ++level) {
    const std::size_t start = levels.starts[level];
    const std::size_t end =
        level + 1 < levels.starts.size() ? levels.starts[level + 1] : measured.size();
    const std::size_t begin =
        std::max(levels.starts[level - 1], start > kBaselineNights ? start - kBaselineNights : 0);
    LevelChange change;
    change.night = measured[start];
    change.rows_before = rows_of_nights(trend, std::span(measured).subspan(begin, start - begin));
    change.rows_after = rows_of_nights(trend, std::span(measured).subspan(start, end - start));
    const auto before = pooled_by(metric, table, change.rows_before);
    const auto after = pooled_by(metric, table, change.rows_after);
    if (before && after) {
      change.before = *before;
      change.after = *after;
      change.fields = changed_fields(table, change.rows_before, change.rows_after);
      trend.changes.push_back(std::move(change));
    }
  }
}

std::string night_of_card(const Trends& trends, const CellTrend& trend, const Night& night) {
  return date_text(night.day) + ", " +
         trends.comparison.lines[trends.comparison.pools[trend.pool].line].name;
}

/// Says once if the rows of one night were measured with several versions of software.
void say_mixed_software(Trends& trends, const ResultTable& table) {
  for (const CellTrend& trend : trends.trends) {
    for (const Night& night : trend.nights) {
      for (const FieldName field : kSoftwareVersions) {
        std::set<std::string> versions;
        for (const std::size_t row : night.rows) {
          versions.insert(table.value_text(row, field.place()));
        }
        versions.erase("");
        if (versions.size() > 1) {
          const std::string name(field.text());
          trends.remarks.push_back(night_of_card(trends, trend, night) +
                                   ": its rows have more than one " + name +
                                   ", and its figure is their mean; --filter " + name + "=" +
                                   *versions.begin() + " selects one");
          return;
        }
      }
    }
  }
}

/// Says once if sessions of one night do not tell of which card of their name they are.
void say_unknown_cards(Trends& trends, const ResultTable& table) {
  const auto is_unknown = [&](std::size_t row) {
    const auto kind = device_kind_named(table.text(row, "device_kind"));
    return kind && is_gpu(*kind) && table.text(row, "device_uuid").empty() &&
           !table.says(row, "device_index");
  };
  for (const CellTrend& trend : trends.trends) {
    for (const Night& night : trend.nights) {
      if (!night.rows.empty() && std::ranges::all_of(night.rows, is_unknown) &&
          table.text(night.rows.front(), "sweep_id") != table.text(night.rows.back(), "sweep_id")) {
        trends.remarks.push_back(
            night_of_card(trends, trend, night) +
            ": rows have neither device_uuid nor device_index; a figure may be the mean of several "
            "cards of this name");
        return;
      }
    }
  }
}

/// Sets the usual number of days between nights, and the number of nights that are missing.
void find_gaps(CellTrend& trend) {
  std::vector<double> gaps;
  for (std::size_t i = 1; i < trend.nights.size(); ++i) {
    gaps.push_back(static_cast<double>(trend.nights[i].day - trend.nights[i - 1].day));
  }
  trend.days_between = std::max<std::int64_t>(std::llround(median(gaps).value_or(1)), 1);
  for (const double gap : gaps) {
    const std::int64_t steps = std::llround(gap / static_cast<double>(trend.days_between));
    trend.missing_nights += std::max<std::int64_t>(steps - 1, 0);
  }
}

/// By row, true if its cell is measured in several states on one date.
std::vector<bool> state_keepers(const ResultTable& table, const Comparison& comparison,
                                std::span<const std::size_t> rows) {
  const std::vector<std::string> states = row_states(table, rows, {});
  std::vector<bool> keeps(table.size(), false);
  for (const Pool& pool : comparison.pools) {
    const auto days = days_of(table, pool);
    std::map<std::int64_t, std::set<std::string_view>> by_day;
    for (const auto& [row, day] : days) {
      by_day[day].insert(states[row]);
    }
    const bool has_several =
        std::ranges::any_of(by_day, [](const auto& day) { return day.second.size() > 1; });
    for (const auto& [row, day] : days) {
      keeps[row] = has_several;
    }
  }
  return keeps;
}

using TagValues = std::map<std::string, std::set<std::string>>; ///< by key

/// For each row, the tags that split cells. Tags that change from night to night do not.
std::vector<std::string> dividing_tags(const ResultTable& table, const Comparison& comparison) {
  std::vector<std::string> tags(table.size());
  for (const Pool& pool : comparison.pools) {
    const auto days = days_of(table, pool);
    TagValues all;
    for (const auto& [row, day] : days) {
      for (const std::string& key : tag_keys(table.text(row, "tags"))) {
        all.try_emplace(key);
      }
    }
    std::map<std::int64_t, TagValues> by_day;
    for (const auto& [row, day] : days) {
      for (auto& [key, values] : all) {
        const std::string value = tag_value(table.text(row, "tags"), key);
        values.insert(value);
        by_day[day][key].insert(value);
      }
    }
    std::set<std::string> keys;
    for (const auto& [day, of_day] : by_day) {
      for (const auto& [key, values] : of_day) {
        if (values.size() > 1 && 2 * values.size() > all[key].size()) {
          keys.insert(key);
        }
      }
    }
    for (const auto& [row, day] : days) {
      tags[row] = tags_of(table.text(row, "tags"), std::vector(keys.begin(), keys.end()));
    }
  }
  return tags;
}

CompareOptions options_of(const Metric& metric) {
  CompareOptions options;
  options.metric = metric;
  return options;
}

} // namespace

std::vector<std::size_t> CellTrend::measured() const {
  return filtered(integers(std::size_t{0}, nights.size()),
                  [this](std::size_t night) { return nights[night].figure.has_value(); });
}

Trends cell_trends(const ResultTable& table, std::span<const std::size_t> rows,
                   const Metric& metric, std::string_view now_utc) {
  DatedRows dated = dated_rows(table, rows, now_utc);
  Trends trends;
  trends.rows = std::move(dated.rows);
  trends.remarks = std::move(dated.remarks);
  trends.keeps_state.assign(table.size(), false);
  trends.tags.resize(table.size());
  const CompareOptions options = options_of(metric);
  if (trends.rows.empty()) {
    return trends;
  }
  const auto compare = [&] {
    trends.comparison =
        compare_rows(with_lasting_keys(table, trends.rows, trends.keeps_state, trends.tags),
                     trends.rows, options);
  };
  compare();
  trends.keeps_state = state_keepers(table, trends.comparison, trends.rows);
  trends.tags = dividing_tags(table, trends.comparison);
  if (std::ranges::find(trends.keeps_state, true) != trends.keeps_state.end() ||
      std::ranges::any_of(trends.tags, [](const auto& tags) { return !tags.empty(); })) {
    compare();
  }
  for (const ComparedColumn& column : trends.comparison.columns) {
    for (const std::size_t pool : column.pools) {
      CellTrend& trend = trends.trends.emplace_back();
      trend.pool = pool;
      trend.nights = nights_of(table, metric, trends.comparison.pools[pool]);
      find_changes(trend, table, metric);
      find_gaps(trend);
      trends.last_day = std::max(trends.last_day, trend.nights.back().day);
    }
  }
  say_unknown_cards(trends, table);
  say_mixed_software(trends, table);
  return trends;
}

void name_trends_anew(Trends& trends, const ResultTable& table) {
  std::vector<std::string> tags(table.size());
  for (const std::size_t row : trends.rows) { // a made-up name stands for all tags of a row
    tags[row] = trends.tags[row].empty() ? "" : table.text(row, "tags");
  }
  name_anew(trends.comparison, with_lasting_keys(table, trends.rows, trends.keeps_state, tags),
            options_of(trends.comparison.metric));
  for (CellTrend& trend : trends.trends) {
    for (LevelChange& change : trend.changes) {
      const std::vector<FieldChange> named =
          changed_fields(table, change.rows_before, change.rows_after);
      for (FieldChange& field : change.fields) {
        const auto shown = std::ranges::find(named, field.field, &FieldChange::field);
        field = shown != named.end() ? *shown : FieldChange{field.field, "", ""};
      }
    }
  }
}

} // namespace sdbench
