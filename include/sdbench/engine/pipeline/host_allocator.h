#pragma once

#include <string_view>

namespace sdbench {

/// What happens to memory that libtorch's operators free on a CPU.
enum class HostAllocator {
  /// The C library's behaviour: large blocks go back to the kernel, which clears new pages for the
  /// next operator. Its thresholds are fixed where they would settle by themselves, so that earlier
  /// cells make no difference.
  kSystem,
  /// Tensors' memory stays with the process until release_freed_memory(). Large tensors lie in
  /// arenas, weights apart from work.
  kCaching,
};

/// Sets the allocator of the whole process. Existing tensors stay where they are. Do not call it
/// while other threads make tensors.
void set_host_allocator(HostAllocator allocator);
[[nodiscard]] HostAllocator host_allocator(); ///< the one that was set last
/// Name of the allocator: "system", "caching".
[[nodiscard]] std::string_view host_allocator_used();

/// While an object of this class lives, new tensors count as weights: large ones lie in a separate
/// arena, if the allocator has one. Packing leaves holes there, because it frees the sources. If an
/// image's tensors filled the holes, its largest ones, which fit into no hole, would need memory on
/// top: 40 MiB for SD 1.5. Do not use it while other threads make tensors.
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
