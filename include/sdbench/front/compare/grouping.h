#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/record/field_name.h"

namespace sdbench {

/// Sorts rows into pools, lines and columns, still without names and figures. `base_rows` (by place
/// in the table; may be empty) are pooled apart from all others.
[[nodiscard]] Comparison group_rows(const ResultTable& table, std::span<const std::size_t> rows,
                                    const CompareOptions& options,
                                    const std::vector<bool>& base_rows);

/// Fields that tell the work, and the way and place of working, of rows without ids.
[[nodiscard]] std::span<const FieldName> work_fields();
[[nodiscard]] std::span<const FieldName> way_fields();

/// Fields in which rows with equal ids may differ, because a file may hold a stale id: the inputs
/// of variant_id and env_id, their consequences, and fields that only other kinds of cards have.
[[nodiscard]] std::span<const FieldName> telling_fields();

/// "synthetic weights" or "real weights", from the field `weights`; empty for an empty one.
[[nodiscard]] std::string_view weights_kind(std::string_view weights);

/// The row's status; a text that says so if the row contradicts itself, whatever its status.
[[nodiscard]] std::string_view outcome_of(const ResultTable& table, std::size_t row);
/// The same for people: "OOM" where memory ran out.
[[nodiscard]] std::string outcome_words(const ResultTable& table, std::size_t row);

/// True if the row's figures are valid for the machine's speed: it is ok, does not contradict
/// itself, and the machine was not suspended meanwhile.
[[nodiscard]] bool has_true_speed(const ResultTable& table, std::size_t row);

} // namespace sdbench
