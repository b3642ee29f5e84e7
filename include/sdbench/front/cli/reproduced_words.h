#pragma once

#include <string>

#include "sdbench/base/record/run_record.h"
#include "sdbench/front/compare/verdict.h"

namespace sdbench {

/// The gap from which a reproduction is faster or slower, and within which it is the same: two
/// starts of one machine seldom agree within the 1 % that `sdbench compare` takes for pooled rows.
inline constexpr double kSameWithin = 0.05;

/// "faster: +12.3 % (95 % interval +8.1 to +16.9 %)", "the same within 5 %: -0.20 % (…)". `ratio`:
/// this speed by the record's.
[[nodiscard]] std::string reproduced_words(Verdict verdict, const Ratio& ratio);

/// "the same: …; differs in driver_version (here 580.95, there 570.12)": the new row beside the
/// record, in one line.
[[nodiscard]] std::string reproduction_text(const RunRecord& here, const RunRecord& record);

} // namespace sdbench
