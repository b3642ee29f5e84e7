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

/// The time of one part of a run, seconds. The work determines its parts; a CellStage is a stage of
/// the whole cell, for any work.
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
  /// Start of the run by the host's steady clock, which all processes share; 0: unknown.
  double start_s = 0;
};

/// nullopt if the run has no such part.
[[nodiscard]] std::optional<double> seconds_of(const RunSample& sample, std::string_view part);
/// Adds to the part's time so far. A new part is appended.
void add_seconds(RunSample& sample, std::string_view part, double seconds);

/// The member of a run in JSON that holds a part's time: "text_s".
[[nodiscard]] std::string member_of_part(std::string_view part);
/// The inverse. nullopt for any other member: e2e_s, step_s, start_s, and names that are not
/// lower-case letters, digits and underscores with _s at the end.
[[nodiscard]] std::optional<std::string_view> part_of_member(std::string_view member);
/// True if each part has its own member, so that a record loses no part.
[[nodiscard]] bool have_members(std::span<const PartTime> parts);

} // namespace sdbench
