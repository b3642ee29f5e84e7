// A GPU's work for an image, kernel by kernel, stage by stage: number of kernels, their time, and
// the waits between them. Measured with libtorch's own profiler (CUPTI), which costs a kernel
// little.
//
//   kernel_times MODEL PIXELS [DEVICE] [tuned|plain]     (cuda:0, tuned; a CPU's list is operators)
//
// With the options that the worker's own functions choose for this device, synthetic weights and
// four steps. First kernels are launched one by one; then, on a GPU, the UNet's by a CUDA graph, as
// the tuned engine does. Each stage has a line with its numbers, then one for each kernel, the
// slowest first.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/autograd/profiler_kineto.h>

#include "sdbench/base/config/run_config.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/engine/kernels/nvrtc_library.h"
#include "sdbench/engine/pipeline/pipeline_observer.h"
#include "sdbench/engine/pipeline/pipeline_options.h"
#include "sdbench/engine/pipeline/prompt_encoder.h"
#include "sdbench/engine/pipeline/stable_diffusion.h"
#include "sdbench/engine/worker/cuda_facts.h"
#include "sdbench/engine/worker/device_choice.h"
#include "sdbench/engine/worker/dtype_choice.h"
#include "sdbench/engine/worker/engine_axis_choice.h"
#include "sdbench/engine/worker/layer_sources.h"

namespace {

using namespace sdbench;
namespace profiler = torch::autograd::profiler;
namespace profiling = torch::profiler::impl;

constexpr std::int64_t kSteps = 4;

struct Total {
  std::int64_t count = 0;
  double milliseconds = 0;
};

Cell cell_of(const char* model, std::int64_t pixels, const char* engine, const char* graphs) {
  RunConfig config;
  config.model = model;
  config.weights = "synthetic";
  config.width = config.height = pixels;
  config.steps = kSteps;
  config.engine = engine;
  config.graphs = graphs;
  return resolve_cell(config, true);
}

/// As ImageCellRun has them.
PipelineOptions options_of(const Cell& cell, at::Device device) {
  const DeviceInfo info = describe_device(device, cuda_devices());
  set_engine_switches(cell, info);
  const Precision unet = choose_unet_dtype(cell.dtype, device.is_cuda(), has_bf16(info));
  const DtypeChoice dtypes = choose_stage_dtypes(unet, cell.model.pipeline, has_bf16(info));
  return choose_pipeline_options(cell, device, info, dtypes).options;
}

class Profile {
public:
  explicit Profile(at::Device device) : device_(device) {}

  /// Runs `work` once more and prints the device's work.
  template <class Work>
  at::Tensor of(const char* stage, const Work& work) {
    using profiling::ActivityType;
    const std::set<ActivityType> activities = {device_.is_cuda() ? ActivityType::CUDA
                                                                 : ActivityType::CPU};
    const profiling::ProfilerConfig config(profiling::ProfilerState::KINETO);
    profiler::prepareProfiler(config, activities);
    profiler::enableProfiler(config, activities);
    const auto begin = std::chrono::steady_clock::now();
    const at::Tensor result = work();
    const double enqueued = milliseconds_since(begin);
    static_cast<void>(result.sum().to(at::kCPU)); // waits until all is computed
    const double done = milliseconds_since(begin);
    print(stage, *profiler::disableProfiler(), enqueued, done);
    return result;
  }

private:
  static double milliseconds_since(std::chrono::steady_clock::time_point begin) {
    return 1e3 * std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  void print(const char* stage, const profiler::ProfilerResult& profile, double enqueued,
             double done) const {
    std::map<std::string, Total> kernels;
    Total all;
    std::uint64_t first = UINT64_MAX;
    std::uint64_t last = 0;
    for (const profiler::KinetoEvent& event : profile.events()) {
      if (event.deviceType() != device_.type()) {
        continue;
      }
      const double milliseconds = 1e-6 * static_cast<double>(event.durationNs());
      for (Total* total : {&kernels[event.name()], &all}) {
        ++total->count;
        total->milliseconds += milliseconds;
      }
      first = std::min(first, event.startNs());
      last = std::max(last, event.endNs());
    }
    std::vector<std::pair<std::string, Total>> sorted(kernels.begin(), kernels.end());
    std::ranges::sort(sorted, [](const auto& a, const auto& b) {
      return a.second.milliseconds > b.second.milliseconds;
    });
    const double span = last > first ? 1e-6 * static_cast<double>(last - first) : 0;
    std::printf("%s: %lld kernels, %.3f ms in them, %.3f ms from the first to the last; the host "
                "asked for all in %.3f ms, done after %.3f ms\n",
                stage, static_cast<long long>(all.count), all.milliseconds, span, enqueued, done);
    for (const auto& [name, total] : sorted) {
      std::printf("%10.3f ms %5lld %.160s\n", total.milliseconds,
                  static_cast<long long>(total.count), name.c_str());
    }
  }

  at::Device device_;
};

/// Makes an image. Prints each stage's profile unless `profile` is null.
void image(const StableDiffusion& pipeline, const Cell& cell, Profile* profile) {
  const DenoiseOptions options{.steps = cell.steps, .guidance = cell.guidance};
  PipelineObserver nobody;
  const auto run = [&](const char* stage, const auto& work) {
    return profile != nullptr ? profile->of(stage, work) : work();
  };
  Conditioning prompt;
  run("text", [&] {
    prompt = pipeline.encode(cell.prompts, std::nullopt, cell.guidance, cell.width, cell.height);
    return prompt.context;
  });
  const at::Tensor noise = pipeline.initial_noise(0, 1, cell.width, cell.height);
  const at::Tensor latents =
      run("unet", [&] { return pipeline.denoise(noise, prompt, options, nobody); });
  static_cast<void>(run("vae", [&] { return pipeline.decode(latents); }).cpu());
}

} // namespace

int main(int argc, char** argv) {
  const std::int64_t pixels = argc > 2 ? parse_integer(argv[2]).value_or(0) : 0;
  if (pixels < 8) {
    std::fprintf(stderr, "kernel_times MODEL PIXELS [DEVICE] [tuned|plain]\n");
    return 2;
  }
  preload_nvrtc(); // like the worker
  const c10::InferenceMode inference;
  const at::Device device(argc > 3 ? argv[3] : "cuda:0");
  const char* const engine = argc > 4 ? argv[4] : "tuned";
  for (const char* graphs : {"off", "auto"}) {
    const Cell cell = cell_of(argv[1], pixels, engine, graphs);
    const PipelineOptions options = options_of(cell, device);
    if (graphs == std::string_view("auto")) {
      if (options.graphs == Graphs::kNone) {
        break;
      }
      std::printf("\nby graphs\n");
    }
    const StableDiffusion pipeline(cell.model, make_layer_sources(cell.weights), options);
    for (int i = 0; i < 3; ++i) { // so that plans are made, memory is allocated, graphs recorded
      image(pipeline, cell, nullptr);
    }
    Profile profile(device);
    image(pipeline, cell, &profile);
  }
  return 0;
}
