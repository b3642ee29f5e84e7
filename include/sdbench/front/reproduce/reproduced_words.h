#pragma once

#include <string>

#include "sdbench/front/compare/verdict.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// A reproduction within this gap is the same; beyond it is faster or slower. It exceeds the 1 %
/// that `sdbench compare` uses for pooled rows, because two starts on one machine seldom agree so
/// well.
inline constexpr double kSameWithin = 0.05;

/// "faster: +12.3 % (95 % interval +8.1 to +16.9 %)", "the same within 5 %: -0.20 % (…)". `ratio`:
/// this speed divided by the record's.
[[nodiscard]] std::string reproduced_words(Verdict verdict, const Ratio& ratio);

/// "the same: …; differs in driver_version (here 580.95, there 570.12)": the new row compared with
/// the record, in one line.
[[nodiscard]] std::string reproduction_text(const RunRecord& here, const RunRecord& record);

} // namespace sdbench
