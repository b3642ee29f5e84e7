#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace sdbench {

/// So many nights make the baseline: the median of the last ones.
inline constexpr std::size_t kBaselineNights = 10;
/// So many nights in a row prove a change, so one odd night decides nothing.
inline constexpr std::size_t kNightsThatProve = 3;
/// So many nights must lie before those: fewer do not tell how far nights lie apart.
inline constexpr std::size_t kLeastNightsBefore = 10;

/// A night's place among the nights of one cell.
struct NightStanding {
  /// Median of up to kBaselineNights nights before it, on its level; of a level's first
  /// kNightsThatProve nights on the level before, for until then nobody knew of another. None where
  /// fewer than kNightsThatProve nights are before it.
  std::optional<double> baseline;
  /// Farther from its level's median than five spreads and 5 %, on a level of kLeastNightsBefore
  /// nights or more: in no figure of a level.
  bool is_odd = false;
};

struct Levels {
  std::vector<std::size_t> starts; ///< the first night of each level; 0 is the first level's
  std::vector<NightStanding> nights;
  /// Standard deviation of a night around its level, as a part of it, without nights that lie far
  /// away. None below kLeastNightsBefore nights.
  std::optional<double> spread;
};

/// Finds where a series of values above zero, in order of time, goes over to another level. That is
/// where kNightsThatProve nights in a row lie on one side of the mean of the level's last 30
/// nights, each by 1.2 spreads, and their mean by 1 % and four standard errors. The level starts
/// with the first of the three that is no nearer to the level before than to the median of the five
/// nights from there on. All distances are of logarithms. The spread is that of the last 30 nights
/// around their levels, and at least 0.3 %.
[[nodiscard]] Levels levels_of(std::span<const double> values);

} // namespace sdbench
