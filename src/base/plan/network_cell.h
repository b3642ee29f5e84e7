#pragma once

#include <string>

#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// Why the model cannot do the cell's task, or the task be done so, or nothing.
[[nodiscard]] std::string task_obstacle(const Cell& cell, const RunConfig& config);

/// Fills in what the cell of a network does, whose batch is known, but the data of epochs. Throws
/// UsageError for what cannot be.
void fill_network_cell(Cell& cell, const RunConfig& config);

/// Fills in the data of epochs, and how many images they have. Data that cannot be read are the
/// obstacle.
void look_at_data(PlannedCell& planned, const RunConfig& config, ModelResolver& models);

} // namespace sdbench
