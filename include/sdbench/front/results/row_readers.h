#pragma once

#include "sdbench/front/results/byte_window.h"
#include "sdbench/front/results/json_items.h"
#include "sdbench/front/results/row_report.h"

namespace sdbench {

/// Passes the rows of a CSV text to `report`. Reads the schema versions kOldestSchemaVersion to
/// kSchemaVersion. Finds columns by name and ignores unknown ones. Accepts repeated headers, with
/// the same or other columns, as in concatenated files.
void read_csv(ByteWindow& window, RowReport& report);

/// Passes the records of a JSON document or of JSON Lines to `report`. Reads the schema versions
/// kOldestSchemaVersion to kSchemaVersion.
void read_json(ByteWindow& window, JsonItems::Form form, RowReport& report);

} // namespace sdbench
