#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// A copy of the table in which only what lasts tells rows of one cell apart: the work, what was
/// asked for, and the card in its host. All else that compare tells rows apart by (software, parts
/// of the machine, what options came to, the card's state) may change from night to night, so it is
/// empty, and the ids that are made of it are made anew. `keeps_state` (by row): rows whose cell is
/// measured in several states every night; `tags` (by row): those that it keeps.
[[nodiscard]] ResultTable with_lasting_keys(const ResultTable& table,
                                            std::span<const std::size_t> rows,
                                            const std::vector<bool>& keeps_state,
                                            const std::vector<std::string>& tags);

} // namespace sdbench
