#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sdbench/results/result_table.h"

namespace sdbench {

/// Which rows of `sdbench quality` tell what the speed of a benchmark's row costs: those of the
/// same picture (model, size, steps, guidance, scheduler, spacing), computed in the same way by
/// what was *observed* (number formats, attention kernel, TF32 and so on: "auto" may have become
/// what the study asked for), by the same engine with the same weights in the same place. How many
/// images, and how many at once, may differ: a study of ten prompts stands beside a benchmark of
/// one image.
class QualityBeside {
public:
  /// Of these rows of the table, which must outlive this.
  QualityBeside(const ResultTable& table, std::span<const std::size_t> rows);

  /// Of a row with times; those of its own variant and batch alone, where there are some. None for
  /// a row of quality itself.
  [[nodiscard]] std::vector<std::size_t> rows_of(std::size_t row) const;

private:
  [[nodiscard]] std::string key(std::size_t row) const;
  [[nodiscard]] bool is_quality(std::size_t row) const;

  const ResultTable& table_;
  std::size_t reference_ = field_index("quality_reference");
  std::size_t status_ = field_index("status");
  std::vector<std::size_t> fields_; ///< of the key
  std::unordered_map<std::string, std::vector<std::size_t>> rows_;
};

} // namespace sdbench
