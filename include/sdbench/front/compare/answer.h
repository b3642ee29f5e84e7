#pragma once

#include <string>

#include "sdbench/front/compare/comparison.h"

namespace sdbench {

/// One sentence for a column, whose first word is the verdict: who is the fastest and by how much,
/// or how it stands to the baseline.
[[nodiscard]] std::string answer_words(const Comparison& comparison, const ComparedColumn& column);

/// "A is 1.25 times as fast as B (1.23 to 1.27)"; "unclear: A is …: the 95 % intervals overlap".
[[nodiscard]] std::string pair_words(const Comparison& comparison, const Pool& ours,
                                     const Pool& base);

} // namespace sdbench
