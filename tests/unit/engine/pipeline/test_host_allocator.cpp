#include "sdbench/engine/pipeline/host_allocator.h"

#include <cstdint>
#include <fstream>

#include <ATen/ATen.h>
#include <c10/core/CPUAllocator.h>
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

TEST_CASE("tensors outlive a change of the allocator, and its callers free what others took") {
  set_host_allocator(HostAllocator::kSystem);
  at::Tensor before = at::full({kBytes}, 3, at::kByte);
  void* const raw_before = c10::GetCPUAllocator()->raw_allocate(kBytes);
  set_host_allocator(HostAllocator::kCaching);
  at::Tensor between = at::full({kBytes}, 4, at::kByte);
  void* const raw_between = c10::GetCPUAllocator()->raw_allocate(kBytes);
  c10::GetCPUAllocator()->raw_deallocate(raw_before);
  set_host_allocator(HostAllocator::kSystem);
  c10::GetCPUAllocator()->raw_deallocate(raw_between);
  CHECK((before == 3).all().item<bool>());
  CHECK((between == 4).all().item<bool>());
  const std::int64_t held = resident_bytes();
  before.reset();
  between.reset();
  release_freed_memory();
  CHECK(resident_bytes() < held - kBytes * 3 / 2);
}

TEST_CASE("work does not fill the holes that packing left among weights, and weights do") {
  set_host_allocator(HostAllocator::kCaching);
  const auto large = [] { return at::empty({16 << 20}, at::kByte); };
  at::Tensor source;
  at::Tensor packed;
  {
    const WeightMemory memory;
    source = large();
    { const WeightMemory within; }
    packed = large(); // a weight still
  }
  const void* const hole = source.data_ptr();
  source.reset();
  CHECK(large().data_ptr() != hole);
  const WeightMemory memory;
  CHECK(large().data_ptr() == hole);
}

TEST_CASE("what no machine has is libtorch's own error with either allocator") {
  for (const HostAllocator allocator : {HostAllocator::kCaching, HostAllocator::kSystem}) {
    set_host_allocator(allocator);
    CHECK_THROWS_WITH(at::empty({std::int64_t{1} << 55}, at::kByte),
                      Catch::Matchers::ContainsSubstring("DefaultCPUAllocator"));
  }
}
