#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/compare/pooled_figure.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// Seconds that an engine needs before its first image, and for each image.
struct EngineCost {
  double prepare_s = 0; ///< mean of the rows that prepared from scratch
  PooledFigure image_s;
  std::int64_t prepare_rows = 1;
  double prepare_standard_error = 0; ///< of the mean; unknown for one row
};

/// When `ours` has made up for its longer preparing, compared with `base`. It is faster if the 95 %
/// interval of the gain per image is above zero, and not faster if that is below; without an
/// interval the means decide. The interval of the images is Fieller's, for the quotient of two
/// uncertain means: extra preparing time divided by the gain per image.
[[nodiscard]] BreakEven break_even_of(const EngineCost& ours, const EngineCost& base);

/// "never", "unclear", "at once", "after"
[[nodiscard]] std::string_view word_of(BreakEven::Kind kind);

/// The same for people; for kAfter "93 (81 to 110)".
[[nodiscard]] std::string text_of(const BreakEven& paid);

/// The line, from 0, whose preparing a place's break-even is about.
[[nodiscard]] std::size_t payer_of(const Comparison& comparison, const Pool& pool);

/// Sets the break-even of each pool whose base is a different engine on the same machine (host and
/// device). Both need rows with their preparing time; rows that found it kept, or the model loaded,
/// do not count. Needs the baselines.
void add_break_even(Comparison& comparison, const ResultTable& table);

} // namespace sdbench
