#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace sdbench {

/// The features that a processor with `features` (words of /proc/cpuinfo) lacks for
/// ATEN_CPU_CAPABILITY=`asked`, like "avx512f avx512vl". libtorch uses the instructions without
/// checking, and is then killed. Empty if nothing is missing, if libtorch does not know the word,
/// or if the features are unknown.
[[nodiscard]] std::string
missing_for_capability(std::string_view asked, const std::set<std::string, std::less<>>& features);

} // namespace sdbench
