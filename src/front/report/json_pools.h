#pragma once

#include <cstddef>

#include "json_columns.h"
#include "sdbench/front/compare/comparison.h"

namespace sdbench {

/// All rows as `sdbench compare` compares them by the speed that the page begins with, with the
/// names that they have in `shown`.
[[nodiscard]] Comparison page_comparison(const ResultTable& table, const ResultTable& shown);

/// Of each row the number of the column that its work has in `compared`; null: it is in no pool.
[[nodiscard]] OrderedJson workload_of_row_json(const Comparison& compared, std::size_t row_count);

/// By the name of each metric that the page offers, that of `compared` first: its words; `pool`, of
/// each row the number of the pool that `sdbench compare` puts it in (null where it is in no
/// figure); and `run_times`, the fields of which the first that a row has tells the spread of its
/// timed runs. `compared`: page_comparison().
[[nodiscard]] OrderedJson metrics_json(const ResultTable& table, const Comparison& compared);

/// Energy of an image by pools of `sdbench compare --metric j_per_image`: `pool`, of each row the
/// number of its pool (null: it tells none), and `figures`, of each pool that tells it [J, 95 %
/// from, to] (nulls: nothing tells the interval).
[[nodiscard]] OrderedJson energy_json(const ResultTable& table);

/// By row with a speed (as text): the rows of `sdbench quality` that tell what it costs.
[[nodiscard]] OrderedJson quality_json(const Comparison& compared);

/// After how many images the fastest engine has made up for preparing longer than another, as
/// `sdbench compare` says it: workload, both names, the words.
[[nodiscard]] OrderedJson break_even_json(const Comparison& compared);

} // namespace sdbench
