#include "sdbench/device/host_allocator.h"

#include <cstdint>
#include <fstream>

#include <ATen/ATen.h>
#include <unistd.h>

#include "catch.h"

using namespace sdbench;

namespace {

std::int64_t resident_bytes() {
  std::int64_t total = 0;
  std::int64_t resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

constexpr std::int64_t kBytes = std::int64_t{256} << 20;

/// What stays with the process of a large block that was written and freed.
double share_that_stays(HostAllocator allocator) {
  set_host_allocator(allocator);
  release_freed_memory();
  const std::int64_t before = resident_bytes();
  at::empty({kBytes}, at::kByte).fill_(1);
  return static_cast<double>(resident_bytes() - before) / static_cast<double>(kBytes);
}

} // namespace

TEST_CASE("memory that is freed stays with the process if it is asked to, and can be given back") {
  CHECK(share_that_stays(HostAllocator::kSystem) < 0.1);
  CHECK(host_allocator_used() == "system");
  CHECK(share_that_stays(HostAllocator::kCaching) > 0.9);
  CHECK(host_allocator_used() == "caching");
  const std::int64_t kept = resident_bytes();
  release_freed_memory();
  CHECK(resident_bytes() < kept - kBytes * 9 / 10);
  CHECK(share_that_stays(HostAllocator::kSystem) < 0.1); // as before
}
