#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// The fields with a run's mean time and standard deviation, whose quotient is the relative spread.
struct RunTime {
  std::size_t mean = 0;
  std::size_t sd = 0;
};

/// A field of the record by which rows can be compared: which way is better, and how it is averaged
/// and written.
struct Metric {
  std::size_t field = 0; ///< among record_fields()
  std::string_view name; ///< "unet_it_s"
  std::string_view unit;
  std::string head; ///< of a column: "UNet it/s"
  bool more_is_better = false;
  /// A rate is averaged as its reciprocal, a time, because the runs are times.
  bool is_rate = false;
  /// The first one that a row has gives the relative spread of one timed run; empty: no spread.
  std::vector<RunTime> run_times;

  /// True for rates and times, which are compared as speed ("1.25x" is a quarter faster).
  [[nodiscard]] bool is_speed() const;
  /// Converts the record's value to the averaged one, and back: the reciprocal of a rate.
  [[nodiscard]] double averaged_scale(double value) const { return is_rate ? 1 / value : value; }
  /// "24.3 it/s", "812 MiB": for people.
  [[nodiscard]] std::string text(double value) const;
  /// The same in a column whose best value is `best`. All use one unit, because 0.9 it/s and 1.1
  /// s/it are hard to compare.
  [[nodiscard]] std::string text_in_column(double value, double best) const;
};

/// "812 MiB", for any number in a file; clamped to the range of an integer.
[[nodiscard]] std::string memory_text(double bytes);

/// The metric of a field; nothing for a field without a better direction.
[[nodiscard]] std::optional<Metric> metric_of(std::size_t field);

/// Throws UsageError for an unknown field, and for a field without a better direction.
[[nodiscard]] Metric find_metric(std::string_view name);

/// Parses names separated by commas; repeated names count once. Throws UsageError as find_metric()
/// does.
[[nodiscard]] std::vector<Metric> find_metrics(std::string_view names);

/// The default metrics for judging rows: the figures that their tasks define for it.
[[nodiscard]] std::vector<Metric> judged_metrics(const ResultTable& table,
                                                 std::span<const std::size_t> rows);

/// The default metric for comparing rows: the first figure of their task, or a figure of all tasks
/// if rows have several.
[[nodiscard]] std::string_view usual_metric(const ResultTable& table,
                                            std::span<const std::size_t> rows);

} // namespace sdbench
