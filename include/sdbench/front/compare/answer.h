#pragma once

#include <string>

#include "sdbench/front/compare/comparison.h"

namespace sdbench {

/// One sentence about a column: which row of the table is fastest, and by how much. With
/// --baseline, says instead how the rows compare with the baseline. Begins with the verdict, if
/// there is one.
[[nodiscard]] std::string answer_words(const Comparison& comparison, const ComparedColumn& column);

/// How `ours` compares with `base`: "A is 1.25 times as fast as B (1.23 to 1.27)", or "unclear: A
/// is …: the 95 % intervals overlap".
[[nodiscard]] std::string pair_words(const Comparison& comparison, const Pool& ours,
                                     const Pool& base);

} // namespace sdbench
