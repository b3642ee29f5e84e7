#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// A copy of the table in which cells differ only in what lasts: the work, what was asked for, and
/// the card in its host. Driver, kernel, libtorch, the engine's revision and the card's state may
/// change from night to night, so they are empty, and ids that depend on them are made anew.
/// - `keeps_state`: by row, true if its cell is measured in several states every night
/// - `tags`: by row, the tags that it keeps
[[nodiscard]] ResultTable with_lasting_keys(const ResultTable& table,
                                            std::span<const std::size_t> rows,
                                            const std::vector<bool>& keeps_state,
                                            const std::vector<std::string>& tags);

} // namespace sdbench
