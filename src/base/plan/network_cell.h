#pragma once

#include <string>

#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// Why the model cannot do the cell's task with these options; empty if it can.
[[nodiscard]] std::string task_obstacle(const Cell& cell, const RunConfig& config);

/// Fills in the work of a cell for an image classifier, except the data of epochs. The cell's batch
/// must be set. Throws UsageError for impossible combinations.
void fill_network_cell(Cell& cell, const RunConfig& config);

/// Fills in the data of epochs and their number of images. If the data cannot be read, the reason
/// becomes the cell's obstacle.
void look_at_data(PlannedCell& planned, const RunConfig& config, ModelResolver& models);

} // namespace sdbench
