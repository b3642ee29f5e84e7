#pragma once

#include <cstddef>
#include <cstdint>

#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// Equal numbers for rows of one card. A CPU's card is its host. 0: the row does not tell its card,
/// because an early version wrote it or because it is the sum of several cards.
[[nodiscard]] std::uint64_t card_of(const ResultTable& table, std::size_t row);

/// Fills in of how many cards and hosts the pool's rows are, and what one observation of its
/// interval is.
void count_cards(Pool& pool, const ResultTable& table, bool pools_cards);

} // namespace sdbench
