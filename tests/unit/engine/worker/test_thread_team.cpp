#include "sdbench/engine/worker/thread_team.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <ATen/Parallel.h>
#include <omp.h>

#include "catch.h"
#include "sdbench/base/device/environment_settings.h"
#include "sdbench/base/device/host.h"

namespace sdbench {
namespace {

/// All tests of this program compute with a team that is settled, as a worker does: they hold under
/// OMP_DYNAMIC=true and OMP_THREAD_LIMIT=1, too.
const ThreadTeam kTeam = gather_threads(at::get_num_threads());

/// What OpenMP was told before, at the end of a test told again.
class OpenMpAsBefore {
public:
  OpenMpAsBefore() = default;
  OpenMpAsBefore(const OpenMpAsBefore&) = delete;
  OpenMpAsBefore& operator=(const OpenMpAsBefore&) = delete;
  ~OpenMpAsBefore() {
    omp_set_dynamic(dynamic_);
    omp_set_max_active_levels(levels_);
    at::set_num_threads(threads_);
  }

private:
  int dynamic_ = omp_get_dynamic();
  int levels_ = omp_get_max_active_levels();
  int threads_ = at::get_num_threads();
};

} // namespace

TEST_CASE("a team that OpenMP does not make smaller is the one that was asked for") {
  const OpenMpAsBefore before;
  const int most = std::min(3, omp_get_thread_limit());
  const ThreadTeam team = gather_threads(most);
  CHECK(team.threads == most);
  CHECK(team.note.empty());
  CHECK(at::get_num_threads() == most);
}

TEST_CASE("libtorch counts the threads that OpenMP really gives") {
  const OpenMpAsBefore before;
  omp_set_max_active_levels(0);
  const ThreadTeam team = gather_threads(3);
  CHECK(team.threads == 1);
  CHECK(team.note.find("OpenMP gives 1 of 3 threads") == 0);
  CHECK(at::get_num_threads() == 1);
}

TEST_CASE("a team does not shrink from operator to operator") {
  const OpenMpAsBefore before;
  omp_set_dynamic(1);
  const int most = std::min(3, omp_get_thread_limit());
  const ThreadTeam team = gather_threads(most);
  CHECK(omp_get_dynamic() == 0);
  CHECK(team.threads == most);
  CHECK(team.note.find("OMP_DYNAMIC has no effect") == 0);
}

namespace {

/// How many cores each thread of a team may run on.
std::vector<std::size_t> cores_of_threads(int threads) {
  std::vector<std::size_t> counts(static_cast<std::size_t>(threads));
#pragma omp parallel num_threads(threads)
  counts[static_cast<std::size_t>(omp_get_thread_num())] = affinity_cores().size();
  return counts;
}

} // namespace

TEST_CASE("with a thread for each core each has its own, and all are free again afterwards") {
  const OpenMpAsBefore before;
  const std::size_t all = affinity_cores().size();
  const auto count = static_cast<int>(all);
  const bool one_each = gather_threads(count).threads == count && usable_core_count() == count &&
                        settings_of(kOpenMpBinding).empty();
  place_threads(count, true);
  CHECK(cores_of_threads(count) == std::vector<std::size_t>(all, one_each ? 1 : all));
  SECTION("for fewer threads") {
    place_threads(count + 1, true); // or more
  }
  SECTION("for a model on a GPU") {
    place_threads(count, false);
  }
  CHECK(cores_of_threads(count) == std::vector<std::size_t>(all, all));
  CHECK(affinity_cores().size() == all);
}

} // namespace sdbench
