#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// Indices of two fields: the mean time of a run, and the standard deviation of that time. Dividing
/// the second by the first gives the relative spread.
struct RunTime {
  std::size_t mean = 0;
  std::size_t sd = 0;
};

/// A field of the record by which rows can be compared. Says whether more is better, and how the
/// field is averaged and written.
struct Metric {
  std::size_t field = 0; ///< index in record_fields()
  std::string_view name; ///< "unet_it_s"
  std::string_view unit;
  std::string head; ///< title of its column: "UNet it/s"
  bool more_is_better = false;
  /// A rate is averaged as its reciprocal. This is a time, and times are what was measured.
  bool is_rate = false;
  /// Pairs of fields that give the relative spread of a row's timed runs. A row's spread is taken
  /// from the first pair for which the row has values. Empty if no spread is known.
  std::vector<RunTime> run_times;

  /// True for rates and times, which are compared as speed ("1.25x" is a quarter faster).
  [[nodiscard]] bool is_speed() const;
  /// Converts a value of the record to the scale on which it is averaged, and back. A rate becomes
  /// its reciprocal; other values stay as they are.
  [[nodiscard]] double averaged_scale(double value) const { return is_rate ? 1 / value : value; }
  /// True if a larger mean of averaged_scale() values is better.
  [[nodiscard]] bool prefers_larger_mean() const { return more_is_better && !is_rate; }
  /// The value for people: "24.3 it/s", "812 MiB".
  [[nodiscard]] std::string text(double value) const;
  /// The value for people, in a column whose best value is `best`. All values of a column use the
  /// unit that suits `best`, because 0.9 it/s and 1.1 s/it are hard to compare.
  [[nodiscard]] std::string text_in_column(double value, double best) const;
};

/// A size such as "812 MiB". Accepts any number that a file may hold, and clamps it to the range of
/// an integer.
[[nodiscard]] std::string memory_text(double bytes);

/// The metric of a field; nullopt if neither larger nor smaller values of the field are better.
[[nodiscard]] std::optional<Metric> metric_of(std::size_t field);

/// The metric of the field with that name. Throws UsageError if there is no such field or the field
/// is not a metric.
[[nodiscard]] Metric find_metric(std::string_view name);

/// Parses names separated by commas; repeated names count once. Throws UsageError as find_metric()
/// does.
[[nodiscard]] std::vector<Metric> find_metrics(std::string_view names);

/// The default metrics of --fail-if-slower: those that the tasks of these rows define for judging
/// speed and memory.
[[nodiscard]] std::vector<Metric> judged_metrics(const ResultTable& table,
                                                 std::span<const std::size_t> rows);

/// The default metric for comparing rows: the first figure that their task defines. If the rows'
/// tasks define different first figures, the default is images_per_min, which all tasks have.
[[nodiscard]] std::string_view usual_metric(const ResultTable& table,
                                            std::span<const std::size_t> rows);

} // namespace sdbench
