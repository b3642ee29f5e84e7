#include "night_dates.h"

#include <chrono>
#include <iterator>
#include <map>
#include <utility>

#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/trend/cell_trend.h"
#include "sdbench/front/words/calendar.h"

namespace sdbench {
namespace {

constexpr std::int64_t kDay = 86400; ///< seconds

std::string row_place(const ResultTable& table, std::size_t row) {
  const ResultOrigin& origin = table.origin(row);
  const std::string file =
      origin.file < table.files().size() ? table.files()[origin.file].string() + ", " : "";
  return file + "line " + std::to_string(origin.line);
}

/// "left out, because their dates are in the future: 3 rows (night.csv, line 4:
/// 2099-01-01T00:00:00Z)"
void say(std::vector<std::string>& remarks, const ResultTable& table,
         const std::vector<std::size_t>& left_out, const std::string& why) {
  if (!left_out.empty()) {
    const std::string time(table.text(left_out.front(), "time_utc"));
    remarks.push_back("left out, because " + why + ": " + counted(std::ssize(left_out), "row") +
                      " (" + row_place(table, left_out.front()) +
                      (time.empty() ? "" : ": " + time) + ")");
  }
}

} // namespace

std::optional<std::int64_t> seconds_of(std::string_view time_utc) {
  if (!has_form(time_utc, "dddd-dd-ddTdd:dd:ddZ")) {
    return std::nullopt;
  }
  const auto part = [&](std::size_t begin) {
    return parse_integer(time_utc.substr(begin, 2)).value_or(0);
  };
  const auto day = calendar_day(time_utc.substr(0, time_utc.find('T')));
  const std::int64_t hour = part(11);
  const std::int64_t minute = part(14);
  const std::int64_t second = part(17);
  if (!day || hour > 23 || minute > 59 || second > 60) {
    return std::nullopt;
  }
  return day->time_since_epoch().count() * kDay + hour * 3600 + minute * 60 + second;
}

std::string date_text(std::int64_t day) {
  const std::chrono::year_month_day date{
      std::chrono::sys_days(std::chrono::days(static_cast<int>(day)))};
  const auto two = [](unsigned number) {
    return (number < 10 ? "0" : "") + std::to_string(number);
  };
  return std::to_string(static_cast<int>(date.year())) + "-" +
         two(static_cast<unsigned>(date.month())) + "-" + two(static_cast<unsigned>(date.day()));
}

DatedRows dated_rows(const ResultTable& table, std::span<const std::size_t> rows,
                     std::string_view now_utc) {
  const std::int64_t earliest = seconds_of("2020-01-01T00:00:00Z").value_or(0);
  const std::optional<std::int64_t> now = seconds_of(now_utc);
  DatedRows dated;
  std::vector<std::size_t> undated;
  std::vector<std::size_t> before;
  std::vector<std::size_t> after;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> latest; // by file and host
  std::size_t steps_back = 0;
  std::string back_words;
  for (const std::size_t row : rows) {
    const auto seconds = seconds_of(table.text(row, "time_utc"));
    if (!seconds) {
      undated.push_back(row);
    } else if (*seconds < earliest) {
      before.push_back(row);
    } else if (now && *seconds > *now + kDay) {
      after.push_back(row);
    } else {
      dated.rows.push_back(row);
      const auto [last, is_new] =
          latest.try_emplace({table.origin(row).file, table.text_id(row, "host")}, *seconds);
      if (!is_new && *seconds + kDay < last->second && steps_back++ == 0) {
        back_words = row_place(table, row) + " is dated " + date_text(*seconds / kDay) +
                     ", after one dated " + date_text(last->second / kDay);
      }
      last->second = *seconds;
    }
  }
  say(dated.remarks, table, undated, "they have no date");
  say(dated.remarks, table, before, "their clock was not set");
  say(dated.remarks, table, after, "their dates are in the future");
  if (steps_back > 0) {
    dated.remarks.push_back(
        "dates go back in a file: " + back_words +
        (steps_back > 1 ? ", and " + std::to_string(steps_back - 1) + " more" : "") +
        "; a clock was wrong, or the file was joined; nights are sorted by date");
  }
  return dated;
}

} // namespace sdbench
