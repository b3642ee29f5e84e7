#include "sdbench/engine/pipeline/host_allocator.h"

#include <atomic>
#include <cstddef>

#include <c10/core/CPUAllocator.h>

#include "sdbench/engine/pipeline/memory_arena.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace sdbench {
namespace {

/// Below this the C library's heap does well: it does not map such blocks one by one.
constexpr std::size_t kLeastBlock = std::size_t{1} << 20;

/// Puts large tensors into arenas, if switched on. Everything else stays with libtorch's allocator.
class ArenaAllocator final : public c10::Allocator {
public:
  static ArenaAllocator& get() {
    static auto* const allocator = new ArenaAllocator; // never destroyed: tensors may be freed last
    return *allocator;
  }

  void install() { c10::SetCPUAllocator(this); }
  void use_arena(bool use) { uses_arena_ = use; }
  [[nodiscard]] bool uses_arena() const { return uses_arena_; }
  /// Returns the earlier setting.
  bool make_weights(bool weights) { return makes_weights_.exchange(weights); }
  void release_free_memory() {
    work_.release_free_memory();
    weights_.release_free_memory();
  }

  c10::DataPtr allocate(std::size_t bytes) override {
    if (uses_arena_ && bytes >= kLeastBlock) {
      if (void* const block = (makes_weights_ ? weights_ : work_).take(bytes)) {
        return {block, block, &free_block, c10::Device(c10::kCPU)};
      }
    }
    return fallback_->allocate(bytes); // throws the error that libtorch's users know
  }

  /// Frees blocks of either kind, also those allocated before install(). The fallback's blocks keep
  /// their own deleter: most are small, and need no look-up in the arena.
  [[nodiscard]] c10::DeleterFnPtr raw_deleter() const override { return &free_block; }
  [[nodiscard]] bool is_simple_data_ptr(const c10::DataPtr& data) const override {
    return data.get() == data.get_context();
  }

  void copy_data(void* to, const void* from, std::size_t count) const override {
    default_copy_data(to, from, count);
  }

private:
  static void free_block(void* block) {
    ArenaAllocator& self = get();
    if (!self.work_.give_back(block) && !self.weights_.give_back(block)) {
      self.fallback_->raw_deallocate(block);
    }
  }

  c10::Allocator* fallback_ = c10::GetDefaultCPUAllocator();
  MemoryArena work_{0};
  MemoryArena weights_{1};
  std::atomic<bool> uses_arena_ = false;
  std::atomic<bool> makes_weights_ = false;
};

} // namespace

void set_host_allocator(HostAllocator allocator) {
  const bool caching = allocator == HostAllocator::kCaching;
  ArenaAllocator::get().use_arena(caching);
  ArenaAllocator::get().install();
#if defined(__GLIBC__)
  constexpr int kMebibyte = 1 << 20;
  constexpr int kNever = -1; // trims
  ::mallopt(M_MMAP_THRESHOLD, 32 * kMebibyte);
  ::mallopt(M_TRIM_THRESHOLD, caching ? kNever : 64 * kMebibyte);
#endif
}

HostAllocator host_allocator() {
  return ArenaAllocator::get().uses_arena() ? HostAllocator::kCaching : HostAllocator::kSystem;
}

std::string_view host_allocator_used() {
  return host_allocator() == HostAllocator::kCaching ? "caching" : "system";
}

WeightMemory::WeightMemory() : before_(ArenaAllocator::get().make_weights(true)) {}

WeightMemory::~WeightMemory() {
  ArenaAllocator::get().make_weights(before_);
}

void release_freed_memory() {
  ArenaAllocator::get().release_free_memory();
#if defined(__GLIBC__)
  ::malloc_trim(0);
#endif
}

} // namespace sdbench
