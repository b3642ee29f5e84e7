#include "database_reader.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "sdbench/front/database/database_rows.h"
#include "sdbench/front/record/cell_value.h"
#include "sdbench/front/record/raw_times.h"
#include "sdbench/front/results/named_rows.h"

namespace sdbench {

void read_database(const std::filesystem::path& file, RowReport& report) {
  DatabaseRows rows(file);
  if (!rows.is_ours()) {
    if (std::filesystem::file_size(file) > 0) {
      report.bad(0, "must have a table runs, but has none");
    }
    return;
  }
  const std::vector<std::string_view> columns = rows.columns();
  const auto run_id = std::ranges::find(columns, "run_id");
  if (run_id == columns.end()) {
    report.bad(0, "must have a column run_id in its table runs, but has none");
    return;
  }
  report.has_our_form();
  NamedRows named(report);
  named.set_columns(columns, 0);
  for (std::size_t row = 1; rows.next(); ++row) {
    const auto values = rows.values();
    const CellValue& id = values[static_cast<std::size_t>(run_id - columns.begin())];
    named.add(values, report.wants_raw_times() ? rows.raw_times(id.as_text()) : RawTimes(), row);
  }
}

} // namespace sdbench
