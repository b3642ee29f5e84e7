#pragma once

#include <string>
#include <string_view>

#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// Flag of a row whose columns or raw times contradict each other. It is set when sdbench reads the
/// row from a file. All figures and comparisons leave out such rows.
inline constexpr std::string_view kContradicts = "contradicts_itself";

/// Flag of a row whose device computed or copied at another rate than when its sweep began.
inline constexpr std::string_view kMachineChanged = "machine_changed";
/// Rates of a device that differ by less are the same.
inline constexpr double kChangedPercent = 3;

/// The flags, with `flag` appended if it is not among them.
[[nodiscard]] std::string with_flag(std::string_view flags, std::string_view flag);
void add_flag(RunRecord& record, std::string_view flag);
/// True if `flag` is among a record's flags, which are separated by blanks.
[[nodiscard]] bool holds_flag(std::string_view flags, std::string_view flag);
[[nodiscard]] bool has_flag(const RunRecord& record, std::string_view flag);
/// A flag of rows that no verdict uses, even if there are no others.
struct SpoilingFlag {
  std::string_view name;  ///< "suspended"
  std::string_view words; ///< "the machine was suspended"
};
/// Finds the first spoiling flag among a record's flags. Returns nullptr if no flag spoils the row.
[[nodiscard]] const SpoilingFlag* spoiling_flag(std::string_view flags);
/// True if no flag says that the measurement was cut short, lost a parallel partner, or was
/// spoiled. Comparisons use only complete rows.
[[nodiscard]] bool is_whole_by(std::string_view flags);
/// Explains a flag to people in a few words. Empty if this version does not know the flag.
[[nodiscard]] std::string_view flag_text(std::string_view flag);

} // namespace sdbench
