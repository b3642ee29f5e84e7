#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/record/field_name.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// For each row of the table, how its card was set up (see card_states()): equal texts are one
/// state. What only telemetry tells (the link, clocks) is unknown in a row that failed, or was too
/// short for it, and so is a generation of the link that one row alone has seen, for a sensor may
/// look while the card rests. What is unknown fits every state: such a row has that of most rows of
/// its card that it fits. `rows`: those that count; `left_out`: fields that make the columns.
[[nodiscard]] std::vector<std::string> row_states(const ResultTable& table,
                                                  std::span<const std::size_t> rows,
                                                  const std::vector<FieldName>& left_out);

using StateWords = std::vector<std::string>;

/// What names the card of a row with this text of row_states(): "power limit 350 W", a word for
/// each of card_states() and one for clocks that were set; empty where there is nothing to say.
[[nodiscard]] StateWords words_of_state(std::string_view state);

} // namespace sdbench
