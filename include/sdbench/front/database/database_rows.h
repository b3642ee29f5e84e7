#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/record/raw_times.h"
#include "sdbench/base/record/run_record.h"
#include "sdbench/front/database/sqlite.h"

namespace sdbench {

/// The rows of table `runs`, by whichever version of sdbench, or by others.
class DatabaseRows {
public:
  explicit DatabaseRows(const std::filesystem::path& file);

  /// False: it has no table `runs` (a view is none).
  [[nodiscard]] bool is_ours() const { return rows_.has_value(); }
  [[nodiscard]] std::vector<std::string_view> columns() const;
  /// To the next row. Throws Error where the file is damaged.
  [[nodiscard]] bool next() { return rows_->step(); }
  /// Of each column. They live until next().
  [[nodiscard]] std::span<const CellValue> values();
  /// Of a run; none where there is no table `samples`.
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
