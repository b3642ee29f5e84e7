#pragma once

#include <array>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>

namespace sdbench {

/// The variables of `names` that are set: "NAME=VALUE NAME=VALUE".
[[nodiscard]] std::string settings_of(std::span<const char* const> names);
[[nodiscard]] std::string settings_of(std::initializer_list<const char*> names);

/// Names, without folders, of the libraries that the loader has put before this program's own, and
/// puts before those of its workers: "libjemalloc.so.2 libiomp5.so". Omits libraries that were
/// requested but not loaded. `root` is "/" except in tests.
[[nodiscard]] std::string preloaded_libraries(const std::filesystem::path& root = "/");

/// The settings of OpenMP's threads: their cores, how they wait for each other, and their number.
inline constexpr std::array kOpenMpVariables = {
    "OMP_PROC_BIND",         "OMP_PLACES",      "GOMP_CPU_AFFINITY",
    "KMP_AFFINITY",          "OMP_WAIT_POLICY", "GOMP_SPINCOUNT",
    "KMP_BLOCKTIME",         "OMP_DYNAMIC",     "OMP_THREAD_LIMIT",
    "OMP_MAX_ACTIVE_LEVELS", "OMP_NUM_THREADS"};
inline constexpr std::span kOpenMpBinding = std::span(kOpenMpVariables).first<4>();
inline constexpr std::span kOpenMpWaiting = std::span(kOpenMpVariables).subspan<4, 3>();

} // namespace sdbench
