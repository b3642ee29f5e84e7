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
  std::optional<std::int64_t> warmup; ///< exactly this many; empty: until images agree
};

enum class StopReason {
  kRepeat,      ///< as many runs as requested
  kMaxNoise,    ///< the noise is under the bound
  kMaxRuns,     ///< the noise never fell below the bound
  kMaxTime,     ///< the cell's time is over
  kInterrupted, ///< a signal
};
/// "repeat", "max_noise", "max_runs", "max_time", "interrupted".
[[nodiscard]] std::string_view name_of(StopReason reason);

enum class WarmupReason {
  kAsked,   ///< as many as requested
  kSettled, ///< two images in a row agreed
  kLimit,   ///< images never agreed
  kMaxTime, ///< the time is needed for the timed runs
};
/// "asked", "settled", "limit", "max_time".
[[nodiscard]] std::string_view name_of(WarmupReason reason);

inline constexpr std::int64_t kMinRunsForNoise = 3;
/// The noise of a mean falls with the square root of the number of runs: a bound not reached in 100
/// runs would need hundreds more.
inline constexpr std::int64_t kMaxRunsForNoise = 100;
inline constexpr double kSettledWithin = 0.05; ///< difference of two images, by the later one
inline constexpr std::int64_t kMaxWarmups = 5;

/// True if the time of a cell that began `elapsed_s` ago is over.
[[nodiscard]] bool time_is_over(const StopRule& rule, double elapsed_s);

/// Why no timed run may follow those of `e2e_s`. nullopt: continue.
[[nodiscard]] std::optional<StopReason>
enough_runs(const StopRule& rule, std::span<const double> e2e_s, double elapsed_s);

/// Why no further warm-up image may begin. nullopt: continue. `batch_s`: end-to-end times of one
/// batch each, first the first image's, then the warm-ups'.
[[nodiscard]] std::optional<WarmupReason>
enough_warmups(const StopRule& rule, std::span<const double> batch_s, double elapsed_s);

} // namespace sdbench
