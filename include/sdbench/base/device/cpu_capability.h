#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace sdbench {

/// What a processor with `features` (words of /proc/cpuinfo) lacks for ATEN_CPU_CAPABILITY=`asked`,
/// which libtorch believes and is killed for: "avx512f avx512vl". Empty where it lacks nothing, the
/// word is none of libtorch's or the features are unknown.
[[nodiscard]] std::string
missing_for_capability(std::string_view asked, const std::set<std::string, std::less<>>& features);

} // namespace sdbench
