#include "operator_benchmark.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <benchmark/benchmark.h>
#include <c10/core/InferenceMode.h>

#include "sdbench/base/device/host.h"
#include "sdbench/base/errors/message_of.h"
#include "sdbench/engine/kernels/gpu_kernels.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/packed_weights.h"
#include "sdbench/engine/pipeline/cuda_graph.h"
#include "sdbench/engine/pipeline/device_clock.h"

#ifdef SDBENCH_HAS_CUDA
#include <c10/cuda/CUDAException.h>
#include <driver_types.h>
#endif

namespace sdbench {
namespace {

constexpr double kGiga = 1e9;
constexpr std::size_t kCallsOfGraph = 20;
constexpr double kGpuSeconds = 0.5 / kCallsOfGraph; // of single calls: half a second of graphs

/// Times an operator that has computed before. `copies` of it differ only in their tensors and are
/// called in turn. On a GPU, many calls are one graph, like in a step: a single call would show how
/// long the host takes for its launches.
class OperatorTimer {
public:
  OperatorTimer(at::Device device, std::vector<Operator> copies)
      : copies_(std::move(copies)), clock_(make_device_clock(device)) {
    static_cast<void>(copies_.front()());
    if (device.is_cuda()) {
      const std::unique_ptr<GraphMaker> maker = make_graph_maker(device, GraphKind::kSteps);
      maker->warm_up([&] { static_cast<void>(copies_.front()()); });
      const std::size_t calls = std::max(kCallsOfGraph, copies_.size());
      graph_ = maker->capture([&] {
        // Kept for a turn, because otherwise all calls would write to the same place.
        std::vector<at::Tensor> results(copies_.size());
        for (std::size_t call = 0; call < calls; ++call) {
          const std::size_t turn = call % copies_.size();
          results[turn] = copies_[turn]();
        }
      });
      calls_ = static_cast<double>(calls);
    }
  }

  /// Seconds of one call.
  double seconds() {
    clock_->reset();
    clock_->mark();
    if (graph_) {
      graph_->replay();
    } else {
      benchmark::DoNotOptimize(copies_.front()());
    }
    clock_->mark();
    clock_->wait();
    return clock_->seconds(0, 1) / calls_;
  }

private:
  std::vector<Operator> copies_; // before the graph, which uses their tensors
  std::unique_ptr<DeviceClock> clock_;
  std::unique_ptr<WorkGraph> graph_;
  double calls_ = 1;
};

/// Bytes of a GPU's last cache, which serves the whole GPU; 0 for a processor.
double cache_bytes([[maybe_unused]] at::Device device) {
  int bytes = 0;
#ifdef SDBENCH_HAS_CUDA
  if (device.is_cuda()) {
    C10_CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device.index()));
  }
#endif
  return bytes;
}

/// Number of copies of an operator, so that none finds its last call's data in a GPU's cache:
/// together they use more than twice the cache. One copy if arithmetic decides the time.
std::size_t copies_of(at::Device device, const OperatorCost& cost) {
  constexpr double kCaches = 2;
  return cost.flop > 0 ? 1
                       : 1 + static_cast<std::size_t>(kCaches * cache_bytes(device) / cost.bytes);
}

double fastest(const OperatorPlace& place, const Operator& compute) {
  constexpr int kRuns = 10;
  OperatorTimer timer(place.device, {compute});
  double best = timer.seconds();
  for (int run = 1; run < kRuns; ++run) {
    best = std::min(best, timer.seconds());
  }
  return best;
}

void find_peaks(OperatorPlace& place) {
  std::vector<std::int64_t> sides{1024, 2048, 4096};
  if (place.device.is_cuda()) {
    sides.push_back(8192); // a large GPU reaches its peak only here
  }
  for (const std::int64_t side : sides) {
    const at::Tensor a = place.random({side, side});
    const at::Tensor b = place.random({side, side});
    const double flop = 2.0 * static_cast<double>(side * side * side);
    place.flop_per_s =
        std::max(place.flop_per_s, flop / fastest(place, [&] { return at::mm(a, b); }));
    if (can_pack(place.device, place.dtype, cpu_has_bf16())) { // at::mm in fp32 may be slower
      const PackedLinear linear(b, std::nullopt);
      place.flop_per_s =
          std::max(place.flop_per_s, flop / fastest(place, [&] { return linear(a); }));
    }
  }
  constexpr std::int64_t kNumbers = 64 << 20;
  const at::Tensor from = place.random({kNumbers});
  at::Tensor to = at::empty_like(from);
  const auto bytes = static_cast<double>(2 * from.nbytes());
  place.byte_per_s = bytes / fastest(place, [&] { return to.copy_(from); });
}

void find_gpu_kernels(OperatorPlace& place) {
  try {
    place.gpu_kernels = gpu_kernels_for(place.device, place.dtype);
  } catch (const std::exception& error) { // of a driver, a compiler or ours: ATen's kernels remain
    const std::string text = message_of(error);
    std::printf("%s: without kernels of our own: %s\n", place.name.c_str(),
                text.substr(0, text.find('\n')).c_str());
  }
}

} // namespace

at::Tensor OperatorPlace::random(at::IntArrayRef shape) const {
  return at::randn(shape, at::TensorOptions(device)).to(dtype);
}

std::vector<OperatorPlace> places_of(at::Device device) {
  std::vector<OperatorPlace> places;
  if (device.is_cpu()) {
    places = {{device, at::kFloat, "fp32"}, {device, at::kBFloat16, "bf16"}};
  } else {
    places = {{device, at::kHalf, "fp16"}, {device, at::kBFloat16, "bf16"}};
  }
  for (OperatorPlace& place : places) {
    find_peaks(place);
    std::printf("%s: %.4g GFLOP/s (matrix product), %.4g GB/s (copy, read and written)\n",
                place.name.c_str(), place.flop_per_s / kGiga, place.byte_per_s / kGiga);
    if (device.is_cuda()) {
      find_gpu_kernels(place);
    }
  }
  return places;
}

void register_operator(const OperatorPlace& place, const std::string& name, OperatorCost cost,
                       const std::function<Operator()>& make) {
  const auto run = [place, cost, make](benchmark::State& state) {
    const c10::InferenceMode inference; // belongs to a thread
    std::vector<Operator> copies(copies_of(place.device, cost));
    std::ranges::generate(copies, make);
    OperatorTimer timer(place.device, std::move(copies));
    double total = 0;
    while (state.KeepRunning()) {
      const double seconds = timer.seconds();
      state.SetIterationTime(seconds);
      total += seconds;
    }
    const double calls = static_cast<double>(state.iterations()) / total;
    constexpr double kPercent = 100;
    if (cost.flop > 0) {
      state.counters["GFLOP/s"] = cost.flop * calls / kGiga;
      state.counters["%peak"] = kPercent * cost.flop * calls / place.flop_per_s;
    } else {
      state.counters["GB/s"] = cost.bytes * calls / kGiga;
      state.counters["%copy"] = kPercent * cost.bytes * calls / place.byte_per_s;
    }
  };
  auto* const registered = benchmark::RegisterBenchmark((place.name + "/" + name).c_str(), run)
                               ->UseManualTime()
                               ->Unit(benchmark::kMillisecond);
  if (place.device.is_cuda()) {
    registered->MinTime(kGpuSeconds);
  }
}

} // namespace sdbench
