#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/compare/pooled_figure.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// The seconds that an engine needs to prepare (compile or export a model) and then for each image.
struct EngineCost {
  double prepare_s = 0; ///< mean over the rows that reused no earlier preparation
  PooledFigure image_s;
  std::int64_t prepare_rows = 1;
  double prepare_standard_error = 0; ///< standard error of prepare_s; 0 for a single row
};

/// Computes after how many images `ours` has made up for its longer preparation, compared with
/// `base`. The gain is the time per image that `ours` saves. `ours` counts as faster if the 95 %
/// interval of the gain is above zero, and as not faster if the interval is below zero. If it
/// includes zero, the result is unclear. Without an interval, the means decide. The number of
/// images is the extra preparation time divided by the gain. The interval of that number is
/// Fieller's, for the quotient of two uncertain means.
[[nodiscard]] BreakEven break_even_of(const EngineCost& ours, const EngineCost& base);

/// The kind as a word: "never", "unclear", "at once" or "after".
[[nodiscard]] std::string_view word_of(BreakEven::Kind kind);

/// The result for people: for kAfter, the number of images and its interval, "93 (81 to 110)"; for
/// the other kinds, word_of().
[[nodiscard]] std::string text_of(const BreakEven& paid);

/// Index of the line (row of the table) with the engine that pool.break_even is about. This is the
/// pool's own line or, if the baseline is "best", the line of the pool's base.
[[nodiscard]] std::size_t payer_of(const Comparison& comparison, const Pool& pool);

/// Sets the break-even of each pool whose base is a different engine on the same machine (host and
/// device). Both pools need at least one row that states its preparation time. Rows that reused an
/// earlier preparation or a loaded model do not count. Call it after choose_baselines().
void add_break_even(Comparison& comparison, const ResultTable& table);

} // namespace sdbench
