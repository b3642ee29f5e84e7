#pragma once

#include "sdbench/base/dataset/dataset.h"

namespace sdbench {

/// Fills what the images themselves say: mean, std and identity. `name` and images are there.
void fill_facts(Dataset& dataset);

} // namespace sdbench
