#pragma once

#include "sdbench/base/dataset/dataset.h"

namespace sdbench {

/// Computes mean and std from the images.
void fill_facts(Dataset& dataset);

} // namespace sdbench
