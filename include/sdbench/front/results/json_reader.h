#pragma once

#include "sdbench/front/results/byte_window.h"
#include "sdbench/front/results/json_items.h"
#include "sdbench/front/results/row_report.h"

namespace sdbench {

/// Passes the records of a JSON document or of JSON Lines to `report`. Reads the schema versions
/// kOldestSchemaVersion to kSchemaVersion.
void read_json(ByteWindow& window, JsonItems::Form form, RowReport& report);

} // namespace sdbench
