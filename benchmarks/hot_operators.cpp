// The operators that take the time, in the shapes of SD 1.5 and SDXL at 512x512 with guidance (a
// batch of 2; the VAE's of 1), beside the most that this machine does: its best rate of square
// matrix products, and for what only reads and writes its best rate of copying.
//
//   hot_operators [DEVICE] [options of Google Benchmark, e.g. --benchmark_filter=bf16/attention]
//
// fp32 and bf16 on a processor, fp16 on a GPU; all cores. The rates are measured first, in the same
// process; a machine that is busy meanwhile may show more than 100 %.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <c10/core/InferenceMode.h>

#include "sdbench/device/host.h"
#include "sdbench/nn/attention.h"
#include "sdbench/nn/conv.h"
#include "sdbench/nn/feed_forward.h"
#include "sdbench/nn/formed_source.h"
#include "sdbench/nn/norm.h"
#include "sdbench/nn/packed_weights.h"
#include "sdbench/nn/synthetic_source.h"
#include "sdbench/pipeline/host_allocator.h"
#include "sdbench/timing/device_clock.h"

namespace {

using namespace sdbench;

using Operator = std::function<at::Tensor()>;

/// Where and in what is computed, and the most that was seen of it.
struct Place {
  at::Device device;
  at::ScalarType dtype;
  std::string name; ///< "bf16"
  double flop_per_s = 0;
  double byte_per_s = 0;

  [[nodiscard]] at::Tensor random(at::IntArrayRef shape) const {
    return at::randn(shape, at::TensorOptions(device)).to(dtype);
  }
};

class Timer {
public:
  explicit Timer(at::Device device) : clock_(make_device_clock(device)) {}

  double seconds(const Operator& compute) {
    clock_->reset();
    clock_->mark();
    benchmark::DoNotOptimize(compute());
    clock_->mark();
    clock_->wait();
    return clock_->seconds(0, 1);
  }

private:
  std::unique_ptr<DeviceClock> clock_;
};

double fastest(const Place& place, const Operator& compute) {
  constexpr int kRuns = 10;
  Timer timer(place.device);
  double best = timer.seconds(compute);
  for (int run = 1; run < kRuns; ++run) {
    best = std::min(best, timer.seconds(compute));
  }
  return best;
}

void find_peaks(Place& place) {
  for (const std::int64_t side : {1024, 2048, 4096}) {
    const at::Tensor a = place.random({side, side});
    const at::Tensor b = place.random({side, side});
    const double flop = 2.0 * static_cast<double>(side * side * side);
    place.flop_per_s =
        std::max(place.flop_per_s, flop / fastest(place, [&] { return at::mm(a, b); }));
    if (can_pack(place.device, place.dtype, cpu_has_bf16())) { // at::mm of fp32 may be slower
      const PackedLinear linear(b, Packing::kOneDnn);
      place.flop_per_s =
          std::max(place.flop_per_s, flop / fastest(place, [&] { return linear(a, {}); }));
    }
  }
  constexpr std::int64_t kNumbers = 64 << 20;
  const at::Tensor from = place.random({kNumbers});
  at::Tensor to = at::empty_like(from);
  const auto bytes = static_cast<double>(2 * from.nbytes());
  place.byte_per_s = bytes / fastest(place, [&] { return to.copy_(from); });
}

/// What an operator takes: it is known by its arithmetic, or, where that is nothing, by its memory.
struct Cost {
  double flop = 0;
  double bytes = 0;
};

/// `make` builds the operator with its weights and inputs, which are there only while it runs.
void add(const Place& place, const std::string& name, Cost cost,
         const std::function<Operator()>& make) {
  const auto run = [place, cost, make](benchmark::State& state) {
    const c10::InferenceMode inference; // of this thread
    const Operator compute = make();
    Timer timer(place.device);
    static_cast<void>(timer.seconds(compute));
    double total = 0;
    while (state.KeepRunning()) {
      const double seconds = timer.seconds(compute);
      state.SetIterationTime(seconds);
      total += seconds;
    }
    const double calls = static_cast<double>(state.iterations()) / total;
    constexpr double kGiga = 1e9;
    constexpr double kPercent = 100;
    if (cost.flop > 0) {
      state.counters["GFLOP/s"] = cost.flop * calls / kGiga;
      state.counters["%peak"] = kPercent * cost.flop * calls / place.flop_per_s;
    } else {
      state.counters["GB/s"] = cost.bytes * calls / kGiga;
      state.counters["%copy"] = kPercent * cost.bytes * calls / place.byte_per_s;
    }
  };
  benchmark::RegisterBenchmark((place.name + "/" + name).c_str(), run)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

constexpr std::pair<at::MemoryFormat, const char*> kFormats[] = {
    {at::MemoryFormat::Contiguous, ""}, {at::MemoryFormat::ChannelsLast, "/channels-last"}};

/// How a layer's weights are kept, and how its images lie.
struct Form {
  const char* words;
  at::MemoryFormat memory_format = at::MemoryFormat::Contiguous;
  Packing packing = Packing::kNone;
};

/// `forms`, and those with packed weights.
std::vector<Form> forms_of(const Place& place, std::vector<Form> forms) {
  if (can_pack(place.device, place.dtype, cpu_has_bf16())) {
    forms.push_back({"/onednn", at::MemoryFormat::ChannelsLast, Packing::kOneDnn});
    if (cpu_instructions(place.dtype)) {
      forms.push_back({"/own", at::MemoryFormat::ChannelsLast, Packing::kOwn});
    }
  }
  return forms;
}

FormedSource source_of(const Place& place, const Form& form) {
  return {std::make_unique<SyntheticSource>(0, "unet", place.dtype, place.device),
          {.memory_format = form.memory_format, .packing = form.packing}};
}

std::string by(std::initializer_list<std::int64_t> sizes) {
  std::string text;
  for (const std::int64_t size : sizes) {
    text += (text.empty() ? "" : "x") + std::to_string(size);
  }
  return text;
}

void add_convolutions(const Place& place) {
  struct Shape {
    const char* where;
    std::int64_t batch, in, out, side;
  };
  constexpr Shape kShapes[] = {
      {"unet", 2, 320, 320, 64},       {"unet", 2, 960, 320, 64},   {"unet", 2, 640, 640, 32},
      {"unet", 2, 1920, 640, 32},      {"unet", 2, 1280, 1280, 16}, {"unet", 2, 2560, 1280, 16},
      {"unet-sd15", 2, 1280, 1280, 8}, {"vae", 1, 512, 512, 64},    {"vae", 1, 512, 512, 128},
      {"vae", 1, 256, 256, 256},       {"vae", 1, 128, 128, 512},
  };
  std::vector<Form> forms =
      forms_of(place, {{""}, {"/channels-last", at::MemoryFormat::ChannelsLast}});
  if (place.device.is_cpu() && place.dtype == at::kFloat && cpu_instructions(at::kFloat)) {
    // By the products of the usual form: more than the machine's peak is no mistake.
    forms.push_back({"/winograd", at::MemoryFormat::ChannelsLast, Packing::kWinograd});
  }
  for (const Shape& s : kShapes) {
    for (const Form& form : forms) {
      constexpr double kTaps = 9;
      const double flop = 2 * kTaps * static_cast<double>(s.batch * s.in * s.out * s.side * s.side);
      const std::string name = std::string("conv3x3/") + s.where + "/" + std::to_string(s.in) +
                               "to" + std::to_string(s.out) + "@" + by({s.side, s.side}) +
                               form.words;
      add(place, name, {.flop = flop}, [place, s, form] {
        FormedSource source = source_of(place, form);
        const at::Tensor x =
            place.random({s.batch, s.in, s.side, s.side}).contiguous(form.memory_format);
        return [conv = Conv2d(Weights(source), {.in = s.in, .out = s.out}), x] { return conv(x); };
      });
    }
  }
}

struct TokenShape {
  std::int64_t tokens, in, out;
};

void add_linears(const Place& place) {
  constexpr TokenShape kShapes[] = {{8192, 320, 320},  {2048, 640, 640},   {512, 1280, 1280},
                                    {8192, 320, 2560}, {8192, 1280, 320},  {2048, 640, 5120},
                                    {2048, 2560, 640}, {512, 1280, 10240}, {512, 5120, 1280}};
  for (const TokenShape& s : kShapes) {
    for (const Form& form : forms_of(place, {{""}})) {
      add(place, "linear/" + by({s.tokens, s.in}) + "to" + std::to_string(s.out) + form.words,
          {.flop = 2.0 * static_cast<double>(s.tokens * s.in * s.out)}, [place, s, form] {
            FormedSource source = source_of(place, form);
            const at::Tensor x = place.random({s.tokens, s.in});
            return [linear = Linear(Weights(source), s.in, s.out), x] { return linear(x); };
          });
    }
  }
}

void add_attention(const Place& place) {
  struct Shape {
    const char* where;
    std::int64_t batch, heads, queries, keys, width;
  };
  constexpr Shape kShapes[] = {
      {"sd15-self", 2, 8, 4096, 4096, 40},  {"sd15-self", 2, 8, 1024, 1024, 80},
      {"sd15-self", 2, 8, 256, 256, 160},   {"sd15-cross", 2, 8, 4096, 77, 40},
      {"sdxl-self", 2, 10, 1024, 1024, 64}, {"sdxl-self", 2, 20, 256, 256, 64},
      {"sdxl-cross", 2, 10, 1024, 77, 64},  {"vae-self", 1, 1, 4096, 4096, 512},
  };
  for (const Shape& s : kShapes) {
    constexpr double kFlopPerScore = 4; // q kᵀ and its product with v
    const double scores = static_cast<double>(s.batch * s.heads * s.queries * s.keys);
    std::vector<Attention> kernels{Attention::kAuto};
    if (own_attention(place.device, place.dtype)) {
      kernels.push_back(Attention::kOwn);
    }
    for (const Attention kernel : kernels) {
      add(place,
          std::string("attention/") + s.where + "/" +
              by({s.batch, s.heads, s.queries, s.keys, s.width}) +
              (kernel == Attention::kOwn ? "/own" : ""),
          {.flop = kFlopPerScore * scores * static_cast<double>(s.width)}, [place, s, kernel] {
            const auto heads = [&](std::int64_t tokens) {
              return split_heads(place.random({s.batch, tokens, s.heads * s.width}), s.heads);
            };
            return [q = heads(s.queries), k = heads(s.keys), v = heads(s.keys), kernel] {
              return attend(q, k, v, {.kernel = kernel});
            };
          });
    }
  }
}

void add_feed_forwards(const Place& place) {
  constexpr TokenShape kShapes[] = {{4096, 320, 320}, {1024, 640, 640}, {256, 1280, 1280}};
  for (const TokenShape& s : kShapes) {
    constexpr double kFlop = 2.0 * 2 * (8 + 4); // a batch of 2, into 8 times the width, out of 4
    for (const Form& form : forms_of(place, {{""}})) {
      add(place, "geglu/" + by({2, s.tokens, s.in}) + form.words,
          {.flop = kFlop * static_cast<double>(s.tokens * s.in * s.in)}, [place, s, form] {
            FormedSource source = source_of(place, form);
            const at::Tensor x = place.random({2, s.tokens, s.in});
            return [layer = FeedForward(Weights(source), s.in), x] { return layer(x); };
          });
    }
  }
}

void add_norms(const Place& place) {
  struct Shape {
    std::int64_t batch, channels, side;
  };
  constexpr Shape kShapes[] = {
      {2, 320, 64}, {2, 640, 32}, {2, 1280, 16}, {1, 512, 64}, {1, 128, 512}};
  struct Norm {
    at::MemoryFormat format;
    std::string words;
    bool own;
  };
  std::vector<Norm> norms;
  for (const auto& [format, words] : kFormats) {
    norms.push_back({format, words, false});
  }
  if (place.device.is_cpu() && cpu_instructions(place.dtype)) {
    norms.push_back({at::MemoryFormat::ChannelsLast, "/own", true});
  }
  for (const Shape& s : kShapes) {
    for (const Norm& kind : norms) {
      const auto numbers = static_cast<double>(s.batch * s.channels * s.side * s.side);
      const double bytes = 2 * numbers * static_cast<double>(c10::elementSize(place.dtype));
      add(place, "groupnorm+silu/" + by({s.batch, s.channels, s.side, s.side}) + kind.words,
          {.bytes = bytes}, [place, s, kind] {
            FormedSource source(
                std::make_unique<SyntheticSource>(0, "unet", place.dtype, place.device),
                {.cpu_kernels = kind.own});
            const at::Tensor x =
                place.random({s.batch, s.channels, s.side, s.side}).contiguous(kind.format);
            return [norm = GroupNorm(Weights(source), {.channels = s.channels}), x] {
              return norm.silu(x);
            };
          });
    }
  }
}

} // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const c10::InferenceMode inference;
  const at::Device device(argc > 1 ? argv[1] : "cpu");
  at::set_num_threads(static_cast<int>(usable_core_count()));
  if (device.is_cpu()) {
    set_host_allocator(HostAllocator::kCaching); // as engine tuned
  }
  std::vector<Place> places;
  if (device.is_cpu()) {
    places = {{device, at::kFloat, "fp32"}, {device, at::kBFloat16, "bf16"}};
  } else {
    places = {{device, at::kHalf, "fp16"}};
  }
  for (Place& place : places) {
    find_peaks(place);
    std::printf("%s: %.4g GFLOP/s (matrix product), %.4g GB/s (copy, read and written)\n",
                place.name.c_str(), place.flop_per_s / 1e9, place.byte_per_s / 1e9);
    add_convolutions(place);
    add_linears(place);
    add_attention(place);
    add_feed_forwards(place);
    add_norms(place);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
