#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace sdbench {

/// The rule that decides when a cell has been measured enough. The functions below are pure: they
/// take times as numbers, so tests need no clock. See docs/measuring.md.
struct StopRule {
  std::int64_t repeat = 3; ///< number of timed runs; with max_noise, the minimum
  /// Adds runs until the relative standard error of the mean end-to-end time is below this value.
  std::optional<double> max_noise;
  std::optional<double> max_time_s; ///< the cell's time limit in seconds, counted from its request
  /// Number of warm-up batches; empty: until the times of two batches in a row agree.
  std::optional<std::int64_t> warmup;
};

/// Why timed runs stopped.
enum class StopReason {
  kRepeat,      ///< the requested number of runs is done
  kMaxNoise,    ///< the noise is below max_noise
  kMaxRuns,     ///< the noise stayed above max_noise for the maximum number of runs
  kMaxTime,     ///< the cell's time limit is reached
  kInterrupted, ///< a signal interrupted the cell
};
/// The reason's name: "repeat", "max_noise", "max_runs", "max_time", "interrupted".
[[nodiscard]] std::string_view name_of(StopReason reason);

/// Why the warm-up stopped.
enum class WarmupReason {
  kAsked,   ///< the requested number of warm-ups is done
  kSettled, ///< the times of two batches in a row agreed
  kLimit,   ///< the times did not agree in kMaxWarmups warm-ups
  kMaxTime, ///< the remaining time is needed for the timed runs
};
/// The reason's name: "asked", "settled", "limit", "max_time".
[[nodiscard]] std::string_view name_of(WarmupReason reason);

/// Minimum number of timed runs before max_noise can stop a cell.
inline constexpr std::int64_t kMinRunsForNoise = 3;
/// Maximum number of timed runs with max_noise, unless `repeat` is higher. The noise of a mean
/// falls with the square root of the number of runs. If 100 are not enough, hundreds more are
/// needed.
inline constexpr std::int64_t kMaxRunsForNoise = 100;
/// Two batch times agree if they differ by less than this fraction of the later batch's time.
inline constexpr double kSettledWithin = 0.05;
inline constexpr std::int64_t kMaxWarmups = 5;

/// True if a cell that began `elapsed_s` seconds ago has reached its time limit.
[[nodiscard]] bool time_is_over(const StopRule& rule, double elapsed_s);

/// Why the timed runs must stop now; nullopt: continue. `e2e_s`: end-to-end times of the runs so
/// far.
[[nodiscard]] std::optional<StopReason>
enough_runs(const StopRule& rule, std::span<const double> e2e_s, double elapsed_s);

/// Why the warm-up must stop now; nullopt: continue. `batch_s`: end-to-end time of one batch, for
/// the first run and then for each warm-up.
[[nodiscard]] std::optional<WarmupReason>
enough_warmups(const StopRule& rule, std::span<const double> batch_s, double elapsed_s);

} // namespace sdbench
