#pragma once

#include "sdbench/front/compare/comparison.h"

namespace sdbench {

/// Fills Comparison::notes, and marks the pools, with what a person must know before believing a
/// difference: versions, kernels and weights other than the baseline's, flags, failures, rows left
/// out, and what an interval covers if that differs between intervals.
void add_notes(Comparison& comparison, const ResultTable& table);

} // namespace sdbench
