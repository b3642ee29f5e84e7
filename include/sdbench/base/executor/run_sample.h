#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// Names of the parts of a run that generates images.
inline constexpr std::string_view kTextPart = "text";
inline constexpr std::string_view kUNetPart = "unet"; ///< it/s counts the steps of this part
inline constexpr std::string_view kVaePart = "vae";

/// Time of one part of a run. The parts depend on the task, whereas the stages (CellStage) are the
/// same for all tasks.
struct PartTime {
  std::string name;
  double seconds = 0;
};

/// Times of one run (all batches of the cell), in seconds.
struct RunSample {
  std::vector<PartTime> parts; ///< in the order in which they run
  /// Wall-clock time from the prompt to the pixels on the host. All other times are taken between
  /// events on the device; on a CPU, with the host's clock.
  double e2e_s = 0;
  std::vector<double> step_s; ///< one value per step of each batch, in order
  /// Start of the run on the host's steady clock, which is the same for all processes; 0: unknown.
  double start_s = 0;
};

/// Seconds of the part; nullopt if the run has no such part.
[[nodiscard]] std::optional<double> seconds_of(const RunSample& sample, std::string_view part);
/// Adds `seconds` to the time of the part. Appends the part if the run does not have it yet.
void add_seconds(RunSample& sample, std::string_view part, double seconds);

/// Name of the JSON member that holds a part's time: "text_s" for "text".
[[nodiscard]] std::string member_of_part(std::string_view part);
/// The inverse of member_of_part(). nullopt for e2e_s, step_s and start_s, for names that do not
/// end in _s, and for names with characters other than lower-case letters, digits and underscores.
[[nodiscard]] std::optional<std::string_view> part_of_member(std::string_view member);
/// True if every part has a valid JSON member of its own, so that a record loses no part.
[[nodiscard]] bool have_members(std::span<const PartTime> parts);

} // namespace sdbench
