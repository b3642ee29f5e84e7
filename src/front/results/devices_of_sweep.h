#pragma once

#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// Names the device of rows that failed or were skipped before a worker told it. Such a row gets
/// the device on which other rows of its sweep ran, or else other rows of its host, if they asked
/// for the same device ("auto", "cuda:1") and all ran on one. Other rows stay as they are.
void name_devices(ResultTable& table);

} // namespace sdbench
