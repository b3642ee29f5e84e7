#include "sdbench/device/host_allocator.h"

#include <cstdlib>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace sdbench {
namespace {

HostAllocator g_allocator = HostAllocator::kSystem; // mallopt can set, and not be asked

} // namespace

void set_host_allocator([[maybe_unused]] HostAllocator allocator) {
#if defined(__GLIBC__)
  constexpr int kMebibyte = 1 << 20;
  constexpr int kNever = -1; // trims
  constexpr int kMostMaps = 65536;
  const bool caching = allocator == HostAllocator::kCaching;
  // Blocks with a mapping of their own are unmapped when they are freed: there may be none.
  ::mallopt(M_MMAP_MAX, caching ? 0 : kMostMaps);
  ::mallopt(M_MMAP_THRESHOLD, 32 * kMebibyte);
  ::mallopt(M_TRIM_THRESHOLD, caching ? kNever : 64 * kMebibyte);
  g_allocator = allocator;
#endif
}

std::string_view host_allocator_used() {
  return g_allocator == HostAllocator::kCaching ? "caching" : "system";
}

void release_freed_memory() {
#if defined(__GLIBC__)
  ::malloc_trim(0);
#endif
}

} // namespace sdbench
