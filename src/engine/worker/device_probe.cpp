#include "sdbench/engine/worker/device_probe.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/errors/message_of.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/system/steady_clock.h"
#include "sdbench/engine/pipeline/device_clock.h"
#include "sdbench/engine/worker/device_choice.h"
#include "sdbench/engine/worker/product_rate.h"

namespace sdbench {
namespace {

constexpr double kTera = 1e12;
constexpr double kGiga = 1e9;
constexpr std::int64_t kMebi = std::int64_t{1} << 20;

/// A piece of work, and how much it does: operations or bytes.
struct Work {
  std::function<void()> run;
  double amount = 0;
};

/// A number format of the probe: its name in figures, and whether products of fp32 use TF32.
struct Format {
  std::string name;
  c10::ScalarType type = c10::ScalarType::Float;
  bool tf32 = false;
};

/// Sets libtorch's switches for TF32, of products and of convolutions, while it lives.
class Tf32Scope {
public:
  explicit Tf32Scope(bool allowed)
      : products_before_(at::globalContext().allowTF32CuBLAS()),
        convolutions_before_(at::globalContext().allowTF32CuDNN()) {
    at::globalContext().setAllowTF32CuBLAS(allowed);
    at::globalContext().setAllowTF32CuDNN(allowed);
  }
  ~Tf32Scope() {
    at::globalContext().setAllowTF32CuBLAS(products_before_);
    at::globalContext().setAllowTF32CuDNN(convolutions_before_);
  }
  Tf32Scope(const Tf32Scope&) = delete;
  Tf32Scope& operator=(const Tf32Scope&) = delete;

private:
  bool products_before_;
  bool convolutions_before_;
};

/// Sets libtorch's number of threads while it lives.
class ThreadsScope {
public:
  explicit ThreadsScope(int threads) : before_(at::get_num_threads()) {
    at::set_num_threads(threads);
  }
  ~ThreadsScope() { at::set_num_threads(before_); }
  ThreadsScope(const ThreadsScope&) = delete;
  ThreadsScope& operator=(const ThreadsScope&) = delete;

private:
  int before_;
};

class DeviceProbe {
public:
  DeviceProbe(c10::Device device, const DeviceInfo& info, const ProbeListener& listener)
      : device_(device), info_(info), listener_(listener), clock_(make_device_clock(device)) {}

  void run() {
    const std::vector<Format> formats = formats_here();
    for (const Format& format : formats) {
      measure("product_" + format.name, kTera, [&] { return product_rate_of(format); });
    }
    if (device_.is_cuda()) {
      measure("product_fp8", kTera, [&] { return fp8_rate(); });
    } else {
      one_core_products(formats);
    }
    for (const Format& format : formats) {
      if (!format.tf32) {
        measure("convolution_" + format.name, kTera, [&] { return convolution_rate(format); });
      }
    }
    for (const Format& format : formats) {
      if (!format.tf32) {
        measure("attention_" + format.name, kTera, [&] { return attention_rate(format); });
      }
    }
    memory();
    if (device_.is_cuda()) {
      transfers();
      measure("launch", 1e-6, [&] { return launch_seconds(); });
    }
  }

private:
  /// Calls `figure`. Its result divided by `unit` is the figure's value. An empty result is a
  /// figure that the device does not have.
  template <typename Figure>
  void measure(const std::string& name, double unit, const Figure& figure) {
    if (!listener_.is_wanted(name)) {
      return;
    }
    listener_.before_figure();
    try {
      if (const std::optional<double> value = figure()) {
        listener_.on_figure(name, *value / unit);
      }
    } catch (const std::exception& error) {
      listener_.on_failure(name, first_line_of(error));
    }
  }

  [[nodiscard]] std::vector<Format> formats_here() const {
    std::vector<Format> formats{{"fp32"}};
    if (has_tf32(info_)) {
      formats.push_back({"tf32", c10::ScalarType::Float, true});
    }
    if (has_bf16(info_)) {
      formats.push_back({"bf16", c10::ScalarType::BFloat16});
    }
    if (device_.is_cuda()) {
      formats.push_back({"fp16", c10::ScalarType::Half});
    }
    return formats;
  }

  /// Seconds of one call: the shortest of many. The first call is not counted, because it may
  /// choose and load kernels.
  [[nodiscard]] double best_seconds(const Work& work) {
    constexpr double kEnough_s = 0.08;
    constexpr int kFewest = 3;
    constexpr int kMost = 1000;
    constexpr double kLong_s = 0.002; // beside which the host's launch of a first call is nothing
    work.run();
    const auto seconds_of = [&](int calls) {
      clock_->reset();
      clock_->mark();
      for (int call = 0; call < calls; ++call) {
        work.run();
      }
      clock_->mark();
      clock_->wait();
      return std::max(clock_->seconds(0, 1), 1e-9);
    };
    const double first_s = seconds_of(1);
    const int calls = std::clamp(static_cast<int>(kLong_s / first_s), 1, kMost);
    double best_s = first_s;
    double spent_s = 0;
    for (int turn = 0; turn < kFewest || spent_s < kEnough_s; ++turn) {
      const double seconds = seconds_of(calls);
      spent_s += seconds;
      best_s = std::min(best_s, seconds / calls);
    }
    return best_s;
  }

  /// Amount by second of the largest work that is needed: a call must last long enough to fill the
  /// device and to be timed exactly. `make(size)` makes the work. A size that does not fit into
  /// memory is an error: the rate of a smaller one would pass for a change of the device.
  template <typename Make>
  [[nodiscard]] double best_rate(std::initializer_list<std::int64_t> sizes, const Make& make) {
    constexpr double kLongEnough_s = 0.004;
    double rate = 0;
    for (const std::int64_t size : sizes) {
      const Work work = make(size);
      const double seconds = best_seconds(work);
      rate = std::max(rate, work.amount / seconds);
      if (seconds >= kLongEnough_s) {
        break;
      }
    }
    return rate;
  }

  [[nodiscard]] at::Tensor numbers(at::IntArrayRef shape, c10::ScalarType type) const {
    return at::rand(shape, at::device(device_).dtype(at::kFloat)).to(type);
  }

  [[nodiscard]] std::optional<double> product_rate_of(const Format& format) {
    if (device_.is_cpu()) {
      return product_rate(format.type, kProductSeconds);
    }
    const Tf32Scope scope(format.tf32);
    return best_rate({1024, 2048, 4096, 8192}, [&](std::int64_t side) {
      const at::Tensor a = numbers({side, side}, format.type);
      const at::Tensor b = numbers({side, side}, format.type);
      at::Tensor c = at::empty_like(a);
      const auto operations = 2.0 * static_cast<double>(side * side) * static_cast<double>(side);
      return Work{[=]() mutable { at::mm_out(c, a, b); }, operations};
    });
  }

  /// Empty before compute capability 8.9, whose tensor cores have no fp8.
  [[nodiscard]] std::optional<double> fp8_rate() {
    if (info_.compute_capability.empty() || std::stod(info_.compute_capability) < 8.9) {
      return std::nullopt;
    }
    const at::Tensor one = at::ones({}, at::device(device_).dtype(at::kFloat));
    return best_rate({2048, 4096, 8192}, [&](std::int64_t side) {
      const at::Tensor a = numbers({side, side}, c10::ScalarType::Float8_e4m3fn);
      const at::Tensor b = numbers({side, side}, c10::ScalarType::Float8_e4m3fn);
      const auto operations = 2.0 * static_cast<double>(side * side) * static_cast<double>(side);
      return Work{[=] {
                    static_cast<void>(at::_scaled_mm(a, b.t(), one, one, {}, {},
                                                     c10::ScalarType::BFloat16, true));
                  },
                  operations};
    });
  }

  void one_core_products(const std::vector<Format>& formats) {
    if (at::get_num_threads() == 1) {
      return; // the figures of all cores are those of one
    }
    for (const Format& format : formats) {
      measure("product_" + format.name + "_one_core", kTera, [&] {
        const ThreadsScope one(1);
        return std::optional(product_rate(format.type, kProductSeconds));
      });
    }
  }

  [[nodiscard]] std::optional<double> convolution_rate(const Format& format) {
    constexpr std::int64_t kChannels = 640;
    constexpr std::int64_t kSide = 32;
    const Tf32Scope scope(format.tf32);
    return best_rate({1, 8, 64}, [&](std::int64_t images) {
      // Without tensor cores, cuDNN is slower channels-last.
      const auto order = device_.is_cuda() && format.type == c10::ScalarType::Float
                             ? at::MemoryFormat::Contiguous
                             : at::MemoryFormat::ChannelsLast;
      const at::Tensor x =
          numbers({images, kChannels, kSide, kSide}, format.type).contiguous(order);
      const at::Tensor w = numbers({kChannels, kChannels, 3, 3}, format.type).contiguous(order);
      const auto operations =
          2.0 * 9 * kChannels * kChannels * static_cast<double>(images * kSide * kSide);
      return Work{[=] { static_cast<void>(at::conv2d(x, w, {}, 1, 1)); }, operations};
    });
  }

  [[nodiscard]] std::optional<double> attention_rate(const Format& format) {
    constexpr std::int64_t kHeads = 8;
    constexpr std::int64_t kWidth = 64;
    const Tf32Scope scope(format.tf32);
    return best_rate({1024, 4096, 16384}, [&](std::int64_t tokens) {
      const at::Tensor q = numbers({1, kHeads, tokens, kWidth}, format.type);
      const at::Tensor k = numbers({1, kHeads, tokens, kWidth}, format.type);
      const at::Tensor v = numbers({1, kHeads, tokens, kWidth}, format.type);
      const auto operations = 4.0 * kHeads * kWidth * static_cast<double>(tokens * tokens);
      return Work{[=] { static_cast<void>(at::scaled_dot_product_attention(q, k, v)); },
                  operations};
    });
  }

  /// With arrays that most caches cannot hold. Smaller ones would give another rate.
  void memory() {
    constexpr std::int64_t kBytes = 256 * kMebi;
    constexpr auto bytes = static_cast<double>(kBytes);
    const auto ones = [&] {
      if (free_memory_bytes(device_) < 2 * kBytes) {
        throw Error("512 MiB of memory must be free, but " +
                    bytes_text(free_memory_bytes(device_)) + " are");
      }
      return at::ones({kBytes / static_cast<std::int64_t>(sizeof(float))}, at::device(device_));
    };
    measure("copy", kGiga, [&] {
      at::Tensor x = ones();
      const at::Tensor y = ones();
      const Work copy{[&] { x.copy_(y); }, 2.0 * bytes};
      return std::optional(copy.amount / best_seconds(copy));
    });
    measure("triad", kGiga, [&] {
      at::Tensor x = ones();
      const at::Tensor y = ones();
      const at::Tensor z = ones();
      const Work triad{[&] { at::add_out(x, y, z, 3); }, 3.0 * bytes};
      return std::optional(triad.amount / best_seconds(triad));
    });
  }

  void transfers() {
    constexpr std::int64_t kBytes = 64 * kMebi;
    const auto on_host = [](bool pinned) {
      return at::empty({kBytes}, at::TensorOptions().dtype(at::kByte).pinned_memory(pinned))
          .fill_(1);
    };
    const auto rate = [&](at::Tensor to, const at::Tensor& from) {
      const Work work{[&] { to.copy_(from, true); }, static_cast<double>(kBytes)};
      return std::optional(work.amount / best_seconds(work));
    };
    const auto on_device = [&] {
      return at::empty({kBytes}, at::device(device_).dtype(at::kByte));
    };
    measure("to_device_pinned", kGiga, [&] { return rate(on_device(), on_host(true)); });
    measure("to_device_pageable", kGiga, [&] { return rate(on_device(), on_host(false)); });
    measure("to_host_pinned", kGiga, [&] { return rate(on_host(true), on_device().fill_(1)); });
    measure("to_host_pageable", kGiga, [&] { return rate(on_host(false), on_device().fill_(1)); });
  }

  /// The host's time from the launch of the smallest kernel until it knows that the kernel is done:
  /// the median of many.
  [[nodiscard]] std::optional<double> launch_seconds() {
    constexpr int kCalls = 101;
    at::Tensor number = at::zeros({1}, at::device(device_));
    std::vector<double> seconds;
    for (int call = 0; call < kCalls; ++call) {
      const double begin_s = steady_seconds();
      number.add_(1);
      static_cast<void>(number.item()); // waits without sleeping
      seconds.push_back(steady_seconds() - begin_s);
    }
    const auto middle = seconds.begin() + kCalls / 2;
    std::ranges::nth_element(seconds, middle);
    return *middle;
  }

  static constexpr double kProductSeconds = 0.15;

  c10::Device device_;
  const DeviceInfo& info_;
  const ProbeListener& listener_;
  std::unique_ptr<DeviceClock> clock_;
};

} // namespace

void probe_device(c10::Device device, const DeviceInfo& info, const ProbeListener& listener) {
  const c10::InferenceMode inference;
  DeviceProbe(device, info, listener).run();
}

} // namespace sdbench
