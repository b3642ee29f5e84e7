#pragma once

#include <filesystem>

#include "sdbench/front/results/row_report.h"

namespace sdbench {

/// Tells the rows of a database of records, as RecordDatabase writes it; a file without a byte
/// holds none. Throws Error for a file that is no database, or is damaged: the rows before the
/// damage are told.
void read_database(const std::filesystem::path& file, RowReport& report);

} // namespace sdbench
