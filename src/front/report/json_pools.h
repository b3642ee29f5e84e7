#pragma once

#include <cstddef>

#include "json_columns.h"
#include "sdbench/front/compare/comparison.h"

namespace sdbench {

/// All rows as `sdbench compare` compares them by the speed that the page begins with, with the
/// names that they have in `shown`.
[[nodiscard]] Comparison page_comparison(const ResultTable& table, const ResultTable& shown);

/// For each row, the index of its work's column in `compared`; null if the row is in no pool.
[[nodiscard]] OrderedJson workload_of_row_json(const Comparison& compared, std::size_t row_count);

/// The metrics that the page offers, by name. The one of `compared`, which is page_comparison(),
/// comes first. Each has its words and
/// - `pool`: for each row, the index of its pool in `sdbench compare` (null if no figure includes
/// the row)
/// - `run_times`: names of fields; the first one that a row has gives the spread of its timed runs
[[nodiscard]] OrderedJson metrics_json(const ResultTable& table, const Comparison& compared);

/// Energy per image by pools of `sdbench compare --metric j_per_image`:
/// - `pool`: for each row, the index of its pool (null if the row has no energy)
/// - `figures`: for each pool with energy, [J, 95 % from, to] (nulls if the interval is unknown)
[[nodiscard]] OrderedJson energy_json(const ResultTable& table);

/// By row with a speed (its number as text): the rows of `sdbench quality` that tell the quality
/// that the speed costs.
[[nodiscard]] OrderedJson quality_json(const Comparison& compared);

/// The number of images after which the fastest engine has made up for its longer preparation, in
/// the words of `sdbench compare`: workload, both names, the words.
[[nodiscard]] OrderedJson break_even_json(const Comparison& compared);

} // namespace sdbench
