#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace sdbench {

/// What a processor with `features` (words of /proc/cpuinfo) lacks for ATEN_CPU_CAPABILITY=`asked`,
/// which libtorch does not check before it uses the instructions, and so gets killed: "avx512f
/// avx512vl". Empty if nothing is missing, if libtorch does not know the word, and if the features
/// are unknown.
[[nodiscard]] std::string
missing_for_capability(std::string_view asked, const std::set<std::string, std::less<>>& features);

} // namespace sdbench
