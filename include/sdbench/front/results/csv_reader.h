#pragma once

#include "sdbench/front/results/byte_window.h"
#include "sdbench/front/results/row_report.h"

namespace sdbench {

/// Tells the rows of a CSV text, of any schema version so far. Columns are found by name; those
/// that this version does not know are passed over. A header may come again, also another one:
/// files that were put behind each other.
void read_csv(ByteWindow& window, RowReport& report);

} // namespace sdbench
