#pragma once

#include <string>
#include <vector>

#include "sdbench/front/compare/compare_fields.h"
#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// The comparison as a view. It consists of
/// - a table of all cards and cells, if there are several
/// - with `missing`, a table of the cells that some cards lack
/// - a table for each column of the comparison, with all figures or, if given, only `fields`
[[nodiscard]] View compare_view(const Comparison& comparison, const ResultTable& table,
                                bool missing = false, const std::vector<CompareField>& fields = {});

/// The mark of note number `place`, counted from 0: "a", …, "z", "aa", …
[[nodiscard]] std::string mark_text(std::size_t place);

} // namespace sdbench
