#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// The fields of a run's time: mean and standard deviation, whose quotient is its relative spread.
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
  std::string_view head; ///< of a column: "UNet it/s"
  bool more_is_better = false;
  /// A rate is averaged as the time that it is the reciprocal of: the runs are times.
  bool is_rate = false;
  /// Of the first that a row has comes the relative spread of one timed run; none: it tells none.
  std::vector<RunTime> run_times;

  /// Rates and times are compared as speed ("1.25x" is a quarter faster), all else as it is.
  [[nodiscard]] bool is_speed() const;
  /// From the record's value to what is averaged, and back: the reciprocal of a rate.
  [[nodiscard]] double averaged_scale(double value) const { return is_rate ? 1 / value : value; }
  /// "24.3 it/s", "812 MiB": for people.
  [[nodiscard]] std::string text(double value) const;
  /// The same in a column whose best value is `best`: one unit for all, for 0.9 it/s and 1.1 s/it
  /// cannot be compared at a glance.
  [[nodiscard]] std::string text_in_column(double value, double best) const;
};

/// "812 MiB", of any number that a file may say: more than an integer holds is cut.
[[nodiscard]] std::string memory_text(double bytes);

/// Nothing of a field of which neither more nor less is better.
[[nodiscard]] std::optional<Metric> metric_of(std::size_t field);

/// Throws UsageError for a name that is no field, and for a field without a better direction.
[[nodiscard]] Metric find_metric(std::string_view name);

/// By names with commas between; one that comes again counts once. Throws UsageError as
/// find_metric() does.
[[nodiscard]] std::vector<Metric> find_metrics(std::string_view names);

/// What rows are judged by where nobody says: the figures that their tasks have for it.
[[nodiscard]] std::vector<Metric> judged_metrics(const ResultTable& table,
                                                 std::span<const std::size_t> rows);

/// What rows are compared by where nobody says: the first of their task's figures, or what all
/// tasks have where they are of several.
[[nodiscard]] std::string_view usual_metric(const ResultTable& table,
                                            std::span<const std::size_t> rows);

} // namespace sdbench
