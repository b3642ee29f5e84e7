#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace sdbench {

// Pure functions that read the text of Linux's files in /proc and /etc, so that texts of other
// machines can be tested.

/// "MemAvailable:  3926 kB" of /proc/meminfo or /proc/self/status, in bytes.
[[nodiscard]] std::optional<std::int64_t> proc_bytes(std::string_view text, std::string_view key);

/// The processor's name in /proc/cpuinfo; empty if it has no name (most Arm kernels).
[[nodiscard]] std::string cpu_name_from(std::string_view cpuinfo);

/// Feature words of the first processor: x86 "flags", Arm "Features".
[[nodiscard]] std::set<std::string, std::less<>> cpu_features_from(std::string_view cpuinfo);

/// See cpu_has_bf16 and cpu_vector_set in host.h.
[[nodiscard]] bool has_bf16(const std::set<std::string, std::less<>>& features);
[[nodiscard]] std::string vector_set_of(const std::set<std::string, std::less<>>& features);

/// See cpu_instruction_sets in host.h.
[[nodiscard]] std::string instruction_sets_of(const std::set<std::string, std::less<>>& features);

/// PRETTY_NAME of /etc/os-release without its quotes; empty if missing.
[[nodiscard]] std::string os_name_from(std::string_view os_release);

/// Path of this process in the hierarchy of `controller` ("memory", "cpu"; empty: version 2), from
/// /proc/self/cgroup.
[[nodiscard]] std::optional<std::string> cgroup_path_from(std::string_view cgroup_file,
                                                          std::string_view controller);

} // namespace sdbench
