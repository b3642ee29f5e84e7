#pragma once

#include <string>

#include "sdbench/front/compare/comparison.h"

namespace sdbench {

/// One sentence for a column: the fastest and its lead, or the comparison with the baseline. Its
/// first word is the verdict.
[[nodiscard]] std::string answer_words(const Comparison& comparison, const ComparedColumn& column);

/// "A is 1.25 times as fast as B (1.23 to 1.27)"; "unclear: A is …: the 95 % intervals overlap".
[[nodiscard]] std::string pair_words(const Comparison& comparison, const Pool& ours,
                                     const Pool& base);

} // namespace sdbench
