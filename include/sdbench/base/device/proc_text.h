#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace sdbench {

// Pure functions that parse the text of Linux's files in /proc and /etc, so that tests can use
// texts from other machines.

/// The value of `key` in the text of /proc/meminfo or /proc/self/status, in bytes: from a line like
/// "MemAvailable: 3926 kB". nullopt if there is no such line.
[[nodiscard]] std::optional<std::int64_t> proc_bytes(std::string_view text, std::string_view key);

/// The processor's name in the text of /proc/cpuinfo; empty if there is no name (most Arm kernels).
[[nodiscard]] std::string cpu_name_from(std::string_view cpuinfo);

/// Feature words of the first processor in /proc/cpuinfo: the line "flags" on x86, "Features" on
/// Arm.
[[nodiscard]] std::set<std::string, std::less<>> cpu_features_from(std::string_view cpuinfo);

/// See cpu_has_bf16 and cpu_vector_set in host.h.
[[nodiscard]] bool has_bf16(const std::set<std::string, std::less<>>& features);
[[nodiscard]] std::string vector_set_of(const std::set<std::string, std::less<>>& features);

/// See cpu_instruction_sets in host.h.
[[nodiscard]] std::string instruction_sets_of(const std::set<std::string, std::less<>>& features);

/// The value of PRETTY_NAME in the text of /etc/os-release, without its quotes; empty if missing.
[[nodiscard]] std::string os_name_from(std::string_view os_release);

/// This process's path in the cgroup hierarchy of `controller` ("memory", "cpu"; empty for cgroup
/// version 2), from the text of /proc/self/cgroup. nullopt if there is no such hierarchy.
[[nodiscard]] std::optional<std::string> cgroup_path_from(std::string_view cgroup_file,
                                                          std::string_view controller);

} // namespace sdbench
