#include "sdbench/front/bench/telemetry.h"

#include <chrono>
#include <ctime>
#include <thread>
#include <utility>

#include "sdbench/base/errors/error.h"
#include "sdbench/front/bench/environment.h"
#include "sdbench/front/machine/machine_state.h"
#include "sdbench/front/results/row_ends.h"
#include "sdbench/front/telemetry/card_files.h"
#include "sdbench/front/telemetry/gpu_reading.h"
#include "sdbench/front/telemetry/host_sensors.h"
#include "sdbench/front/telemetry/processes.h"

namespace sdbench {
namespace {

constexpr std::chrono::milliseconds kIdleTime{1000};

/// Now, as "2026-11-21T08:37:21.123Z".
std::string utc_now_milliseconds() {
  std::timespec now{};
  std::timespec_get(&now, TIME_UTC);
  constexpr long kNanosecondsPerMillisecond = 1'000'000;
  const std::string milliseconds = std::to_string(now.tv_nsec / kNanosecondsPerMillisecond);
  std::string text = utc_text(now.tv_sec);
  text.pop_back(); // Z
  return text + "." + std::string(3 - milliseconds.size(), '0') + milliseconds + "Z";
}

} // namespace

Telemetry::Telemetry(TelemetryOptions options)
    : options_(std::move(options)), nvml_(open_nvml(nvml_problem_, options_.nvml_patience)),
      gpus_(nvml_ ? nvml_->facts() : std::vector<GpuFacts>()), host_(options_.root),
      machine_(read_machine_state(options_.root)) {
  if (nvml_) {
    nvml_problem_ = nvml_->take_problem();
  }
  for (GpuFacts& gpu : gpus_) {
    add_system_facts(gpu, options_.root);
  }
  if (!options_.file.empty()) {
    // Not flushed to disk after each row, because rows come many times a second.
    file_.emplace(
        options_.file, telemetry_csv_header(), RowEnd::kUnquotedLine,
        [this](const std::string& text) { notes_.push_back(text); }, AppendFile::Sync::kNever);
  }
  if (const auto counter = host_.refused_energy_counter();
      file_ && options_.interval_s > 0 && !counter.empty()) {
    notes_.push_back("the processor's energy is empty, because " + counter.string() +
                     " may not be read; on a machine without other users, allow it until the next "
                     "boot: sudo chmod a+r /sys/class/powercap/intel-rapl:*/energy_uj");
  }
  if (options_.interval_s > 0) {
    sampler_ = std::make_unique<SensorSampler>(
        SensorSampler::Sources{[this] {
                                 // The host first, because NVML may hang and a sample has only one
                                 // time.
                                 HostReading host = host_.read();
                                 return SensorReadings{nvml_ ? nvml_->read()
                                                             : std::vector<GpuReading>(),
                                                       std::move(host)};
                               },
                               [this] { return options_.clock_s() - start_s_; }},
        options_.interval_s, [this](const TelemetrySample& sample) { write(sample); });
  }
}

void Telemetry::measure_idle() {
  if (!sampler_ || (gpus_.empty() && options_.file.empty())) {
    return;
  }
  std::this_thread::sleep_for(kIdleTime);
  const std::vector<TelemetrySample> samples = sampler_->since(0);
  for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) {
    idle_power_w_.push_back(summarise(samples, "idle", gpu).power_w.mean);
  }
}

std::optional<double> Telemetry::idle_power_w(std::size_t gpu) const {
  return gpu < idle_power_w_.size() ? idle_power_w_[gpu] : std::nullopt;
}

MachineState Telemetry::machine() const {
  const std::lock_guard lock(mutex_);
  return machine_;
}

GpuProcesses Telemetry::processes(std::size_t gpu) const {
  const auto ids = nvml_ ? nvml_->processes(gpu) : std::nullopt;
  return ids ? sort_processes(*ids, options_.root) : GpuProcesses{};
}

ProcessTimes Telemetry::process_times() const {
  return sampler_ ? read_process_times(options_.root) : ProcessTimes();
}

/// Begins between samples, so that file and record agree which sample is the cell's first.
Telemetry::CellKey Telemetry::begin_cell(TelemetryTag tag, std::optional<TelemetryTag> shared) {
  tag.phase = name_of(CellStage::kStart); // before the worker's first event
  const std::string phase = tag.phase;
  MachineState machine = read_machine_state(options_.root);
  CellKey key = 0;
  bool is_first = false;
  const double start_s = change_between_samples([&] {
    machine_ = std::move(machine);
    is_first = active_.empty();
    key = ++last_key_;
    active_[key] = {std::move(tag), std::move(shared), {}, 0, {}};
  });
  {
    const std::lock_guard lock(mutex_);
    active_.at(key).start_s = start_s;
    active_.at(key).marks = {{start_s, phase}};
  }
  if (sampler_ && is_first) {
    sampler_->forget_before(start_s);
  }
  return key;
}

void Telemetry::set_gpu(CellKey cell, std::size_t gpu) {
  const std::lock_guard lock(mutex_);
  active_.at(cell).gpu = gpu;
}

void Telemetry::enter(CellKey cell, CellStage stage) {
  enter_phase(cell, name_of(stage));
}

void Telemetry::enter_phase(CellKey cell, std::string_view phase) {
  const double time_s = change_between_samples([&] { active_.at(cell).tag.phase = phase; });
  const std::lock_guard lock(mutex_);
  active_.at(cell).marks.push_back({time_s, std::string(phase)});
}

/// Never calls the sampler while holding the lock, which the sampler's thread takes to write a
/// sample.
double Telemetry::change_between_samples(const std::function<void()>& change) {
  const auto locked = [&] {
    const std::lock_guard lock(mutex_);
    change();
  };
  if (sampler_) {
    return sampler_->look(locked);
  }
  locked();
  return options_.clock_s() - start_s_;
}

std::optional<OthersShare> Telemetry::others_so_far(CellKey cell) {
  if (!sampler_) {
    return std::nullopt;
  }
  double start_s = 0;
  {
    const std::lock_guard lock(mutex_);
    start_s = active_.at(cell).start_s;
  }
  const std::vector<TelemetrySample> samples = sampler_->since(start_s);
  if (samples.empty()) {
    return std::nullopt;
  }
  const TelemetrySample& first = samples.front();
  const TelemetrySample& last = samples.back();
  return others_share(first.readings.host.processors, last.readings.host.processors,
                      last.time_s - first.time_s);
}

std::vector<TelemetrySample> Telemetry::end_cell(CellKey cell) {
  enter_phase(cell, "idle");
  ActiveCell ended;
  {
    const std::lock_guard lock(mutex_);
    ended = std::move(active_.extract(cell).mapped());
  }
  return sampler_ ? in_phases(sampler_->since(ended.start_s), ended.marks)
                  : std::vector<TelemetrySample>();
}

bool Telemetry::is_news(const std::string& flag) {
  const std::lock_guard lock(mutex_);
  return said_.insert(flag).second;
}

std::vector<std::string> Telemetry::take_notes() {
  const std::string problem = sampler_ ? sampler_->take_problem() : "";
  const std::lock_guard lock(mutex_);
  std::vector<std::string> notes = std::exchange(notes_, {});
  if (!problem.empty()) {
    notes.push_back("the sensors could not be read: " + problem);
  }
  const std::string silence = nvml_ ? nvml_->take_problem() : "";
  if (!silence.empty() && said_.insert("silent_nvml").second) {
    notes.push_back("sensors of GPUs are missing, because " + silence);
  }
  return notes;
}

/// A single cell gets all devices. With several, each cell gets its GPU, and the rest belongs to
/// all of them.
TelemetryTags Telemetry::tags_locked() const {
  TelemetryTags tags;
  if (!active_.empty()) {
    const ActiveCell& first = active_.begin()->second;
    tags.host = first.shared.value_or(first.tag);
    tags.host.phase = first.tag.phase;
    for (const auto& [key, cell] : active_) {
      if (cell.tag.phase != tags.host.phase) {
        tags.host.phase = "mixed";
      }
    }
  }
  tags.gpus.assign(gpus_.size(), tags.host);
  for (const auto& [key, cell] : active_) {
    if (cell.gpu && *cell.gpu < tags.gpus.size()) {
      tags.gpus[*cell.gpu] = cell.tag;
    }
  }
  return tags;
}

/// Runs in the sampler's thread, in which exceptions would be lost. If the file fails, gives it up
/// and notes this for the end of the cell.
void Telemetry::write(const TelemetrySample& sample) {
  const std::lock_guard lock(mutex_);
  if (!file_) {
    return;
  }
  try {
    file_->append(telemetry_csv_rows(sample, tags_locked(), gpus_, utc_now_milliseconds()),
                  nullptr);
  } catch (const Error& error) {
    notes_.push_back(std::string("no more samples are written: ") + error.what());
    file_.reset();
  }
}

} // namespace sdbench
