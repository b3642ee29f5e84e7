#include "sdbench/report/report_data.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <unordered_map>

#include "sdbench/core/build_info.h"
#include "sdbench/core/student_t.h"

namespace sdbench {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// Seven digits are more than any clock gives, and half the bytes of a double's seventeen.
OrderedJson number_json(double value) {
  if (!std::isfinite(value)) {
    return nullptr;
  }
  constexpr double kExactIntegers = 1e15;
  if (value == std::floor(value) && std::abs(value) < kExactIntegers) {
    return static_cast<std::int64_t>(value);
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.7g", value);
  return std::strtod(text, nullptr);
}

OrderedJson numbers_json(const std::vector<double>& values) {
  OrderedJson list = OrderedJson::array();
  for (const double value : values) {
    list.push_back(number_json(value));
  }
  return list;
}

OrderedJson or_null(const std::optional<double>& value) {
  return value ? number_json(*value) : OrderedJson();
}

/// A column of texts: each once, and each row's place among them.
class TextColumn {
public:
  void add(std::string_view text) {
    const auto [place, is_new] = places_.try_emplace(std::string(text), values_.size());
    if (is_new) {
      values_.push_back(text);
    }
    index_.push_back(place->second);
    has_text_ = has_text_ || !text.empty();
  }
  [[nodiscard]] bool has_text() const { return has_text_; }
  [[nodiscard]] OrderedJson json(std::string_view name, std::string_view unit,
                                 std::string_view meaning) && {
    return {{"name", name},
            {"unit", unit},
            {"meaning", meaning},
            {"texts", std::move(values_)},
            {"index", std::move(index_)}};
  }

private:
  std::unordered_map<std::string, std::size_t> places_;
  OrderedJson values_ = OrderedJson::array();
  OrderedJson index_ = OrderedJson::array();
  bool has_text_ = false;
};

/// The field's column, or null where no row has it.
OrderedJson column_json(const ResultTable& table, std::size_t field) {
  const RecordField& facts = record_fields()[field];
  if (type_name(facts) == "text" || facts.name == "seed") {
    TextColumn column;
    for (std::size_t row = 0; row < table.size(); ++row) {
      column.add(table.text(row, field));
    }
    return column.has_text() ? std::move(column).json(facts.name, facts.unit, facts.description)
                             : OrderedJson();
  }
  OrderedJson numbers = OrderedJson::array();
  bool has_number = false;
  for (std::size_t row = 0; row < table.size(); ++row) {
    numbers.push_back(or_null(table.number(row, field)));
    has_number = has_number || !numbers.back().is_null();
  }
  return has_number ? OrderedJson{{"name", facts.name},
                                  {"unit", facts.unit},
                                  {"meaning", facts.description},
                                  {"numbers", std::move(numbers)}}
                    : OrderedJson();
}

OrderedJson columns_json(const ResultTable& table) {
  OrderedJson columns = OrderedJson::array();
  for (std::size_t field = 0; field < record_fields().size(); ++field) {
    if (OrderedJson column = column_json(table, field); !column.is_null()) {
      columns.push_back(std::move(column));
    }
  }
  TextColumn file;
  for (std::size_t row = 0; row < table.size() && !table.files().empty(); ++row) {
    file.add(table.files().at(table.origin(row).file).filename().string());
  }
  if (file.has_text()) {
    columns.push_back(std::move(file).json("file", "", "Name of the file that the row stands in."));
  }
  return columns;
}

std::unordered_map<std::string_view, std::size_t> rows_by_run_id(const ResultTable& table) {
  const std::size_t run_id = field_index("run_id");
  std::unordered_map<std::string_view, std::size_t> rows;
  for (std::size_t row = 0; row < table.size(); ++row) {
    rows.emplace(table.text(row, run_id), row);
  }
  return rows;
}

OrderedJson steps_json(const Results& results) {
  const auto rows = rows_by_run_id(results.table);
  std::map<std::size_t, std::vector<double>> steps_of_row;
  for (const auto& [run_id, times] : results.raw) {
    const auto row = rows.find(run_id);
    std::vector<double> steps;
    for (const RunSample& sample : times.samples) {
      steps.insert(steps.end(), sample.step_s.begin(), sample.step_s.end());
    }
    if (row != rows.end() && !steps.empty()) {
      steps_of_row.emplace(row->second, std::move(steps));
    }
  }
  constexpr std::size_t kFewest = 10; ///< fewer say nothing of a distribution
  const std::size_t most =
      std::max(kFewest, kMostStepSamples / std::max<std::size_t>(1, steps_of_row.size()));
  OrderedJson list = OrderedJson::array();
  for (const auto& [row, steps] : steps_of_row) {
    list.push_back({{"row", row},
                    {"count", steps.size()},
                    {"step_s", numbers_json(evenly_thinned(steps, most))}});
  }
  return list;
}

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
      std::vector<double> values;
      for (const TelemetryPoint& point : series.points) {
        values.push_back(point.values[sensor]);
      }
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

OrderedJson fits_json(const std::vector<SpeedFit>& fits) {
  OrderedJson list = OrderedJson::array();
  for (const SpeedFit& fit : fits) {
    OrderedJson points = OrderedJson::array();
    for (const SpeedPoint& point : fit.points) {
      points.push_back({{"name", point.name},
                        {"nominal_tflops", number_json(point.nominal_tflops)},
                        {"per_s", number_json(point.per_s)},
                        {"left_out", point.left_out}});
    }
    list.push_back({{"group", fit.group},
                    {"peak", fit.peak},
                    {"unit", fit.unit},
                    {"note", fit.note},
                    {"published", fit.published},
                    {"points", std::move(points)},
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
                      {"peak_tflops", number_json(point.peak_tflops)}});
  }
  return {{"points", std::move(points)}, {"left_out", roofline.left_out}};
}

/// The devices that a price is of, so that the page need not know how names are compared.
OrderedJson prices_json(const Report& report) {
  const std::size_t name = field_index("device_name");
  std::map<std::string, bool> devices;
  for (std::size_t row = 0; row < report.results.table.size(); ++row) {
    devices.emplace(report.results.table.text(row, name), true);
  }
  OrderedJson list = OrderedJson::array();
  for (const Price& price : report.prices) {
    OrderedJson matching = OrderedJson::array();
    for (const auto& [device, is_there] : devices) {
      if (names_same_gpu(price.gpu, device)) {
        matching.push_back(device);
      }
    }
    list.push_back({{"gpu", price.gpu},
                    {"price", or_null(price.price)},
                    {"hourly", or_null(price.hourly)},
                    {"currency", price.currency},
                    {"devices", std::move(matching)}});
  }
  return list;
}

OrderedJson bad_rows_json(const Report& report) {
  OrderedJson list = OrderedJson::array();
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
  constexpr std::int64_t kMostDegrees = 60; ///< beyond, the last one is 2 % too wide at most
  OrderedJson list = OrderedJson::array();
  for (std::int64_t degrees = 1; degrees <= kMostDegrees; ++degrees) {
    list.push_back(number_json(student_t(0.95, degrees)));
  }
  return list;
}

} // namespace

std::vector<double> evenly_thinned(const std::vector<double>& samples, std::size_t most) {
  if (samples.size() <= most || most < 2) {
    return samples;
  }
  std::vector<double> kept;
  for (std::size_t i = 0; i < most; ++i) {
    kept.push_back(samples[i * (samples.size() - 1) / (most - 1)]);
  }
  return kept;
}

std::vector<std::string> unknown_gpus(const Report& report) {
  std::vector<std::string> unknown;
  for (const OrderedJson& price : prices_json(report)) {
    if (price["devices"].empty()) {
      unknown.push_back(price["gpu"]);
    }
  }
  return unknown;
}

OrderedJson report_data(const Report& report) {
  return {{"created_utc", report.created_utc},
          {"sdbench_version", version()},
          {"row_count", report.results.table.size()},
          {"columns", columns_json(report.results.table)},
          {"t95", t_table()},
          {"steps", steps_json(report.results)},
          {"telemetry", telemetry_json(report)},
          {"telemetry_foreign_runs", report.telemetry.foreign_runs},
          {"fits", fits_json(report.fits)},
          {"roofline", roofline_json(report.roofline)},
          {"prices", prices_json(report)},
          {"bad_count", report.results.bad.size() + report.telemetry.bad.size()},
          {"bad", bad_rows_json(report)}};
}

} // namespace sdbench
