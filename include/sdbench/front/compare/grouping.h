#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "sdbench/base/record/field_name.h"
#include "sdbench/front/compare/comparison.h"

namespace sdbench {

/// Sorts rows into pools, lines and columns, still without names and figures. `base_rows` (by place
/// in the table; empty: none) are pooled apart from all others.
[[nodiscard]] Comparison group_rows(const ResultTable& table, std::span<const std::size_t> rows,
                                    const CompareOptions& options,
                                    const std::vector<bool>& base_rows);

/// Fields that tell the work, and the way and place of working, of rows without ids.
[[nodiscard]] std::span<const FieldName> work_fields();
[[nodiscard]] std::span<const FieldName> way_fields();

/// What rows that share their ids may differ in all the same, for a file may say any of it beside a
/// stale id: what a variant_id and an env_id are made of, what came of that, and what only cards of
/// another kind have.
[[nodiscard]] std::span<const FieldName> telling_fields();

/// "synthetic weights" or "real weights", by what the field `weights` says; empty of an empty one.
[[nodiscard]] std::string_view weights_kind(std::string_view weights);

/// The row's status; of a row that contradicts itself, whatever its status, these words.
[[nodiscard]] std::string_view outcome_of(const ResultTable& table, std::size_t row);

/// Whether the row's figures say something of the machine's speed: it is ok, does not contradict
/// itself, and the machine was not suspended meanwhile.
[[nodiscard]] bool has_true_speed(const ResultTable& table, std::size_t row);

} // namespace sdbench
