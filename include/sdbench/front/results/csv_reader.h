#pragma once

#include "sdbench/front/results/byte_window.h"
#include "sdbench/front/results/row_report.h"

namespace sdbench {

/// Reports the rows of a CSV text of any schema version so far. Finds columns by name and ignores
/// unknown ones. Accepts further headers, equal or different, as in concatenated files.
void read_csv(ByteWindow& window, RowReport& report);

} // namespace sdbench
