#pragma once

#include "sdbench/front/compare/comparison.h"

namespace sdbench {

/// Puts into Comparison::notes, and marks on the pools, what a person must know before believing a
/// difference: versions, kernels and weights that are not the baseline's, flags, failures, rows
/// that were left out, and what an interval covers where not all cover the same.
void add_notes(Comparison& comparison, const ResultTable& table);

} // namespace sdbench
