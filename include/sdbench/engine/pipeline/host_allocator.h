#pragma once

#include <string_view>

namespace sdbench {

/// What happens to the memory of freed tensors on a CPU.
enum class HostAllocator {
  /// The C library's malloc decides: large blocks go back to the operating system, which must clear
  /// new pages for the next operator. malloc's adaptive thresholds are fixed at the values that
  /// they would reach by themselves, so that no measurement influences a later one.
  kSystem,
  /// The process keeps freed memory until release_freed_memory(). Large tensors are allocated in
  /// two arenas, one for weights and one for all other tensors.
  kCaching,
};

/// Sets the allocator of the whole process. Existing tensors stay where they are. Do not call it
/// while other threads make tensors.
void set_host_allocator(HostAllocator allocator);
[[nodiscard]] HostAllocator host_allocator(); ///< the allocator that was set last
/// Name of host_allocator(): "system" or "caching".
[[nodiscard]] std::string_view host_allocator_used();

/// While an object of this class lives, new tensors count as weights: with kCaching, large ones are
/// allocated in the weights' arena. Packing leaves holes in that arena, because it frees the
/// unpacked weights. In a shared arena, tensors of an image would fill the holes. The largest
/// tensors, which fit into no hole, would then need additional memory: 40 MiB for SD 1.5. Do not
/// use it while other threads make tensors.
class WeightMemory {
public:
  WeightMemory();
  ~WeightMemory();
  WeightMemory(const WeightMemory&) = delete;
  WeightMemory& operator=(const WeightMemory&) = delete;

private:
  bool before_;
};

/// Returns to the operating system the freed memory that the process keeps. Takes milliseconds, so
/// it is never called within a timed stage.
void release_freed_memory();

} // namespace sdbench
