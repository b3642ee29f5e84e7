#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// Lines of the table that belong to one machine.
struct NamedCard {
  std::string name; ///< as the first table shows the machine; of one line the line's
  std::vector<std::size_t> lines;
};

/// The machines, and of each the lines, that a user's words name, by the first kind that fits any:
/// a line's number, a line's name, a machine's name (also with the host where the table shows
/// none), a host or label, a device. Letters may be small or large, and the words of a GPU's maker
/// may be left out. Where the user said what a row is, each line is a machine.
[[nodiscard]] std::vector<NamedCard>
cards_named(const Comparison& comparison, const ResultTable& table, const std::string& words);

/// The names of the cards that the marked lines are of. A card is one by its UUID; where that is
/// not known, by its host and its number there.
[[nodiscard]] std::vector<std::string> cards_of_baseline(const Comparison& comparison,
                                                         const ResultTable& table);

/// "\"RTX 3060\" fits RTX 3060 on desk and RTX 3060 on lap; take one of these names, ..."
[[nodiscard]] std::string several_fit(const std::string& words,
                                      const std::vector<std::string>& names);

} // namespace sdbench
