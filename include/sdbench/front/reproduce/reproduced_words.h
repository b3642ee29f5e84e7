#pragma once

#include <string>

#include "sdbench/front/compare/verdict.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// A reproduction counts as equally fast if its speed differs from the record's by at most this
/// fraction. The limit exceeds the 1 % that `sdbench compare` uses for pooled rows, because two
/// program starts on one machine seldom agree that well.
inline constexpr double kSameWithin = 0.05;

/// The verdict in words: "faster: +12.3 % (95 % interval +8.1 to +16.9 %)", "the same within 5 %:
/// -0.20 % (…)". `ratio`: the speed here divided by the record's speed.
[[nodiscard]] std::string reproduced_words(Verdict verdict, const Ratio& ratio);

/// Compares the new row with the record in one line: "the same: …; differs in driver_version (here
/// 580.95, there 570.12)".
[[nodiscard]] std::string reproduction_text(const RunRecord& here, const RunRecord& record);

} // namespace sdbench
