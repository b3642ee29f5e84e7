#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// The parts of a run that makes images.
inline constexpr std::string_view kTextPart = "text";
inline constexpr std::string_view kUNetPart = "unet"; ///< its steps are the iterations of it/s
inline constexpr std::string_view kVaePart = "vae";

/// What one part of a run took, seconds. Which parts there are is the work's own; a CellStage is of
/// the whole cell, whatever its work.
struct PartTime {
  std::string name;
  double seconds = 0;
};

/// Times of one run (all work of the cell, in batches), seconds. e2e is the wall clock from prompt
/// to pixels on the host; the others are device time between events (host clock on a CPU).
struct RunSample {
  std::vector<PartTime> parts; ///< in the order in which they run
  double e2e_s = 0;
  std::vector<double> step_s; ///< one per step of each batch, in order
  /// When it began, by the host's steady clock, which all processes share; 0: not told.
  double start_s = 0;
};

/// Nothing where the run has no such part.
[[nodiscard]] std::optional<double> seconds_of(const RunSample& sample, std::string_view part);
/// To the part's time so far; a new part comes last.
void add_seconds(RunSample& sample, std::string_view part, double seconds);

/// The member of a run in JSON that holds a part's time: "text_s".
[[nodiscard]] std::string member_of_part(std::string_view part);
/// The inverse. Nothing for a member that holds anything else: e2e_s, step_s, start_s, and what is
/// not lower-case letters, digits and underscores with _s at the end.
[[nodiscard]] std::optional<std::string_view> part_of_member(std::string_view member);
/// Whether each part has a member of its own, so that none is lost in a record.
[[nodiscard]] bool have_members(std::span<const PartTime> parts);

} // namespace sdbench
