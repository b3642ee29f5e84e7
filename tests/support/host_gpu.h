#pragma once

// src/engine/kernels/gpu_kernels.cu as C++: a block's threads are fibers that take turns at its
// barriers, so that its arithmetic and its use of shared memory can be tested without a GPU.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <ucontext.h>

#include <c10/util/Half.h>

#include "sdbench/engine/kernels/kernel_launcher.h"

namespace sdbench::host_gpu {

struct Place {
  unsigned x = 0;
  unsigned y = 0;
};

/// One kernel's run. The order of a block's threads between two barriers is a choice: both must
/// give the same bits.
class Run {
public:
  Run(const KernelGrid& grid, bool backwards, std::function<void()> kernel)
      : grid_(grid), backwards_(backwards), kernel_(std::move(kernel)), threads_(grid.threads) {
    for (Thread& thread : threads_) {
      thread.stack.resize(kStackBytes);
    }
  }
  ~Run() { current = nullptr; } // also after it threw
  /// Throws std::logic_error where threads wait for others that never come.
  void start() {
    current = this;
    for (block_.y = 0; block_.y < grid_.y; ++block_.y) {
      for (block_.x = 0; block_.x < grid_.x; ++block_.x) {
        run_block();
      }
    }
  }

  [[nodiscard]] Place thread() const { return {active_, 0}; }
  [[nodiscard]] Place block() const { return block_; }
  [[nodiscard]] Place threads_of_block() const { return {grid_.threads, 1}; }
  [[nodiscard]] Place blocks() const { return {grid_.x, grid_.y}; }
  void wait_for_block() { wait(State::kAtBlock); }
  float other_lanes(float value, unsigned distance) {
    threads_[active_].lane = value;
    wait(State::kAtWarp);
    const float result = threads_.at(active_ ^ distance).lane;
    wait(State::kAtWarp); // before anybody writes the next one
    return result;
  }

  static inline Run* current = nullptr;

private:
  static constexpr std::size_t kStackBytes = 32768;
  static constexpr std::size_t kWarp = 32;
  enum class State { kReady, kAtBlock, kAtWarp, kDone };
  struct Thread {
    ucontext_t context;
    std::vector<char> stack;
    State state = State::kReady;
    float lane = 0;
  };

  static void enter() {
    Run* const run = current;
    run->kernel_();
    run->threads_[run->active_].state = State::kDone;
  }
  void wait(State state) {
    const unsigned self = active_;
    threads_[self].state = state;
    swapcontext(&threads_[self].context, &scheduler_);
  }
  void run_block() {
    for (Thread& thread : threads_) {
      getcontext(&thread.context);
      thread.context.uc_stack.ss_sp = thread.stack.data();
      thread.context.uc_stack.ss_size = thread.stack.size();
      thread.context.uc_link = &scheduler_;
      makecontext(&thread.context, &Run::enter, 0);
      thread.state = State::kReady;
    }
    while (run_ready()) {
      if (!release(0, threads_.size(), State::kAtBlock)) {
        for (std::size_t warp = 0; warp < threads_.size(); warp += kWarp) {
          release(warp, std::min(warp + kWarp, threads_.size()), State::kAtWarp);
        }
      }
    }
    for (const Thread& thread : threads_) {
      if (thread.state != State::kDone) {
        throw std::logic_error("a thread waits at a barrier that others do not come to");
      }
    }
  }
  /// Runs each thread that is ready to its next barrier; false if none was.
  bool run_ready() {
    bool ran = false;
    for (std::size_t turn = 0; turn < threads_.size(); ++turn) {
      active_ = static_cast<unsigned>(backwards_ ? threads_.size() - 1 - turn : turn);
      if (threads_[active_].state == State::kReady) {
        swapcontext(&scheduler_, &threads_[active_].context);
        ran = true;
      }
    }
    return ran;
  }
  /// Lets the threads go on that have all come to the same barrier; those that are done need not. A
  /// warp's barrier needs each lane.
  bool release(std::size_t begin, std::size_t end, State at) {
    bool any = false;
    for (std::size_t i = begin; i < end; ++i) {
      any = any || threads_[i].state == at;
      if (threads_[i].state != at && (at == State::kAtWarp || threads_[i].state != State::kDone)) {
        return false;
      }
    }
    for (std::size_t i = begin; i < end && any; ++i) {
      threads_[i].state = threads_[i].state == at ? State::kReady : threads_[i].state;
    }
    return any;
  }

  KernelGrid grid_;
  bool backwards_;
  std::function<void()> kernel_;
  std::vector<Thread> threads_;
  ucontext_t scheduler_{};
  Place block_;
  unsigned active_ = 0;
};

inline float half_bits_to_float(unsigned short bits) {
  return c10::Half(bits, c10::Half::from_bits());
}
inline unsigned short float_to_half_bits(float value) {
  return c10::Half(value).x;
}
inline float uint_as_float(unsigned bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}
inline unsigned float_as_uint(float value) {
  unsigned bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}
inline unsigned add_and_tell(unsigned* place, unsigned value) {
  return std::exchange(*place, *place + value);
}

} // namespace sdbench::host_gpu

// What CUDA C++ has by itself.
#define SDBENCH_ON_HOST
#define SDBENCH_KERNEL inline
#define SDBENCH_UNROLL
#define __device__
#define __shared__ static
#define __launch_bounds__(threads)
#define threadIdx (Run::current->thread())
#define blockIdx (Run::current->block())
#define blockDim (Run::current->threads_of_block())
#define gridDim (Run::current->blocks())
#define __syncthreads() Run::current->wait_for_block()
#define __shfl_xor_sync(mask, value, distance)                                                     \
  Run::current->other_lanes(value, static_cast<unsigned>(distance))
#define __uint_as_float uint_as_float
#define __float_as_uint float_as_uint

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
namespace sdbench::host_gpu {
namespace f32 {
#define SDBENCH_F32
#include "../../src/engine/kernels/gpu_kernels.cu"
#undef SDBENCH_F32
} // namespace f32
#undef SDBENCH_LAYER_NORM
namespace f16 {
#define SDBENCH_F16
#include "../../src/engine/kernels/gpu_kernels.cu"
#undef SDBENCH_F16
} // namespace f16
#undef SDBENCH_LAYER_NORM
namespace bf16 {
#define SDBENCH_BF16
#include "../../src/engine/kernels/gpu_kernels.cu"
#undef SDBENCH_BF16
} // namespace bf16
#undef SDBENCH_LAYER_NORM
} // namespace sdbench::host_gpu
#pragma GCC diagnostic pop

#undef SDBENCH_ON_HOST
#undef SDBENCH_KERNEL
#undef SDBENCH_UNROLL
#undef __device__
#undef __shared__
#undef __launch_bounds__
#undef threadIdx
#undef blockIdx
#undef blockDim
#undef gridDim
#undef __syncthreads
#undef __shfl_xor_sync
#undef __uint_as_float
#undef __float_as_uint

namespace sdbench {

/// Runs the kernels on the host, on tensors of the CPU.
class HostLauncher final : public KernelLauncher {
public:
  explicit HostLauncher(c10::ScalarType dtype, bool backwards = false) : backwards_(backwards) {
    using namespace host_gpu;
#define SDBENCH_ADD_KERNELS(space)                                                                 \
  add("group_norm_factors", &space::group_norm_factors);                                           \
  add("group_norm_apply", &space::group_norm_apply);                                               \
  add("geglu", &space::geglu);                                                                     \
  add("quick_gelu", &space::quick_gelu);                                                           \
  add("upsample_twice", &space::upsample_twice);                                                   \
  add("add_bias", &space::add_bias);                                                               \
  add("layer_norm_1", &space::layer_norm_1);                                                       \
  add("layer_norm_2", &space::layer_norm_2);                                                       \
  add("layer_norm_4", &space::layer_norm_4);                                                       \
  add("layer_norm_8", &space::layer_norm_8);                                                       \
  add("layer_norm_16", &space::layer_norm_16);                                                     \
  add("linear_step", &space::linear_step)
    if (dtype == c10::kFloat) {
      SDBENCH_ADD_KERNELS(f32);
    } else if (dtype == c10::kHalf) {
      SDBENCH_ADD_KERNELS(f16);
    } else {
      SDBENCH_ADD_KERNELS(bf16);
    }
#undef SDBENCH_ADD_KERNELS
  }

  void launch(const std::string& kernel, const KernelGrid& grid,
              std::span<const KernelArgument> arguments) const override {
    launched[kernel] += 1;
    const auto call = kernels_.at(kernel)(arguments);
    host_gpu::Run(grid, backwards_, call).start();
  }
  [[nodiscard]] int multiprocessors() const override {
    return 3;
  }

  mutable std::map<std::string, int> launched; ///< how often each was

private:
  using Call = std::function<void()>;
  using Bind = std::function<Call(std::span<const KernelArgument>)>;

  template <class... Types>
  void add(const std::string& name, void (*kernel)(Types...)) {
    kernels_[name] = [kernel](std::span<const KernelArgument> arguments) {
      return bound(kernel, arguments, std::index_sequence_for<Types...>());
    };
  }
  /// Sizes must agree: the driver does not know them.
  template <class... Types, std::size_t... Index>
  static Call bound(void (*kernel)(Types...), std::span<const KernelArgument> arguments,
                    std::index_sequence<Index...>) {
    if (arguments.size() != sizeof...(Types) || ((arguments[Index].size != sizeof(Types)) || ...)) {
      throw std::logic_error("a kernel must get the arguments that it declares");
    }
    return [=] { kernel(*static_cast<Types*>(arguments[Index].value)...); };
  }

  bool backwards_;
  std::map<std::string, Bind> kernels_;
};

} // namespace sdbench
