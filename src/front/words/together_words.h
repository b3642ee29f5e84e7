#pragma once

#include <string>

#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// How the row's device computed: "alone", "1 of 2" for its part of a parallel execution, "sum of
/// 2" for all of it.
[[nodiscard]] std::string together_words(const RunRecord& record);

} // namespace sdbench
