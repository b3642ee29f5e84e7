#pragma once

#include <string_view>

namespace sdbench {

/// How memory that libtorch's operators free on a CPU is handled.
enum class HostAllocator {
  /// As the C library does by itself: large blocks go back to the kernel, which clears their
  /// pages anew for the next operator. Its thresholds stand where they come to rest by themselves,
  /// so that cells before this one make no difference.
  kSystem,
  /// Tensors' stays with the process until release_freed_memory(); large ones lie in arenas,
  /// weights apart from work.
  kCaching,
};

/// Of the whole process, from now on; tensors that are there stay where they are. Not while other
/// threads make tensors.
void set_host_allocator(HostAllocator allocator);
[[nodiscard]] HostAllocator host_allocator(); ///< the one that was set last
/// "system", "caching": its name.
[[nodiscard]] std::string_view host_allocator_used();

/// While one lives, tensors that are made are weights: large ones lie in an arena of their own, if
/// the allocator has one. Packing leaves holes there, as sources are freed beside what was packed
/// from them; were an image's tensors to fill those, its largest ones, which fit into none, would
/// come on top: 40 MiB for SD 1.5. Not while threads of other work make tensors.
class WeightMemory {
public:
  WeightMemory();
  ~WeightMemory();
  WeightMemory(const WeightMemory&) = delete;
  WeightMemory& operator=(const WeightMemory&) = delete;

private:
  bool before_;
};

/// Returns kept free memory to the kernel. Takes milliseconds, so it is never called within a timed
/// stage.
void release_freed_memory();

} // namespace sdbench
