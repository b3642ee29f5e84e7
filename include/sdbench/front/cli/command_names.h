#pragma once

#include <array>
#include <string_view>

namespace sdbench {

/// The words that follow sdbench, in the order in which help names them.
inline constexpr std::array<std::string_view, 11> kCommandNames = {
    "run",       "list",           "compare", "report", "merge", "quality",
    "reproduce", "export-weights", "setup",   "cache",  "slurm"};

} // namespace sdbench
