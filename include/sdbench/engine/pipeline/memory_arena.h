#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <unordered_map>
#include <utility>

namespace sdbench {

/// Large blocks of memory that are reused without the kernel. If the same blocks are taken and
/// freed again in the same order, they get the same places, so a loop needs no more memory in its
/// second turn than in its first. Any thread may use it.
///
/// A block gets the smallest free range between others that is large enough, the lowest of several,
/// and only then a part of the free top. So the size of the top changes no block's place. A freed
/// block joins its free neighbours. Leave small blocks to the C library: among large ones they
/// would cut ranges into pieces.
class MemoryArena {
public:
  static constexpr std::size_t kAlignment = 64; ///< bytes

  /// Arenas with different `place` (0, 1, …) grow without meeting each other.
  explicit MemoryArena(unsigned place = 0) : place_(place) {}
  MemoryArena(const MemoryArena&) = delete;
  MemoryArena& operator=(const MemoryArena&) = delete;
  /// Blocks that are still in use become invalid.
  ~MemoryArena();

  /// Returns a block of at least `bytes`, uninitialised; null if the kernel gives no more memory.
  [[nodiscard]] void* take(std::size_t bytes);
  /// Frees a block. Returns false and does nothing if `block` is not from take() or no longer in
  /// use.
  bool give_back(void* block);
  /// Free ranges stay, but their memory goes back to the kernel until they are used again.
  void release_free_memory();

  [[nodiscard]] std::size_t mapped_bytes() const; ///< of the address space

private:
  using Address = std::byte*;

  [[nodiscard]] std::size_t top_bytes() const { return static_cast<std::size_t>(end_ - top_); }
  bool grow(std::size_t bytes);
  void add_free(Address begin, std::size_t bytes);
  void remove_free(std::map<Address, std::size_t>::iterator range);

  unsigned place_;
  mutable std::mutex mutex_;
  std::map<Address, std::size_t> free_; ///< ranges that touch neither each other nor the top
  std::set<std::pair<std::size_t, Address>> free_by_size_; ///< the same ranges
  std::unordered_map<void*, std::size_t> used_;            ///< bytes of each block
  std::map<Address, std::size_t> extents_;                 ///< memory that the kernel gave
  Address top_ = nullptr; ///< free from here to the end of the latest extent
  Address end_ = nullptr;
};

} // namespace sdbench
