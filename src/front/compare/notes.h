#pragma once

#include "sdbench/front/compare/comparison.h"

namespace sdbench {

/// Fills Comparison::notes, and marks the pools, with facts that may explain a difference. These
/// are versions, kernels and weights that differ from the baseline's, flags, failures, rows left
/// out, and the basis of an interval if intervals differ in it.
void add_notes(Comparison& comparison, const ResultTable& table);

} // namespace sdbench
