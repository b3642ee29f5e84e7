#include "sdbench/bench/telemetry.h"

#include <array>
#include <chrono>
#include <ctime>
#include <thread>
#include <utility>

#include "sdbench/core/error.h"
#include "sdbench/telemetry/processes.h"
#include "sdbench/telemetry/summary.h"

namespace sdbench {
namespace {

constexpr std::chrono::milliseconds kIdleTime{1000};

/// Now, as "2026-11-21T08:37:21.123Z".
std::string utc_now_milliseconds() {
  std::timespec now{};
  std::timespec_get(&now, TIME_UTC);
  std::tm parts{};
  ::gmtime_r(&now.tv_sec, &parts);
  std::array<char, 32> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  constexpr long kNanosecondsPerMillisecond = 1'000'000;
  const std::string milliseconds = std::to_string(now.tv_nsec / kNanosecondsPerMillisecond);
  return std::string(text.data(), length) + "." + std::string(3 - milliseconds.size(), '0') +
         milliseconds + "Z";
}

} // namespace

Telemetry::Telemetry(TelemetryOptions options)
    : options_(std::move(options)), machine_(read_machine_state(options_.root)),
      nvml_(open_nvml(nvml_problem_)), gpus_(nvml_ ? nvml_->facts() : std::vector<GpuFacts>()),
      host_(options_.root) {
  if (!options_.file.empty()) {
    // Many times a second: not synchronised to the disk with each row.
    file_.emplace(
        options_.file, telemetry_csv_header(), RowEnd::kUnquotedLine,
        [this](const std::string& text) { notes_.push_back(text); }, AppendFile::Sync::kNever);
  }
  if (options_.interval_s > 0) {
    sampler_ = std::make_unique<Sampler>(
        Sampler::Sources{[this] {
                           return SensorReadings{nvml_ ? nvml_->read() : std::vector<GpuReading>(),
                                                 host_.read()};
                         },
                         [this] { return steady_seconds() - start_s_; }},
        options_.interval_s, [this](const TelemetrySample& sample) { write(sample); });
  }
}

void Telemetry::measure_idle() {
  if (!sampler_ || (gpus_.empty() && options_.file.empty())) {
    return;
  }
  std::this_thread::sleep_for(kIdleTime);
  const std::vector<TelemetrySample> samples = sampler_->take();
  for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) {
    idle_power_w_.push_back(summarise(samples, "idle", gpu).power_w.mean);
  }
}

std::optional<double> Telemetry::idle_power_w(std::size_t gpu) const {
  return gpu < idle_power_w_.size() ? idle_power_w_[gpu] : std::nullopt;
}

GpuProcesses Telemetry::processes(std::size_t gpu) const {
  const auto ids = nvml_ ? nvml_->processes(gpu) : std::nullopt;
  return ids ? sort_processes(*ids, options_.root) : GpuProcesses{};
}

void Telemetry::begin_cell(TelemetryTag tag) {
  if (sampler_) {
    static_cast<void>(sampler_->take());
  }
  machine_ = read_machine_state(options_.root);
  const std::lock_guard lock(mutex_);
  tag_ = std::move(tag);
}

void Telemetry::enter(std::string_view phase) {
  if (sampler_) {
    sampler_->enter(phase);
  }
}

std::vector<TelemetrySample> Telemetry::end_cell() {
  enter("idle");
  {
    const std::lock_guard lock(mutex_);
    tag_ = {};
  }
  return sampler_ ? sampler_->take() : std::vector<TelemetrySample>();
}

std::vector<std::string> Telemetry::take_notes() {
  const std::string problem = sampler_ ? sampler_->take_problem() : "";
  const std::lock_guard lock(mutex_);
  std::vector<std::string> notes = std::exchange(notes_, {});
  if (!problem.empty()) {
    notes.push_back("the sensors could not be read: " + problem);
  }
  return notes;
}

/// In the sampler's thread, where nobody hears an exception: a file that refuses is given up, and
/// said at the end of the cell.
void Telemetry::write(const TelemetrySample& sample) {
  const std::lock_guard lock(mutex_);
  if (!file_) {
    return;
  }
  try {
    file_->append(telemetry_csv_rows(sample, tag_, gpus_, utc_now_milliseconds()), nullptr);
  } catch (const Error& error) {
    notes_.push_back(std::string("no more samples are written: ") + error.what());
    file_.reset();
  }
}

} // namespace sdbench
