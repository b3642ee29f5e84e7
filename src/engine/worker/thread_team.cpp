#include "sdbench/engine/worker/thread_team.h"

#include <cstdlib>
#include <vector>

#include <ATen/Parallel.h>
#include <omp.h>

#include "sdbench/base/device/cpu_cores.h"
#include "sdbench/base/device/environment_settings.h"

namespace sdbench {
namespace {

int threads_that_come() {
  int team = 1;
#pragma omp parallel
  {
#pragma omp single
    team = omp_get_num_threads();
  }
  return team;
}

/// Text like ": OMP_THREAD_LIMIT=1, which you may unset", with the limits that are set.
std::string limits_text() {
  std::string text;
  for (const char* const name : {"OMP_THREAD_LIMIT", "OMP_MAX_ACTIVE_LEVELS"}) {
    if (const char* const value = std::getenv(name); value != nullptr) {
      text += (text.empty() ? "; unset " : " and ") + std::string(name) + "=" + value;
    }
  }
  return text;
}

} // namespace

ThreadTeam gather_threads(std::int64_t asked) {
  ThreadTeam team;
  if (omp_get_dynamic() != 0) {
    omp_set_dynamic(0);
    team.note = "OMP_DYNAMIC has no effect, because operators compute wrong numbers if the number "
                "of threads changes; --threads sets this number";
  }
  at::set_num_threads(static_cast<int>(asked));
  team.threads = threads_that_come();
  if (team.threads < asked) {
    at::set_num_threads(static_cast<int>(team.threads));
    team.note = "OpenMP gives " + std::to_string(team.threads) + " of " + std::to_string(asked) +
                " threads" + limits_text();
  }
  return team;
}

void place_threads(std::int64_t threads, bool on_cpu) {
  // The cores at the start, because a bound thread sees only its own.
  const std::vector<int>& all = cores_at_start();
  static const std::vector<int> usable = usable_cores();
  const auto count = static_cast<std::int64_t>(all.size());
  const bool one_each = on_cpu && threads == count && usable.size() == all.size() &&
                        settings_of(kOpenMpBinding).empty();
  static bool is_bound = false;
  if (one_each) {
#pragma omp parallel num_threads(static_cast <int>(threads))
    run_on({&usable[static_cast<std::size_t>(omp_get_thread_num())], 1});
  } else if (is_bound) {
    run_on(all); // threads that start now inherit this thread's cores
#pragma omp parallel num_threads(static_cast <int>(count))
    run_on(all);
  }
  is_bound = one_each;
}

} // namespace sdbench
