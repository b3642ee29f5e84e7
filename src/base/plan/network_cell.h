#pragma once

#include <string>

#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// Why the model cannot do the cell's task, or not with these options; empty if it can.
[[nodiscard]] std::string task_obstacle(const Cell& cell, const RunConfig& config);

/// Fills in the work of a network's cell, whose batch must be set, except the data of epochs.
/// Throws UsageError for impossible combinations.
void fill_network_cell(Cell& cell, const RunConfig& config);

/// Fills in the data of epochs and their number of images. Unreadable data become the cell's
/// obstacle.
void look_at_data(PlannedCell& planned, const RunConfig& config, ModelResolver& models);

} // namespace sdbench
