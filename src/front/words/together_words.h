#pragma once

#include <string>

#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// How the row's device computed: "alone", "part of 2" for its part of a parallel execution, or
/// "sum of 2" for the whole execution.
[[nodiscard]] std::string together_words(const RunRecord& record);

} // namespace sdbench
