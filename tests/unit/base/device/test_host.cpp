#include "catch.h"

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sdbench/base/device/host.h"

using namespace sdbench;

namespace {

/// Runs `check` in a child, which may change limits of its own process, and tells whether it held.
template <typename Check>
bool holds_in_child(Check&& check) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::_exit(check() ? 0 : 1);
  }
  int status = 0;
  return child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

} // namespace

TEST_CASE("the highest resident size can be forgotten") {
  // Touched, given back, forgotten; 64 MiB are far more than anything beside them.
  constexpr std::int64_t kBytes = std::int64_t{64} << 20;
  // By mmap, because an allocator may keep what it is given back.
  void* const memory =
      ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  std::memset(memory, 1, kBytes);
  REQUIRE(::munmap(memory, kBytes) == 0);
  const std::int64_t before = peak_resident_bytes();
  REQUIRE(reset_peak_resident());
  CHECK(peak_resident_bytes() < before - kBytes / 2);
}

TEST_CASE("this host's facts are there and agree with each other") {
  CHECK_FALSE(cpu_name().empty());
  CHECK_FALSE(host_name().empty());
  CHECK(host_memory_total_bytes() > 0);
  CHECK(host_memory_available_bytes() > 0);
  CHECK(host_memory_available_bytes() <= host_memory_total_bytes());
  CHECK(usable_core_count() >= 1);
  CHECK(usable_core_count() <= static_cast<int>(std::thread::hardware_concurrency()));
  CHECK(cpu_has_bf16() == (cpu_vector_set().find("bf16") != std::string::npos));
}

TEST_CASE("a /proc/meminfo without figures leaves what the kernel says otherwise") {
  constexpr std::int64_t kPhysical = 8LL << 30;
  const HostMemory known =
      host_memory_from("MemTotal: 4096 kB\nMemAvailable: 1024 kB\n", kPhysical);
  CHECK(known.total_bytes == 4096 * 1024);
  CHECK(known.available_bytes == 1024 * 1024);
  CHECK(host_memory_from("MemTotal: 4096 kB\n", kPhysical).available_bytes == 4096 * 1024);
  for (const char* const text : {"", "MemTotal:\nMemAvailable:\n", "MemTotal: 0 kB\n",
                                 "MemTotal: 0 kB\nMemAvailable: 0 kB\n"}) {
    CAPTURE(text);
    CHECK(host_memory_from(text, kPhysical).total_bytes == kPhysical);
    CHECK(host_memory_from(text, kPhysical).available_bytes == kPhysical);
  }
}

TEST_CASE("the peak of resident memory follows what was touched") {
  constexpr std::size_t kBytes = 64u << 20;
  const std::int64_t before = peak_resident_bytes();
  const std::vector<char> touched(kBytes, 1);
  CHECK(touched.back() == 1);
  CHECK(peak_resident_bytes() >= std::max<std::int64_t>(before, kBytes));
}

// A sanitizer itself takes terabytes of address space.
TEST_CASE("a limit on the address space counts as memory that is not there", "[not_sanitized]") {
  constexpr rlim_t kLimit = 1u << 30;
  CHECK(holds_in_child([] {
    const rlimit limit{kLimit, kLimit};
    return ::setrlimit(RLIMIT_AS, &limit) == 0 &&
           host_memory_available_bytes() < static_cast<std::int64_t>(kLimit);
  }));
}

TEST_CASE("an affinity mask counts as fewer cores") {
  CHECK(holds_in_child([] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<unsigned>(::sched_getcpu()), &one);
    return ::sched_setaffinity(0, sizeof one, &one) == 0 && usable_core_count() == 1;
  }));
}

TEST_CASE("a capability above the processor's is known by what it lacks") {
  const std::set<std::string, std::less<>> haswell = {"sse2", "avx", "avx2", "fma", "f16c"};
  CHECK(missing_for_capability("avx2", haswell).empty());
  CHECK(missing_for_capability("default", haswell).empty());
  CHECK(missing_for_capability("", haswell).empty());
  CHECK(missing_for_capability("avx512", haswell) == "avx512f avx512bw avx512vl avx512dq");
  CHECK(missing_for_capability("avx2", {"sse2", "avx"}) == "avx2 fma f16c");
  CHECK(missing_for_capability("avx512", {"asimd"}) ==
        "avx512f avx512bw avx512vl avx512dq fma avx2");
}

TEST_CASE("a processor that tells nothing is not doubted") {
  CHECK(missing_for_capability("avx512", {}).empty());
}
