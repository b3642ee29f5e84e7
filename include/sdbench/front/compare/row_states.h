#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/record/field_name.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// For each row of the table, a text that stands for how its card was set up (see card_states()).
/// Rows with equal texts have the same state. Facts from telemetry (PCIe link, clocks) are unknown
/// in a row that failed or was too short. If a PCIe generation occurs in only one of several rows
/// of a card, it counts as unknown, because the sensor may have been read while the card was idle.
/// A row with unknown facts gets the card's most frequent state among those that agree with the
/// known facts. `rows`: the rows to consider. `left_out`: fields to ignore, because they already
/// tell columns apart.
[[nodiscard]] std::vector<std::string> row_states(const ResultTable& table,
                                                  std::span<const std::size_t> rows,
                                                  const std::vector<FieldName>& left_out);

using StateWords = std::vector<std::string>;

/// Words that name a state of row_states(): a text such as "power limit 350 W" for each field in
/// card_states(), then a text for fixed clocks. If the state lacks a value, its text is empty.
[[nodiscard]] StateWords words_of_state(std::string_view state);

} // namespace sdbench
