#pragma once

#include <array>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>

namespace sdbench {

/// The environment variables in `names` that are set and not empty: "NAME=VALUE NAME=VALUE".
[[nodiscard]] std::string settings_of(std::span<const char* const> names);
[[nodiscard]] std::string settings_of(std::initializer_list<const char*> names);

/// File names, without folders, of the libraries that LD_PRELOAD and /etc/ld.so.preload preload
/// into this program and its workers: "libjemalloc.so.2 libiomp5.so". Leaves out listed libraries
/// that were not loaded. `root`: "/" except in tests.
[[nodiscard]] std::string preloaded_libraries(const std::filesystem::path& root = "/");

/// Environment variables that control OpenMP's threads: the first four bind them to cores, the next
/// three control how they wait, and the rest limit their number.
inline constexpr std::array kOpenMpVariables = {
    "OMP_PROC_BIND",         "OMP_PLACES",      "GOMP_CPU_AFFINITY",
    "KMP_AFFINITY",          "OMP_WAIT_POLICY", "GOMP_SPINCOUNT",
    "KMP_BLOCKTIME",         "OMP_DYNAMIC",     "OMP_THREAD_LIMIT",
    "OMP_MAX_ACTIVE_LEVELS", "OMP_NUM_THREADS"};
/// Those of kOpenMpVariables that bind threads to cores.
inline constexpr std::span kOpenMpBinding = std::span(kOpenMpVariables).first<4>();
/// Those of kOpenMpVariables that control how threads wait for each other.
inline constexpr std::span kOpenMpWaiting = std::span(kOpenMpVariables).subspan<4, 3>();

} // namespace sdbench
