#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <unordered_map>
#include <utility>

namespace sdbench {

/// Allocates large blocks of memory, and reuses freed blocks without a system call. If each
/// iteration of a loop takes and frees blocks of the same sizes in the same order, the blocks
/// get the same addresses each time. So the second iteration needs no more memory than the first.
/// Any thread may use an arena.
///
/// A new block is placed in the smallest sufficient free range between blocks; among ranges of
/// equal size, in the one with the lowest address. If no range is large enough, the block
/// gets a part of the top: the unused end of the arena. So the size of the top has no influence on
/// addresses. A freed block is merged with its free neighbours. Do not allocate small blocks here:
/// they would fragment the free ranges between large blocks.
class MemoryArena {
public:
  static constexpr std::size_t kAlignment = 64; ///< bytes

  /// Arenas with different `place` (0, 1, …) use addresses far apart, so that none grows into
  /// another.
  explicit MemoryArena(unsigned place = 0) : place_(place) {}
  MemoryArena(const MemoryArena&) = delete;
  MemoryArena& operator=(const MemoryArena&) = delete;
  /// Blocks that are still in use become invalid.
  ~MemoryArena();

  /// Returns a block of at least `bytes`, uninitialised; null if the system gives no more memory.
  [[nodiscard]] void* take(std::size_t bytes);
  /// Frees a block. Returns false and does nothing if `block` is not from take() or was already
  /// freed.
  bool give_back(void* block);
  /// Returns the memory of free ranges to the operating system. The ranges keep their addresses,
  /// and get memory again when they are used.
  void release_free_memory();

  [[nodiscard]] std::size_t mapped_bytes() const; ///< address space that the arena holds

private:
  using Address = std::byte*;

  [[nodiscard]] std::size_t top_bytes() const { return static_cast<std::size_t>(end_ - top_); }
  bool grow(std::size_t bytes);
  void add_free(Address begin, std::size_t bytes);
  void remove_free(std::map<Address, std::size_t>::iterator range);

  unsigned place_;
  mutable std::mutex mutex_;
  std::map<Address, std::size_t> free_; ///< free ranges, not adjacent to each other or the top
  std::set<std::pair<std::size_t, Address>> free_by_size_; ///< the ranges of free_ by size
  std::unordered_map<void*, std::size_t> used_;            ///< bytes of each block
  std::map<Address, std::size_t> extents_; ///< blocks from the operating system: address and size
  Address top_ = nullptr;                  ///< free from here to the end of the latest extent
  Address end_ = nullptr;
};

} // namespace sdbench
