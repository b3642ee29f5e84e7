#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// What makes the images of a run, by the name that records have for it.
struct SchedulerName {
  std::string_view name;
  bool karras = false; ///< noise levels after Karras et al.
};

/// Of --scheduler: Euler's steps, whatever the model names; else only where they stand in for that.
inline constexpr std::string_view kEuler = "euler";

inline constexpr SchedulerName kSchedulers[] = {{kEuler, false}, {"euler_karras", true}};

[[nodiscard]] std::string_view scheduler_name(bool karras);
/// Whether a record's sampler has such noise levels; one that is none of ours has not.
[[nodiscard]] bool is_karras(std::string_view sampler);

/// What --scheduler may be; the first is the default.
[[nodiscard]] std::vector<std::string> scheduler_choices();

} // namespace sdbench
