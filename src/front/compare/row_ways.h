#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// Numbers the ways of rows by their telling fields. Values that a row lacks (because an earlier
/// version wrote it, say) are taken from the rows of its group that it fits (fill_unknowns()).
class RowWays {
public:
  /// `left_out`: telling fields that do not count.
  explicit RowWays(const ResultTable& table, std::span<const FieldName> left_out = {});

  void add(std::size_t row, const std::string& group);
  /// Fills in unknown values. Call it once, after all rows are added.
  void fill();

  /// Equal numbers for equal ways.
  [[nodiscard]] std::uint64_t of(std::size_t row) const { return way_of_row_[row]; }
  /// The row's value of a field: equal numbers for equal values, 0 if unknown. Nothing for a field
  /// outside telling_fields(), or one left out.
  [[nodiscard]] std::optional<std::uint64_t> value(std::size_t row, FieldName field) const;
  /// True if all values that both rows have are equal.
  [[nodiscard]] bool fits(std::size_t a, std::size_t b) const;

private:
  using Way = std::vector<std::uint64_t>; ///< one value per field, 0 if unknown
  [[nodiscard]] Way way_of(std::size_t row) const;
  [[nodiscard]] std::size_t number_of(const Way& way);

  struct Place {
    FieldName field;
    bool is_text;
    bool is_told_by_none; ///< an empty text means an absent value, not an unknown one
  };
  const ResultTable& table_;
  std::vector<Place> places_; ///< one per telling field that counts
  std::map<Way, std::size_t> numbers_;
  std::vector<Way> ways_;               ///< by number
  std::vector<std::size_t> way_of_row_; ///< by row of the table
  std::unordered_map<std::string, std::vector<std::size_t>> groups_;
};

} // namespace sdbench
