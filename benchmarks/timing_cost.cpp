// What measuring costs: the same images with the timing layer and without it, taken in turns.
//
//   timing_cost [PAIRS] [DEVICE]      (400 pairs on the CPU)
//
// On is what the worker does: marks between stages and steps, and a message for each step (encoded
// and written to /dev/null; the worker sends at most twenty a second). Off is the bare pipeline.
// The two change places from pair to pair, so that heat and other programs fall on both alike, and
// each pair gives one ratio. See docs/measuring.md, "The cost of measuring".
#include <chrono>
#include <cstdio>
#include <vector>

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <fcntl.h>
#include <unistd.h>

#include "sdbench/config/model_config.h"
#include "sdbench/core/descriptor.h"
#include "sdbench/core/number_text.h"
#include "sdbench/core/statistics.h"
#include "sdbench/core/student_t.h"
#include "sdbench/executor/protocol.h"
#include "sdbench/timing/device_clock.h"
#include "sdbench/worker/batch_timer.h"
#include "sdbench/worker/weight_factory.h"

namespace {

using namespace sdbench;

constexpr std::int64_t kSteps = 50;
constexpr std::int64_t kPixels = 64;

class Bench {
public:
  explicit Bench(at::Device device)
      : pipeline_(find_model_config("tiny-sd15"), make_weight_factory(WeightsLocation{}),
                  {.device = device}),
        clock_(make_device_clock(device)), sink_(::open("/dev/null", O_WRONLY | O_CLOEXEC)) {}

  /// Seconds of one image, prompt to pixels, by the same clock in both cases.
  double image(bool timed) {
    const auto start = std::chrono::steady_clock::now();
    if (timed) {
      timed_image();
    } else {
      PipelineObserver deaf;
      static_cast<void>(StableDiffusion::to_uint8(pipeline_.decode(latents(
          deaf, [] {}, [] {}))));
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

private:
  template <typename TextDone, typename DenoiseBegins>
  at::Tensor latents(PipelineObserver& observer, const TextDone& text_done,
                     const DenoiseBegins& denoise_begins) {
    const DenoiseOptions options{.steps = kSteps};
    const Conditioning conditioning =
        pipeline_.encode({"a lake"}, std::nullopt, options.guidance, kPixels, kPixels);
    text_done();
    const at::Tensor noise = pipeline_.initial_noise(0, 1, kPixels, kPixels);
    denoise_begins();
    return pipeline_.denoise(noise, conditioning, options, observer);
  }

  void timed_image() {
    BatchTimer timer(*clock_, [this](std::int64_t step, double seconds) {
      const std::string line =
          protocol::encode(protocol::Event(protocol::StepEvent{0, step, kSteps, seconds})) + "\n";
      static_cast<void>(!::write(sink_.get(), line.data(), line.size()));
    });
    RunSample sample;
    timer.start();
    const at::Tensor final_latents = latents(
        timer, [&] { timer.text_done(); }, [&] { timer.denoise_begins(); });
    const at::Tensor pixels = pipeline_.decode(final_latents);
    timer.decoded();
    static_cast<void>(StableDiffusion::to_uint8(pixels));
    timer.finish(sample);
  }

  StableDiffusion pipeline_;
  std::unique_ptr<DeviceClock> clock_;
  Descriptor sink_;
};

void report(const std::vector<double>& off, const std::vector<double>& ratios) {
  std::vector<double> percents;
  for (const double ratio : ratios) {
    percents.push_back(100 * (ratio - 1));
  }
  std::printf("tiny-sd15, %lldx%lld, %lld steps: %s ms an image without timing (median of %zu)\n",
              static_cast<long long>(kPixels), static_cast<long long>(kPixels),
              static_cast<long long>(kSteps), significant_text(1e3 * *median(off)).c_str(),
              off.size());
  std::printf("with timing: %+.3f %% (median of the pairs), mean %+.3f %% +- %.3f %% (95 %%)\n",
              *median(percents), *mean(percents), *ci95_half_width(percents));
}

} // namespace

int main(int argc, char** argv) {
  const std::int64_t pairs = argc > 1 ? parse_integer(argv[1]).value_or(0) : 400;
  if (pairs < 2) {
    std::fprintf(stderr, "timing_cost: PAIRS must be a number of at least 2\n");
    return 2;
  }
  const c10::InferenceMode inference;
  at::set_num_threads(1); // threads that wait for each other would hide what is looked for
  Bench bench{at::Device(argc > 2 ? argv[2] : "cpu")};
  for (int warmup = 0; warmup < 5; ++warmup) {
    bench.image(false);
    bench.image(true);
  }
  std::vector<double> off;
  std::vector<double> ratios;
  for (std::int64_t pair = 0; pair < pairs; ++pair) {
    const bool timed_first = pair % 2 == 1;
    const double first = bench.image(timed_first);
    const double second = bench.image(!timed_first);
    off.push_back(timed_first ? second : first);
    ratios.push_back(timed_first ? first / second : second / first);
  }
  report(off, ratios);
  return 0;
}
