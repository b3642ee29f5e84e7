#pragma once

#include "sdbench/base/dataset/dataset.h"

namespace sdbench {

/// Fills what the images themselves say: mean and std.
void fill_facts(Dataset& dataset);

} // namespace sdbench
