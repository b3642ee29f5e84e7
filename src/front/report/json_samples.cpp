#include "json_samples.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/numbers/statistics.h"
#include "sdbench/front/record/flags.h"
#include "sdbench/front/report/telemetry_series.h"
#include "sdbench/front/results/result_reader.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {
namespace {

std::unordered_map<std::string_view, std::size_t> rows_by_run_id(const ResultTable& table) {
  const std::size_t run_id = field_index("run_id");
  std::unordered_map<std::string_view, std::size_t> rows;
  for (std::size_t row = 0; row < table.size(); ++row) {
    rows.emplace(table.text(row, run_id), row);
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
    std::vector<double> seconds;
    for (const RunSample& sample : samples) {
      seconds.push_back(seconds_of(sample, part.name).value_or(NAN));
    }
    if (const double of_runs = mean(seconds).value_or(NAN); std::isfinite(of_runs)) {
      parts[part.name] = number_json(of_runs);
    }
  }
  return parts;
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

} // namespace sdbench
