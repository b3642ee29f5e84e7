// The cost of measuring: the same images with the timing layer, with timing layer and sensors, and
// with neither, in turns.
//
//   timing_cost [ROUNDS] [DEVICE]      (400 rounds on the CPU)
//   timing_cost --instructions         (counts instead, on the CPU)
//
// --instructions has no noise: a child process computes, and the program lets it execute a single
// instruction at a time (ptrace). It counts those of the layer, and those of one step of the least
// work there is, until they are 400 times as many: any step of SD 1.5 has more. The exit code is 1
// if the layer executes more than 0.5 % of the step's.
//
// "Timed" is what the worker does: marks between stages and steps, and a message for each step
// (encoded and written to /dev/null; the worker sends at most twenty a second). "Watched" is the
// same while a thread reads the sensors every 0.1 s, like the front does in a separate process.
// "Bare" is only the pipeline. The three change places from round to round, so that heat and other
// programs affect all equally, and each round gives one ratio for each. Other programs can only
// make an image slower, so the fastest tenth of each kind tells more than the means. A machine may
// be too noisy to show half a per cent, so the layer is also run with nothing between its marks,
// and the sensors are read alone. See docs/measuring.md, "The cost of measuring".
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/messages.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/files/descriptor.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/numbers/statistics.h"
#include "sdbench/base/system/steady_clock.h"
#include "sdbench/base/weights/locate.h"
#include "sdbench/engine/kernels/nvrtc_library.h"
#include "sdbench/engine/pipeline/device_clock.h"
#include "sdbench/engine/pipeline/pipeline_observer.h"
#include "sdbench/engine/pipeline/prompt_encoder.h"
#include "sdbench/engine/pipeline/stable_diffusion.h"
#include "sdbench/engine/worker/batch_timer.h"
#include "sdbench/engine/worker/layer_sources.h"
#include "sdbench/front/record/student_t.h"
#include "sdbench/front/telemetry/gpu_reading.h"
#include "sdbench/front/telemetry/host_sensors.h"
#include "sdbench/front/telemetry/nvml_with_timeouts.h"
#include "sdbench/front/telemetry/sensor_sampler.h"

namespace {

using namespace sdbench;

constexpr std::int64_t kSteps = 50;
constexpr std::int64_t kPixels = 64;
constexpr double kInterval = 0.1; // of --telemetry-interval

enum Arm : std::size_t { kBare, kTimed, kWatched, kArms };
using Seconds = std::array<double, kArms>;

/// The sensors that the front reads: all GPUs and the host.
class Sensors {
public:
  Sensors() : nvml_(open_nvml(problem_)) {}

  void look() { static_cast<void>(read()); }

  /// Reads until it is destroyed.
  [[nodiscard]] std::unique_ptr<SensorSampler> watch() {
    return std::make_unique<SensorSampler>(
        SensorSampler::Sources{[this] { return read(); }, steady_seconds}, kInterval, nullptr);
  }

private:
  SensorReadings read() {
    return {nvml_ ? nvml_->read() : std::vector<GpuReading>(), host_.read()};
  }

  std::string problem_;
  std::unique_ptr<Nvml> nvml_;
  HostSensors host_;
};

template <typename Work>
double seconds_each(int count, const Work& work) {
  work();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < count; ++i) {
    work();
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / count;
}

/// Number of instructions that `work` executes between two SIGSTOPs that it raises, in a child
/// process; `most` if there are more. The kernel's own are not among them.
template <typename Work>
std::int64_t instructions(std::int64_t most, const Work& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    work();
    ::_exit(0);
  }
  int status = 0;
  const auto stopped_by = [&](int signal) {
    return ::waitpid(child, &status, 0) == child && WIFSTOPPED(status) &&
           WSTOPSIG(status) == signal;
  };
  std::int64_t count = 0;
  if (child > 0 && stopped_by(SIGSTOP)) {
    while (count < most && ::ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr) == 0 &&
           stopped_by(SIGTRAP)) {
      ++count;
    }
  }
  const bool is_whole = count == most || (WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP);
  if (child > 0) {
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
  }
  if (count == 0 || !is_whole) {
    throw Error("a child process must be traced by ptrace, but cannot; allow it (in a container: "
                "--cap-add=SYS_PTRACE)");
  }
  return count;
}

void stop_here() {
  static_cast<void>(std::raise(SIGSTOP));
}

class Bench {
public:
  explicit Bench(at::Device device)
      : pipeline_(find_model_config("tiny-sd15"), make_layer_sources(WeightsLocation{}),
                  {.device = device}),
        clock_(make_device_clock(device)), sink_(::open("/dev/null", O_WRONLY | O_CLOEXEC)) {}

  /// Seconds of an image's marks and messages, and of reading the sensors, without an image.
  double layer_seconds() {
    return seconds_each(1000, [this] { layer_alone(); });
  }
  double look_seconds() {
    return seconds_each(200, [this] { sensors_.look(); });
  }

  /// Instructions of the layer for each step of an image.
  std::int64_t layer_instructions() {
    constexpr std::int64_t kMost = 100'000'000;
    layer_alone(); // the clock's storage is there
    return instructions(kMost,
                        [this] {
                          stop_here();
                          layer_alone();
                          stop_here();
                        }) /
           kSteps;
  }
  /// Instructions of an image's only step; `most` if there are more.
  std::int64_t step_instructions(std::int64_t most) {
    PipelineObserver deaf;
    const auto nothing = [] {};
    latents(deaf, nothing, nothing, 1); // kernels are chosen
    return instructions(most, [&] {
      latents(deaf, nothing, stop_here, 1);
      stop_here();
    });
  }

  /// Seconds of one image, prompt to pixels, by the same clock in all cases.
  double image(Arm arm) {
    const std::unique_ptr<SensorSampler> sampler = arm == kWatched ? sensors_.watch() : nullptr;
    const auto start = std::chrono::steady_clock::now();
    if (arm != kBare) {
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
                     const DenoiseBegins& denoise_begins, std::int64_t steps = kSteps) {
    const DenoiseOptions options{.steps = steps};
    const Conditioning conditioning =
        pipeline_.encode({"a lake"}, std::nullopt, options.guidance, kPixels, kPixels);
    text_done();
    const at::Tensor noise = pipeline_.bring_noise(pipeline_.initial_noise(0, 1, kPixels, kPixels));
    denoise_begins();
    return pipeline_.denoise(noise, conditioning, options, observer);
  }

  BatchTimer make_timer() {
    return {*clock_, [this](std::int64_t step, double seconds) {
              const std::string line =
                  messages::encode(messages::Event(StepEvent{0, step, kSteps, seconds})) + "\n";
              static_cast<void>(!::write(sink_.get(), line.data(), line.size()));
            }};
  }

  void timed_image() {
    BatchTimer timer = make_timer();
    RunSample sample;
    timer.start();
    timer.text_begins();
    const at::Tensor final_latents = latents(
        timer, [&] { timer.text_done(); }, [&] { timer.denoise_begins(); });
    timer.decode_begins();
    const at::Tensor pixels = pipeline_.decode(final_latents);
    timer.decoded();
    static_cast<void>(StableDiffusion::to_uint8(pixels));
    timer.finish(sample);
  }

  /// The same calls with no work between them.
  void layer_alone() {
    BatchTimer timer = make_timer();
    RunSample sample;
    timer.start();
    timer.text_begins();
    timer.text_done();
    timer.denoise_begins();
    for (std::int64_t step = 0; step < kSteps; ++step) {
      timer.on_step_done(step);
    }
    timer.on_denoised();
    timer.decode_begins();
    timer.decoded();
    timer.finish(sample);
  }

  StableDiffusion pipeline_;
  std::unique_ptr<DeviceClock> clock_;
  Descriptor sink_;
  Sensors sensors_;
};

std::vector<double> seconds_of(Arm arm, const std::vector<Seconds>& rounds) {
  std::vector<double> all;
  for (const Seconds& seconds : rounds) {
    all.push_back(seconds[arm]);
  }
  return all;
}

double percent_more(double value, double base) {
  return 100 * (value / base - 1);
}

void report_arm(const char* name, Arm arm, const std::vector<Seconds>& rounds) {
  constexpr double kFast = 10; // percentile
  std::vector<double> percents;
  for (const Seconds& seconds : rounds) {
    percents.push_back(percent_more(seconds[arm], seconds[kBare]));
  }
  std::printf("%s: fastest tenth %+.3f %%, median of the rounds %+.3f %%, mean %+.3f %% +- %.3f %% "
              "(95 %%)\n",
              name,
              percent_more(*percentile(seconds_of(arm, rounds), kFast),
                           *percentile(seconds_of(kBare, rounds), kFast)),
              *median(percents), *mean(percents), *ci95_half_width(percents));
}

void report(const std::vector<Seconds>& rounds, Bench& bench) {
  const double bare = *median(seconds_of(kBare, rounds));
  std::printf("tiny-sd15, %lldx%lld, %lld steps: %s ms an image, bare (median of %zu)\n",
              static_cast<long long>(kPixels), static_cast<long long>(kPixels),
              static_cast<long long>(kSteps), significant_text(1e3 * bare).c_str(), rounds.size());
  report_arm("with timing", kTimed, rounds);
  report_arm("with timing and sensors", kWatched, rounds);
  const double layer = bench.layer_seconds();
  const double look = bench.look_seconds();
  std::printf("the layer alone: %s us an image, %.4f %% of it\n",
              significant_text(1e6 * layer).c_str(), 100 * layer / bare);
  std::printf("a look at the sensors: %s us, %.4f %% of one core at one every %g s\n",
              significant_text(1e6 * look).c_str(), 100 * look / kInterval, kInterval);
}

/// The exit code.
int report_instructions() {
  constexpr double kBound = 0.5; // percent
  constexpr std::int64_t kTimes = 400;
  Bench bench{at::Device("cpu")};
  const std::int64_t layer = bench.layer_instructions();
  const std::int64_t step = bench.step_instructions(kTimes * layer);
  const double percent = 100 * static_cast<double>(layer) / static_cast<double>(step);
  std::printf(
      "the layer executes %lld instructions a step; a step of tiny-sd15, %lldx%lld, %s %lld: "
      "%s %.3f %% of it\n",
      static_cast<long long>(layer), static_cast<long long>(kPixels),
      static_cast<long long>(kPixels), step == kTimes * layer ? "more than" : "has",
      static_cast<long long>(step), step == kTimes * layer ? "less than" : "that is", percent);
  return percent > kBound ? 1 : 0;
}

} // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--instructions") {
    const c10::InferenceMode inference;
    at::set_num_threads(1);
    try {
      return report_instructions();
    } catch (const Error& error) {
      std::fprintf(stderr, "timing_cost: %s\n", error.what());
      return 2;
    }
  }
  const std::int64_t count = argc > 1 ? parse_integer(argv[1]).value_or(0) : 400;
  if (count < 2) {
    std::fprintf(stderr, "timing_cost: ROUNDS must be a number of at least 2\n");
    return 2;
  }
  preload_nvrtc(); // like the worker
  const c10::InferenceMode inference;
  at::set_num_threads(1); // threads that wait for each other would hide the cost
  Bench bench{at::Device(argc > 2 ? argv[2] : "cpu")};
  std::vector<Seconds> rounds;
  constexpr std::int64_t kWarmups = 5;
  for (std::int64_t round = -kWarmups; round < count; ++round) {
    Seconds seconds{};
    for (std::size_t place = 0; place < kArms; ++place) {
      const auto arm =
          static_cast<Arm>((place + static_cast<std::size_t>(round + kWarmups)) % kArms);
      seconds[arm] = bench.image(arm);
    }
    if (round >= 0) {
      rounds.push_back(seconds);
    }
  }
  report(rounds, bench);
  return 0;
}
