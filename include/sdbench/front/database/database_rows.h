#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/database/sqlite.h"
#include "sdbench/front/record/raw_times.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// Reads the rows of table `runs`. Any version of sdbench, or another program, may have made them.
class DatabaseRows {
public:
  explicit DatabaseRows(const std::filesystem::path& file);

  /// True if the file has an ordinary table `runs`: a view or virtual table could run code.
  [[nodiscard]] bool is_ours() const { return rows_.has_value(); }
  [[nodiscard]] std::vector<std::string_view> columns() const;
  /// Advances to the next row. Throws Error if the file is damaged.
  [[nodiscard]] bool next() { return rows_->step(); }
  /// The row's value in each column, valid until next().
  [[nodiscard]] std::span<const CellValue> values();
  /// Raw times of a run; empty if there is no table `samples`.
  [[nodiscard]] RawTimes raw_times(std::string_view run_id);

private:
  [[nodiscard]] bool has_table(const std::string& name);
  [[nodiscard]] std::string known_columns();

  Database database_;
  std::optional<Statement> rows_;
  std::optional<Statement> samples_;
  std::vector<CellValue> values_;
};

} // namespace sdbench
