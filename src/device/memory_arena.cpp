#include "sdbench/device/memory_arena.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include <sys/mman.h>
#include <unistd.h>

namespace sdbench {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
/// Of what is asked of the kernel at once; pages that nobody touches cost nothing.
constexpr std::size_t kExtent = 32 * kHugePage;
/// After each block, so that tensors of a power of two do not all begin in the same cache set.
constexpr std::size_t kGap = MemoryArena::kAlignment;
/// A part of the address space that programs and libraries are not loaded into: extents one after
/// the other, which make one range. Only a hint; the kernel may put them elsewhere.
constexpr std::uintptr_t kFirstExtent = std::uintptr_t{1} << 45;

std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

std::byte* map_memory(std::byte* hint, std::size_t bytes) {
  void* const got = ::mmap(hint, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (got == MAP_FAILED) {
    return nullptr;
  }
#if defined(MADV_HUGEPAGE)
  ::madvise(got, bytes, MADV_HUGEPAGE); // where the system has them for those who ask; else nothing
#endif
  return static_cast<std::byte*>(got);
}

} // namespace

MemoryArena::~MemoryArena() {
  for (const auto& [begin, bytes] : extents_) {
    ::munmap(begin, bytes);
  }
}

void* MemoryArena::take(std::size_t bytes) {
  if (bytes > std::numeric_limits<std::size_t>::max() / 2) {
    return nullptr;
  }
  const std::size_t needed = round_up(std::max<std::size_t>(bytes, 1), kAlignment) + kGap;
  const std::lock_guard lock(mutex_);
  auto best = free_by_size_.lower_bound({needed, nullptr});
  if (best == free_by_size_.end()) {
    if (!grow(needed)) {
      return nullptr;
    }
    best = free_by_size_.lower_bound({needed, nullptr});
  }
  const auto [size, begin] = *best;
  remove_free(free_.find(begin));
  if (size > needed) {
    add_free(begin + needed, size - needed);
  }
  used_.emplace(begin, needed);
  return begin;
}

bool MemoryArena::give_back(void* block) {
  const std::lock_guard lock(mutex_);
  const auto found = used_.find(block);
  if (found == used_.end()) {
    return false;
  }
  const std::size_t bytes = found->second;
  used_.erase(found);
  add_free(static_cast<Address>(block), bytes);
  return true;
}

void MemoryArena::release_free_memory() {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto rounded = [page](Address address, std::uintptr_t add) {
    const auto number = reinterpret_cast<std::uintptr_t>(address);  // NOLINT
    return reinterpret_cast<Address>((number + add) / page * page); // NOLINT
  };
  const std::lock_guard lock(mutex_);
  for (const auto& [begin, bytes] : free_) {
    const Address first = rounded(begin, page - 1);
    const Address end = rounded(begin + bytes, 0);
    if (first < end) {
      ::madvise(first, static_cast<std::size_t>(end - first), MADV_DONTNEED);
    }
  }
}

std::size_t MemoryArena::mapped_bytes() const {
  const std::lock_guard lock(mutex_);
  std::size_t bytes = 0;
  for (const auto& extent : extents_) {
    bytes += extent.second;
  }
  return bytes;
}

/// So that a range of `bytes` is free. What is free at the end of the last extent counts.
bool MemoryArena::grow(std::size_t bytes) {
  std::size_t at_the_end = 0;
  if (!free_.empty()) {
    const auto& [begin, size] = *free_.rbegin();
    at_the_end = begin + size == next_extent_ ? size : 0;
  }
  const auto hint =
      next_extent_ != nullptr ? next_extent_ : reinterpret_cast<Address>(kFirstExtent); // NOLINT
  std::size_t size = round_up(bytes - at_the_end, kExtent);
  Address begin = map_memory(hint, size);
  if (begin == nullptr || (at_the_end > 0 && begin != hint)) { // it does not join the last one
    if (begin != nullptr) {
      ::munmap(begin, size);
    }
    size = round_up(bytes, kHugePage);
    begin = map_memory(nullptr, size);
  }
  if (begin == nullptr) {
    return false;
  }
  extents_.emplace(begin, size);
  next_extent_ = begin + size;
  add_free(begin, size);
  return true;
}

void MemoryArena::add_free(Address begin, std::size_t bytes) {
  const auto after = free_.lower_bound(begin);
  if (after != free_.end() && begin + bytes == after->first) {
    bytes += after->second;
    remove_free(after);
  }
  const auto next = free_.lower_bound(begin);
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == begin) {
      begin = before->first;
      bytes += before->second;
      remove_free(before);
    }
  }
  free_.emplace(begin, bytes);
  free_by_size_.emplace(bytes, begin);
}

void MemoryArena::remove_free(std::map<Address, std::size_t>::iterator range) {
  free_by_size_.erase({range->second, range->first});
  free_.erase(range);
}

} // namespace sdbench
