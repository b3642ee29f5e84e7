#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace sdbench {

/// When a cell has been measured enough. The functions are pure: they take times as numbers, so
/// that tests need no clock. Docs: docs/measuring.md.
struct StopRule {
  std::int64_t repeat = 3;            ///< timed runs; with max_noise, the fewest
  std::optional<double> max_noise;    ///< of the mean end-to-end time, as a fraction of it
  std::optional<double> max_time_s;   ///< of the cell, from its request on
  std::optional<std::int64_t> warmup; ///< exactly so many; empty: until images agree
};

enum class StopReason {
  kRepeat,      ///< as many runs as asked for
  kMaxNoise,    ///< the noise is under the bound
  kMaxRuns,     ///< the noise never fell under it
  kMaxTime,     ///< the cell's time is over
  kInterrupted, ///< a signal
};
/// "repeat", "max_noise", "max_runs", "max_time", "interrupted".
[[nodiscard]] std::string_view name_of(StopReason reason);

enum class WarmupReason {
  kAsked,   ///< as many as asked for
  kSettled, ///< two images in a row agreed
  kLimit,   ///< they never did
  kMaxTime, ///< the time is needed for the timed runs
};
/// "asked", "settled", "limit", "max_time".
[[nodiscard]] std::string_view name_of(WarmupReason reason);

inline constexpr std::int64_t kMinRunsForNoise = 3;
/// The noise of a mean falls with the square root of the runs: a bound that 100 runs do not reach
/// would take hundreds more.
inline constexpr std::int64_t kMaxRunsForNoise = 100;
inline constexpr double kSettledWithin = 0.05; ///< difference of two images by the later one
inline constexpr std::int64_t kMaxWarmups = 5;

/// True if the time of a cell that began `elapsed_s` ago is over.
[[nodiscard]] bool time_is_over(const StopRule& rule, double elapsed_s);

/// Why no timed run is to follow those of `e2e_s`. nullopt: go on.
[[nodiscard]] std::optional<StopReason>
enough_runs(const StopRule& rule, std::span<const double> e2e_s, double elapsed_s);

/// Why no further warm-up image is to begin. nullopt: go on. `batch_s`: end-to-end times of one
/// batch each, the first image's first, the warm-ups' after it.
[[nodiscard]] std::optional<WarmupReason>
enough_warmups(const StopRule& rule, std::span<const double> batch_s, double elapsed_s);

} // namespace sdbench
