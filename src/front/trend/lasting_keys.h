#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// A copy of the table in which cells differ only in what lasts: the work, the requested options,
/// and the card with its host. The other fields by which compare distinguishes rows (software,
/// parts of the machine, results of options, the card's state) may change from night to night. They
/// are emptied, and the ids computed from them are replaced. `keeps_state` (by row): true keeps the
/// card's state. `tags` (by row): the tags to keep.
[[nodiscard]] ResultTable with_lasting_keys(const ResultTable& table,
                                            std::span<const std::size_t> rows,
                                            const std::vector<bool>& keeps_state,
                                            const std::vector<std::string>& tags);

} // namespace sdbench
