#pragma once

#include <filesystem>

#include "sdbench/front/results/row_report.h"

namespace sdbench {

/// Reports the rows of a database written by RecordDatabase; an empty file has no rows. Throws
/// Error for a file that is no database or is damaged, after it reported the rows before the
/// damage.
void read_database(const std::filesystem::path& file, RowReport& report);

} // namespace sdbench
