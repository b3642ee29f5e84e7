#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/record/field_name.h"

namespace sdbench {

/// Groups rows into pools, lines and columns, which do not have names and figures yet. `base_rows`:
/// flags by row index, may be empty; a flagged row never shares a pool with an unflagged one.
[[nodiscard]] Comparison group_rows(const ResultTable& table, std::span<const std::size_t> rows,
                                    const CompareOptions& options,
                                    const std::vector<bool>& base_rows);

/// work_fields(): the fields that identify the work. way_fields(): the fields from which a
/// variant_id is computed; they identify the settings.
[[nodiscard]] std::span<const FieldName> work_fields();
[[nodiscard]] std::span<const FieldName> way_fields();

/// Fields that are compared even if rows have equal ids, because a file may hold a stale id: the
/// fields from which variant_id and env_id are computed, fields that follow from these (such as
/// cudnn_version), and fields that describe a kind of card (such as sm_count).
[[nodiscard]] std::span<const FieldName> telling_fields();

/// "synthetic weights" or "real weights", from the field `weights`; empty if the field is empty.
[[nodiscard]] std::string_view weights_kind(std::string_view weights);

/// The row's status. If the row's fields contradict each other, "contradicts itself" instead.
[[nodiscard]] std::string_view outcome_of(const ResultTable& table, std::size_t row);
/// The outcome for people: "OOM" if memory ran out, else as outcome_of().
[[nodiscard]] std::string outcome_words(const ResultTable& table, std::size_t row);

/// True if the row's figures show the machine's true speed: the row is ok, does not contradict
/// itself, and the machine was not suspended meanwhile.
[[nodiscard]] bool has_true_speed(const ResultTable& table, std::size_t row);

} // namespace sdbench
