#pragma once

#include "sdbench/results/byte_window.h"
#include "sdbench/results/json_items.h"
#include "sdbench/results/row_report.h"

namespace sdbench {

/// Tells the records of a JSON document or of JSON lines, of any schema version so far.
void read_json(ByteWindow& window, JsonItems::Form form, RowReport& report);

} // namespace sdbench
