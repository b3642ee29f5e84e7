#include "sdbench/engine/pipeline/memory_arena.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

namespace sdbench {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
/// Bytes requested from the kernel at once; untouched pages cost nothing.
constexpr std::size_t kExtent = 32 * kHugePage;
/// Gap after each block, so that tensors of a power of two do not all start in the same cache set.
constexpr std::size_t kGap = MemoryArena::kAlignment;
/// A part of the address space where programs and libraries are not loaded: there extents follow
/// one another and make one range. Only a hint; the kernel may put them elsewhere.
constexpr std::uintptr_t kFirstExtent = std::uintptr_t{1} << 45;
constexpr std::uintptr_t kPlaceToPlace = std::uintptr_t{1} << 42; // 4 TiB: no model takes more

std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

std::byte* map_memory(std::byte* hint, std::size_t bytes) {
  void* const got = ::mmap(hint, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (got == MAP_FAILED) {
    return nullptr;
  }
#if defined(MADV_HUGEPAGE)
  ::madvise(got, bytes, MADV_HUGEPAGE); // has an effect only where the system allows it
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
  Address block = nullptr;
  if (const auto best = free_by_size_.lower_bound({needed, nullptr}); best != free_by_size_.end()) {
    const auto [size, begin] = *best;
    remove_free(free_.find(begin));
    if (size > needed) {
      add_free(begin + needed, size - needed);
    }
    block = begin;
  } else if (top_bytes() >= needed || grow(needed)) {
    block = std::exchange(top_, top_ + needed);
  } else {
    return nullptr;
  }
  used_.emplace(block, needed);
  return block;
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
  const auto release = [&](Address begin, std::size_t bytes) {
    const Address first = rounded(begin, page - 1);
    const Address end = rounded(begin + bytes, 0);
    if (first < end) {
      ::madvise(first, static_cast<std::size_t>(end - first), MADV_DONTNEED);
    }
  };
  const std::lock_guard lock(mutex_);
  for (const auto& [begin, bytes] : free_) {
    release(begin, bytes);
  }
  release(top_, top_bytes());
}

std::size_t MemoryArena::mapped_bytes() const {
  const std::lock_guard lock(mutex_);
  std::size_t bytes = 0;
  for (const auto& extent : extents_) {
    bytes += extent.second;
  }
  return bytes;
}

/// Grows the top to at least `bytes`.
bool MemoryArena::grow(std::size_t bytes) {
  const std::uintptr_t first = kFirstExtent + place_ * kPlaceToPlace;
  const auto hint = end_ != nullptr ? end_ : reinterpret_cast<Address>(first); // NOLINT
  std::size_t size = round_up(bytes - top_bytes(), kExtent);
  Address begin = map_memory(hint, size);
  if (begin != nullptr && begin == end_) {
    end_ += size;
    extents_.emplace(begin, size);
    return true;
  }
  if (begin != nullptr && size < bytes) { // it lies elsewhere, and does not join the top
    ::munmap(begin, size);
    begin = nullptr;
  }
  if (begin == nullptr) {
    size = round_up(bytes, kHugePage);
    begin = map_memory(nullptr, size);
  }
  if (begin == nullptr) {
    return false;
  }
  extents_.emplace(begin, size);
  const Address old_top = std::exchange(top_, begin);
  const Address old_end = std::exchange(end_, begin + size);
  if (old_top != old_end) {
    add_free(old_top, static_cast<std::size_t>(old_end - old_top));
  }
  return true;
}

void MemoryArena::add_free(Address begin, std::size_t bytes) {
  const auto after = free_.lower_bound(begin);
  if (after != free_.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second == begin) {
      begin = before->first;
      bytes += before->second;
      remove_free(before);
    }
  }
  if (after != free_.end() && begin + bytes == after->first) {
    bytes += after->second;
    remove_free(after);
  }
  if (begin + bytes == top_) {
    top_ = begin;
    return;
  }
  free_.emplace(begin, bytes);
  free_by_size_.emplace(bytes, begin);
}

void MemoryArena::remove_free(std::map<Address, std::size_t>::iterator range) {
  free_by_size_.erase({range->second, range->first});
  free_.erase(range);
}

} // namespace sdbench
