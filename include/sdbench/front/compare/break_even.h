#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/compare/pooled_figure.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// What one engine asks for before its first image, and for each image.
struct EngineCost {
  double prepare_s = 0; ///< the mean of rows that prepared anew
  PooledFigure image_s;
  std::int64_t prepare_rows = 1;
  double prepare_standard_error = 0; ///< of the mean; of one row nobody knows it
};

/// When `ours` has made up for what it prepares, beside `base`. It is faster where the 95 %
/// interval of the gain an image is above zero, not faster where that is below; without an interval
/// the means decide. The interval of the images is Fieller's, of a quotient of two uncertain means:
/// what is prepared more, by the gain an image.
[[nodiscard]] BreakEven break_even_of(const EngineCost& ours, const EngineCost& base);

/// "never", "unclear", "at once", "after"
[[nodiscard]] std::string_view word_of(BreakEven::Kind kind);

/// The same for people, of kAfter "93 (81 to 110)".
[[nodiscard]] std::string text_of(const BreakEven& paid);

/// The line whose preparing a place's break-even is of, from 0.
[[nodiscard]] std::size_t payer_of(const Comparison& comparison, const Pool& pool);

/// Gives each pool that is compared with a pool of another engine on the same machine (host and
/// device) its break-even, where rows of both say what they prepared: not those that found it kept,
/// or the model loaded. Needs the baselines.
void add_break_even(Comparison& comparison, const ResultTable& table);

} // namespace sdbench
