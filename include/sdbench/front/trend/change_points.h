#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace sdbench {

/// Nights in the baseline, which is the median of the last ones.
inline constexpr std::size_t kBaselineNights = 10;
/// Nights in a row that prove a change, so that one odd night does not.
inline constexpr std::size_t kNightsThatProve = 3;
/// Nights that must precede them; fewer do not show how much nights vary.
inline constexpr std::size_t kLeastNightsBefore = 10;

/// A night's place among the nights of one cell.
struct NightStanding {
  /// Median of up to kBaselineNights nights before it on its level. The first kNightsThatProve
  /// nights of a level use the level before, because the change was not yet proved. Nothing if
  /// fewer than kNightsThatProve nights precede it.
  std::optional<double> baseline;
  /// True if it is farther from its level's median than five spreads and 5 %, on a level of at
  /// least kLeastNightsBefore nights. Odd nights are left out of a level's figures.
  bool is_odd = false;
};

struct Levels {
  std::vector<std::size_t> starts; ///< the first night of each level; 0 is the first level's
  std::vector<NightStanding> nights;
  /// Standard deviation of a night around its level, as a fraction of it, without outliers. Nothing
  /// below kLeastNightsBefore nights.
  std::optional<double> spread;
};

/// Finds where a time series of positive values changes its level. A change needs kNightsThatProve
/// nights in a row on one side of the mean of the level's last 30 nights: each by 1.2 spreads, and
/// their mean by 1 % and four standard errors. The new level starts with the first of these nights
/// that is not nearer to the old level than to the median of the five nights from there on. All
/// distances are between logarithms. The spread is that of the last 30 nights around their levels,
/// and at least 0.3 %.
[[nodiscard]] Levels levels_of(std::span<const double> values);

} // namespace sdbench
