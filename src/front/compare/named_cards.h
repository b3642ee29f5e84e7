#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// Lines of the table that belong to one machine.
struct NamedCard {
  std::string name; ///< as the first table shows the machine, or the line's if it has only one
  std::vector<std::size_t> lines;
};

/// Returns the machines that a user's words name, each with its matching lines. Tries these kinds
/// of names in order and uses the first that matches: a line's number, a line's name, a machine's
/// name (with the host, even if the table omits it), a host or label, a device. Ignores case; the
/// GPU maker's words may be omitted. If the user chose the row fields, each line is a machine.
[[nodiscard]] std::vector<NamedCard>
cards_named(const Comparison& comparison, const ResultTable& table, const std::string& words);

/// The names of the cards in the marked lines. The UUID identifies a card; if it is unknown, the
/// host and the device number there do.
[[nodiscard]] std::vector<std::string> cards_of_baseline(const Comparison& comparison,
                                                         const ResultTable& table);

/// "\"RTX 3060\" fits RTX 3060 on desk and RTX 3060 on lap; take one of these names, ..."
[[nodiscard]] std::string several_fit(const std::string& words,
                                      const std::vector<std::string>& names);

} // namespace sdbench
