#include "sdbench/base/device/cpu_cores.h"

#include <algorithm>
#include <set>

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/base/device/host.h"
#include "sdbench/base/files/json_io.h"

using namespace sdbench;

namespace {

using Cores = std::vector<int>;

} // namespace

TEST_CASE("the usable cores are as many as are counted, each once") {
  const Cores cores = usable_cores();
  CHECK(cores.size() == static_cast<std::size_t>(usable_core_count()));
  CHECK(std::set<int>(cores.begin(), cores.end()).size() == cores.size());
}

TEST_CASE("cores are listed as the kernel lists them") {
  CHECK(core_list(Cores{}).empty());
  CHECK(core_list(Cores{5}) == "5");
  CHECK(core_list(Cores{0, 1, 2, 3, 8}) == "0-3,8");
  CHECK(core_list(Cores{1, 3, 4, 1000}) == "1,3-4,1000");
}

TEST_CASE("hardware threads of one core stand side by side") {
  Cores cores = usable_cores();
  if (cores.size() < 2) {
    WARN("not tested: this machine has one core");
    return;
  }
  // As where threads 0 and n/2 are one core: the last thread is core 0's second.
  const test::ScratchFolder folder;
  const auto set_core = [&](int thread, int core) {
    const auto topology =
        folder.path() / "sys/devices/system/cpu" / ("cpu" + std::to_string(thread)) / "topology";
    std::filesystem::create_directories(topology);
    write_file_atomically(topology / "core_id", std::to_string(core) + "\n");
    write_file_atomically(topology / "physical_package_id", "0\n");
  };
  std::ranges::sort(cores);
  for (std::size_t i = 0; i < cores.size(); ++i) {
    set_core(cores[i], static_cast<int>(cores.size() - i)); // numbered the other way round
  }
  const Cores sorted = usable_cores(folder.path());
  CHECK(sorted == Cores(cores.rbegin(), cores.rend()));
}

TEST_CASE("shares are neighbours and differ by one core at most, the first ones having more") {
  const Cores cores = {4, 5, 6, 7, 8, 9, 10, 11};
  CHECK(cores_of_share(cores, {0, 2}) == Cores{4, 5, 6, 7});
  CHECK(cores_of_share(cores, {1, 2}) == Cores{8, 9, 10, 11});
  CHECK(cores_of_share(cores, {0, 3}) == Cores{4, 5, 6});
  CHECK(cores_of_share(cores, {1, 3}) == Cores{7, 8, 9});
  CHECK(cores_of_share(cores, {2, 3}) == Cores{10, 11});
  CHECK(cores_of_share(cores, {7, 8}) == Cores{11});
}

TEST_CASE("a quota is spent on one thread of each core before a second one of any") {
  using Place = std::pair<int, int>;
  const std::vector<Place> threads = {{0, 0}, {0, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 0}};
  using Places = std::vector<std::size_t>;
  CHECK(spread_over_cores(threads, 2) == Places{0, 2});
  CHECK(spread_over_cores(threads, 4) == Places{0, 1, 2, 4});
  CHECK(spread_over_cores(threads, 9) == Places{0, 1, 2, 3, 4, 5});
}
