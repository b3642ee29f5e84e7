#include "sdbench/front/report/report_data.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

#include "json_columns.h"
#include "json_pools.h"
#include "json_samples.h"
#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/config/work_field_table.h"
#include "sdbench/base/system/build_info.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/compare/row_states.h"
#include "sdbench/front/record/card_state.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/student_t.h"
#include "sdbench/front/results/bad_row.h"
#include "sdbench/front/results/result_table.h"
#include "sdbench/front/trend/cell_trend.h"
#include "sdbench/front/trend/change_points.h"
#include "sdbench/front/trend/trend_formats.h"
#include "sdbench/front/words/engine_words.h"

namespace sdbench {
namespace {

OrderedJson points_json(const std::vector<SpeedPoint>& points) {
  OrderedJson list = OrderedJson::array();
  for (const SpeedPoint& point : points) {
    list.push_back(
        {{"name", point.name}, {"x", number_json(point.x)}, {"per_s", number_json(point.per_s)}});
  }
  return list;
}

OrderedJson fits_json(const std::vector<SpeedFit>& fits) {
  OrderedJson list = OrderedJson::array();
  for (const SpeedFit& fit : fits) {
    list.push_back({{"group", fit.group},
                    {"fact", fit.fact},
                    {"peak", fit.peak},
                    {"unit", fit.unit},
                    {"published", fit.published},
                    {"points", points_json(fit.points)},
                    {"beside", points_json(fit.beside)},
                    {"slope", number_json(fit.fit ? fit.fit->slope : NAN)},
                    {"r_squared", number_json(fit.fit ? fit.fit->r_squared : NAN)}});
  }
  return list;
}

OrderedJson roofline_json(const Roofline& roofline) {
  OrderedJson points = OrderedJson::array();
  for (const RooflinePoint& point : roofline.points) {
    points.push_back({{"row", point.row},
                      {"flop_per_byte", number_json(point.flop_per_byte)},
                      {"precision", point.precision},
                      {"peak_tflops", number_json(point.peak_tflops)}});
  }
  return {{"points", std::move(points)}, {"left_out", roofline.left_out}};
}

/// The facts with the devices that they are about, so that the page need not know how names are
/// compared. A card's numbers are in the order of the columns.
OrderedJson facts_json(const Report& report) {
  const std::size_t name = field_index("device_name");
  std::set<std::string> devices;
  for (std::size_t row = 0; row < report.results.table.size(); ++row) {
    devices.emplace(report.results.table.text(row, name));
  }
  OrderedJson cards = OrderedJson::array();
  for (const CardFacts& card : report.facts.cards) {
    OrderedJson matching = OrderedJson::array();
    for (const std::string& device : devices) {
      if (names_same_gpu(card.gpu, device)) {
        matching.push_back(device);
      }
    }
    OrderedJson numbers = OrderedJson::array();
    for (const std::string& column : report.facts.columns) {
      const auto number = card.numbers.find(column);
      numbers.push_back(number_json(number == card.numbers.end() ? NAN : number->second));
    }
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
  OrderedJson list = OrderedJson::array();
  if (report.shared) {
    return list;
  }
  for (const BadRow& bad : report.results.bad) {
    if (list.size() == kMostBadRowsNamed) {
      break;
    }
    list.push_back(bad.text());
  }
  for (const std::string& bad : report.telemetry.bad) {
    list.push_back(bad);
  }
  return list;
}

/// Student's t for the intervals that the page makes over repeated rows.
OrderedJson t_table() {
  constexpr std::int64_t kMostDegrees = 60; ///< the page has a formula for more
  OrderedJson list = OrderedJson::array();
  for (std::int64_t degrees = 1; degrees <= kMostDegrees; ++degrees) {
    list.push_back(number_json(student_t(0.95, degrees)));
  }
  return list;
}

/// The state of each row's card, by which compare pools rows; empty if nothing tells it.
OrderedJson state_of_row_json(const ResultTable& table) {
  std::vector<std::size_t> rows(table.size());
  std::iota(rows.begin(), rows.end(), 0U);
  OrderedJson list = OrderedJson::array();
  for (const std::string& state : row_states(table, rows, {})) {
    const bool is_told = state.find_first_not_of('|') != std::string::npos;
    list.push_back(is_told ? state : "");
  }
  return list;
}

OrderedJson card_states_json() {
  OrderedJson list = OrderedJson::array();
  for (const CardState& state : card_states()) {
    list.push_back(state.field);
  }
  return list;
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
  OrderedJson list = OrderedJson::array();
  for (const WorkField& field : kWorkFields) {
    if (!field.tasks.empty() && has_field(task, field)) {
      list.push_back(field.name);
    }
  }
  return list;
}

/// Fields that may tell rows with equal names apart.
OrderedJson telling_json() {
  OrderedJson list = OrderedJson::array();
  for (const FieldName field : telling_fields()) {
    list.push_back(field);
  }
  return list;
}

/// The tasks. Rows without a task have the first one.
OrderedJson tasks_json() {
  OrderedJson tasks = OrderedJson::array();
  for (const TaskRow& row : task_table()) {
    tasks.push_back(
        {{"name", row.name},
         {"step", row.step},
         {"makes_images", makes_images(row.task)},
         {"work", work_json(row.task)},
         {"parts", std::vector<std::string>(row.parts.begin(), row.parts.end())},
         {"figures", std::vector<std::string>(row.figures.begin(), row.figures.end())}});
  }
  return tasks;
}

/// Trends of the cells with enough nights to find a change.
OrderedJson trends_json(const Report& report) {
  const ResultTable& table = report.results.table;
  std::vector<std::size_t> rows(table.size());
  std::iota(rows.begin(), rows.end(), 0U);
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
