#include "sdbench/front/report/report_data.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "json_columns.h"
#include "json_pools.h"
#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/config/work_field_table.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/numbers/statistics.h"
#include "sdbench/base/system/build_info.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/compare/row_states.h"
#include "sdbench/front/record/card_state.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/flags.h"
#include "sdbench/front/record/student_t.h"
#include "sdbench/front/results/bad_row.h"
#include "sdbench/front/trend/cell_trend.h"
#include "sdbench/front/trend/change_points.h"
#include "sdbench/front/trend/trend_formats.h"
#include "sdbench/front/words/engine_words.h"

namespace sdbench {
namespace {

std::unordered_map<std::string_view, std::size_t> rows_by_run_id(const ResultTable& table) {
  std::unordered_map<std::string_view, std::size_t> rows;
  for (std::size_t row = 0; row < table.size(); ++row) {
    rows.emplace(table.text(row, "run_id"), row);
  }
  return rows;
}

struct RawRuns {
  std::vector<double> step_s;
  OrderedJson parts; ///< mean seconds by name
};

/// Mean seconds of the parts that all runs have.
OrderedJson mean_parts(const std::vector<RunSample>& samples) {
  OrderedJson parts = OrderedJson::object();
  for (const PartTime& part : samples.empty() ? std::vector<PartTime>() : samples.front().parts) {
    std::vector<double> seconds = mapped(samples, [&](const RunSample& sample) {
      return seconds_of(sample, part.name).value_or(NAN);
    });
    if (const double of_runs = mean(seconds).value_or(NAN); std::isfinite(of_runs)) {
      parts[part.name] = number_json(of_runs);
    }
  }
  return parts;
}

/// Raw step times of all rows that have some, thinned to kMostStepSamples in total.
OrderedJson steps_json(const Results& results) {
  const auto rows = rows_by_run_id(results.table);
  std::map<std::size_t, RawRuns> runs_of_row;
  for (const auto& [run_id, times] : results.raw) {
    const auto row = rows.find(run_id);
    RawRuns runs{.step_s = {}, .parts = mean_parts(times.samples)};
    for (const RunSample& sample : times.samples) {
      runs.step_s.insert(runs.step_s.end(), sample.step_s.begin(), sample.step_s.end());
    }
    const bool is_believed =
        row != rows.end() && !holds_flag(results.table.text(row->second, "flags"), kContradicts);
    if (is_believed && !runs.step_s.empty()) {
      runs_of_row.emplace(row->second, std::move(runs));
    }
  }
  constexpr std::size_t kFewest = 10; ///< fewer do not show a distribution
  const std::size_t most =
      std::max(kFewest, kMostStepSamples / std::max<std::size_t>(1, runs_of_row.size()));
  OrderedJson list = OrderedJson::array();
  for (const auto& [row, runs] : runs_of_row) {
    list.push_back({{"row", row},
                    {"count", runs.step_s.size()},
                    {"parts", runs.parts},
                    {"step_s", numbers_json(evenly_thinned(runs.step_s, most))}});
  }
  return list;
}

/// Sensor readings during the report's rows.
OrderedJson telemetry_json(const Report& report) {
  const auto rows = rows_by_run_id(report.results.table);
  OrderedJson list = OrderedJson::array();
  for (const TelemetrySeries& series : report.telemetry.series) {
    const auto row = rows.find(series.run_id);
    if (row == rows.end()) {
      continue;
    }
    OrderedJson times = OrderedJson::array();
    TextColumn phases;
    TextColumn throttle;
    for (const TelemetryPoint& point : series.points) {
      times.push_back(number_json(point.time_s));
      phases.add(point.phase);
      throttle.add(point.throttle_reasons);
    }
    OrderedJson sensors = OrderedJson::object();
    for (std::size_t sensor = 0; sensor < kDrawnSensors.size(); ++sensor) {
      std::vector<double> values =
          mapped(series.points, [&](const TelemetryPoint& point) { return point.values[sensor]; });
      if (!std::ranges::all_of(values, [](double value) { return std::isnan(value); })) {
        sensors[std::string(kDrawnSensors[sensor])] = numbers_json(values);
      }
    }
    list.push_back({{"row", row->second},
                    {"device", series.device},
                    {"uuid", series.uuid},
                    {"count", series.count},
                    {"time_s", std::move(times)},
                    {"sensors", std::move(sensors)},
                    {"phase", std::move(phases).json("phase", "", "")},
                    {"throttle", std::move(throttle).json("throttle_reasons", "", "")}});
  }
  return list;
}

OrderedJson points_json(const std::vector<SpeedPoint>& points) {
  return mapped(points, [](const SpeedPoint& point) -> OrderedJson {
    return {{"name", point.name}, {"x", number_json(point.x)}, {"per_s", number_json(point.per_s)}};
  });
}

OrderedJson fits_json(const std::vector<SpeedFit>& fits) {
  return mapped(fits, [](const SpeedFit& fit) -> OrderedJson {
    return {{"group", fit.group},
            {"fact", fit.fact},
            {"peak", fit.peak},
            {"unit", fit.unit},
            {"published", fit.published},
            {"points", points_json(fit.points)},
            {"beside", points_json(fit.beside)},
            {"slope", number_json(fit.fit ? fit.fit->slope : NAN)},
            {"r_squared", number_json(fit.fit ? fit.fit->r_squared : NAN)}};
  });
}

OrderedJson roofline_json(const Roofline& roofline) {
  OrderedJson points = mapped(roofline.points, [](const RooflinePoint& point) -> OrderedJson {
    return {{"row", point.row},
            {"flop_per_byte", number_json(point.flop_per_byte)},
            {"precision", point.precision},
            {"peak_tflops", number_json(point.peak_tflops)}};
  });
  return {{"points", std::move(points)}, {"left_out", roofline.left_out}};
}

/// The facts with the devices that they are about, so that the page need not know how names are
/// compared. A card's numbers are in the order of the columns.
OrderedJson facts_json(const Report& report) {
  std::set<std::string> devices;
  for (std::size_t row = 0; row < report.results.table.size(); ++row) {
    devices.emplace(report.results.table.text(row, "device_name"));
  }
  OrderedJson cards = OrderedJson::array();
  for (const CardFacts& card : report.facts.cards) {
    OrderedJson matching = OrderedJson::array();
    std::ranges::copy_if(devices, std::back_inserter(matching), [&](const std::string& device) {
      return names_same_gpu(card.gpu, device);
    });
    OrderedJson numbers = mapped(report.facts.columns, [&](const std::string& column) {
      const auto number = card.numbers.find(column);
      return number_json(number == card.numbers.end() ? NAN : number->second);
    });
    cards.push_back({{"gpu", card.gpu},
                     {"currency", card.currency},
                     {"date", card.date},
                     {"source", card.source},
                     {"numbers", std::move(numbers)},
                     {"devices", std::move(matching)}});
  }
  return {{"columns", report.facts.columns}, {"cards", std::move(cards)}};
}

/// The bad rows. Empty for a page that may be published, because they have paths and words of
/// files.
OrderedJson bad_rows_json(const Report& report) {
  if (report.shared) {
    return OrderedJson::array();
  }
  OrderedJson list = mapped(
      std::span(report.results.bad).first(std::min(report.results.bad.size(), kMostBadRowsNamed)),
      &BadRow::text);
  std::ranges::copy(report.telemetry.bad, std::back_inserter(list));
  return list;
}

/// Student's t for the intervals that the page makes over repeated rows.
OrderedJson t_table() {
  constexpr std::int64_t kMostDegrees = 60; ///< the page has a formula for more
  return mapped(integers(std::int64_t{1}, kMostDegrees + 1),
                [](std::int64_t degrees) { return number_json(student_t(0.95, degrees)); });
}

/// The state of each row's card, by which compare pools rows; empty if nothing tells it.
OrderedJson state_of_row_json(const ResultTable& table) {
  return mapped(row_states(table, table.all_rows(), {}), [](const std::string& state) {
    return state.find_first_not_of('|') == std::string::npos ? "" : state;
  });
}

OrderedJson card_states_json() {
  return mapped<OrderedJson>(card_states(), &CardState::field);
}

/// By field, the words before and after its value in a machine's name.
OrderedJson card_state_words_json() {
  OrderedJson words = OrderedJson::object();
  for (const CardState& state : card_states()) {
    words[std::string(state.field.text())] = {state.before, state.after};
  }
  return words;
}

/// Fields by which the page's names tell ways apart. For an axis whose default is "auto", this is
/// what was asked for; for others, what was used. Attention and engine have places of their own.
OrderedJson axes_json() {
  OrderedJson list = OrderedJson::array();
  for (const EngineAxis& axis : engine_axes()) {
    if (axis.name != "engine" && axis.name != "attention") {
      const bool is_automatic = axis.choices.front() == "auto";
      list.push_back(is_automatic ? std::string(axis.name) : telling_field(axis));
    }
  }
  return list;
}

/// Fields of the work that only tasks of this kind have.
OrderedJson work_json(Task task) {
  const auto is_of_task = [task](const WorkField& field) {
    return !field.tasks.empty() && has_field(task, field);
  };
  return mapped_if<OrderedJson>(kWorkFields, is_of_task, &WorkField::name);
}

/// Fields that may tell rows with equal names apart.
OrderedJson telling_json() {
  return mapped<OrderedJson>(telling_fields(), std::identity());
}

/// The tasks. Rows without a task have the first one.
OrderedJson tasks_json() {
  return mapped(task_table(), [](const TaskRow& row) -> OrderedJson {
    return {{"name", row.name},
            {"step", row.step},
            {"makes_images", makes_images(row.task)},
            {"work", work_json(row.task)},
            {"parts", std::vector<std::string>(row.parts.begin(), row.parts.end())},
            {"figures", std::vector<std::string>(row.figures.begin(), row.figures.end())}};
  });
}

/// Trends of the cells with enough nights to find a change.
OrderedJson trends_json(const Report& report) {
  const ResultTable& table = report.results.table;
  const std::vector<std::size_t> rows = table.all_rows();
  Trends trends =
      cell_trends(table, rows, find_metric(usual_metric(table, rows)), report.created_utc);
  if (report.shared) {
    name_trends_anew(trends, *report.shared);
  }
  OrderedJson list = to_json(trends, report.shown())["trends"];
  std::erase_if(list.get_ref<OrderedJson::array_t&>(), [](const OrderedJson& cell) {
    return cell["nights"].size() < kLeastNightsBefore + kNightsThatProve;
  });
  return list;
}

/// The titles of our engines, which their rows show, by name.
OrderedJson own_engines_json() {
  OrderedJson titles = OrderedJson::object();
  for (const std::string_view engine : {kTunedEngine, kPlainEngine}) {
    titles[std::string(engine)] = engine_title(engine);
  }
  return titles;
}

} // namespace

std::vector<double> evenly_thinned(const std::vector<double>& samples, std::size_t most) {
  if (samples.size() <= most || most < 2) {
    return samples;
  }
  return mapped(integers(std::size_t{0}, most), [&](std::size_t place) {
    return samples[place * (samples.size() - 1) / (most - 1)];
  });
}

std::vector<std::string> unknown_gpus(const Report& report) {
  std::vector<std::string> unknown;
  const OrderedJson facts = facts_json(report);
  for (const OrderedJson& card : facts["cards"]) {
    if (card["devices"].empty()) {
      unknown.push_back(card["gpu"]);
    }
  }
  return unknown;
}

OrderedJson report_data(const Report& report) {
  const ResultTable& table = report.results.table;
  const Comparison compared = page_comparison(table, report.shown());
  return {{"created_utc", report.created_utc},
          {"sdbench_version", version()},
          {"is_private", !report.shared},
          {"row_count", table.size()},
          {"columns", columns_json(report.shown())},
          {"metrics", metrics_json(table, compared)},
          {"workload_of_row", workload_of_row_json(compared, table.size())},
          {"energy", energy_json(table)},
          {"quality", quality_json(compared)},
          {"break_even", break_even_json(compared)},
          {"threshold", CompareOptions{}.threshold},
          {"axes", axes_json()},
          {"telling", telling_json()},
          {"own_engines", own_engines_json()},
          {"tasks", tasks_json()},
          {"card_states", card_states_json()},
          {"card_state_words", card_state_words_json()},
          {"state_of_row", state_of_row_json(table)},
          {"t95", t_table()},
          {"steps", steps_json(report.results)},
          {"telemetry", telemetry_json(report)},
          {"telemetry_foreign_runs", report.telemetry.foreign_runs},
          {"trends", trends_json(report)},
          {"fits", fits_json(report.fits)},
          {"roofline", roofline_json(report.roofline)},
          {"facts", facts_json(report)},
          {"bad_count", report.results.bad.size() + report.telemetry.bad.size()},
          {"bad", bad_rows_json(report)}};
}

} // namespace sdbench
