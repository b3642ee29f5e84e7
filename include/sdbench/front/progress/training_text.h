#pragma once

#include <string>

#include "sdbench/base/plan/cell.h"

namespace sdbench {

/// "v-prediction, zero terminal SNR": what a single file was taken for, as it has no configs that
/// say so. Empty of weights that have configs, and where there is nothing to say.
[[nodiscard]] std::string training_text(const Cell& cell);

} // namespace sdbench
