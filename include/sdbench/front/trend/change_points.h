#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace sdbench {

/// A night's baseline is the median of up to this many preceding nights.
inline constexpr std::size_t kBaselineNights = 10;
/// Number of consecutive nights that prove a change; fewer nights may be outliers.
inline constexpr std::size_t kNightsThatProve = 3;
/// Number of nights that must precede a change, because fewer do not show how much nights vary.
inline constexpr std::size_t kLeastNightsBefore = 10;

/// How a night compares with the other nights of its cell. A level is the stretch of nights between
/// two changes.
struct NightStanding {
  /// Median of up to kBaselineNights preceding nights of the same level. The first
  /// kNightsThatProve nights of a level have the median of the previous level's last nights,
  /// because the change was not yet proved. nullopt if fewer than kNightsThatProve nights precede.
  std::optional<double> baseline;
  /// True if the night is left out of its level's figures: it differs from the level's median by
  /// more than five spreads (Levels::spread) and by more than 5 %, and the level has at least
  /// kLeastNightsBefore nights.
  bool is_odd = false;
};

struct Levels {
  std::vector<std::size_t> starts; ///< index of each level's first night; 0 for the first level
  std::vector<NightStanding> nights;
  /// Spread (see levels_of()) at the last night. nullopt for fewer than kLeastNightsBefore nights.
  std::optional<double> spread;
};

/// Finds where a time series of positive values, one per night, changes its level. All distances
/// are differences of logarithms.
/// - A change needs kNightsThatProve consecutive nights on the same side of the mean of the level's
///   last 30 nights. Each night's distance from that mean must exceed 1.2 spreads. The mean of
///   their distances must exceed both 1 % and four times its standard error.
/// - The new level starts with one of these nights: the first that is at least as near to the new
///   level as to the old one. For this comparison, the new level is the median of these nights and
///   the next two.
/// - A spread is the standard deviation of the last 30 nights around their levels, at least 0.3 %.
///   It leaves out nights that are farther than 3.5 spreads from their level.
[[nodiscard]] Levels levels_of(std::span<const double> values);

} // namespace sdbench
