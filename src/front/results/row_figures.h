#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// Numbers of a row by field. A number that the row lacks is NaN, and so is everything computed
/// from it.
class RowNumbers {
public:
  RowNumbers();
  /// Stores 0 as NaN (except for standard deviations), because a column that a file lacks is read
  /// as 0.
  void set(std::size_t field, std::optional<double> value);
  /// The number, with a 0 of the row as 0. It contradicts other figures that give more.
  [[nodiscard]] double said(std::size_t field) const {
    return said_zero_[field] ? 0 : values_[field];
  }
  [[nodiscard]] bool says(FieldName field) const { return values_[field.place()] > 0; }
  [[nodiscard]] double operator[](FieldName field) const { return values_[field.place()]; }
  [[nodiscard]] double operator[](std::size_t field) const { return values_[field]; }

private:
  std::vector<double> values_;
  std::vector<bool> said_zero_;
};

[[nodiscard]] RowNumbers numbers_of(const RunRecord& record);

/// True if two figures differ by more than the rounding in tables.
[[nodiscard]] bool differ(double said, double given);

/// "unet_it_s is 999, but s_per_it gives 8.45"
[[nodiscard]] std::string contradiction_words(std::string_view figure, double said,
                                              std::string_view by, double given);

inline constexpr std::string_view kWithinRun = "within-run"; ///< what an interval covers

/// Describes the first column of a row that contradicts other columns; empty if all fit.
[[nodiscard]] std::string contradiction_of_figures(const RowNumbers& numbers,
                                                   const RunRecord& facts);

} // namespace sdbench
