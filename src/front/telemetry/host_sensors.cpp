#include "sdbench/front/telemetry/host_sensors.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <unistd.h>

#include "answer_thread.h"
#include "proc_files.h"
#include "sdbench/base/device/proc_text.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/machine/folder_entries.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

constexpr double kMicro = 1e-6;
constexpr double kMilli = 1e-3;
constexpr double kKilo = 1e3;
constexpr double kMega = 1e6;

/// "cpu MHz : 2000.000", mean of all cores, in Hz.
std::optional<double> clock_in_cpuinfo(std::string_view cpuinfo) {
  constexpr std::string_view kKey = "\ncpu MHz";
  double sum = 0;
  double count = 0;
  for (std::size_t at = cpuinfo.find(kKey); at != std::string_view::npos;
       at = cpuinfo.find(kKey, at + 1)) {
    std::string_view value = cpuinfo.substr(at);
    value.remove_prefix(std::min(value.find(':') + 1, value.size()));
    if (const auto mhz = take_number(value)) {
      sum += *mhz * kMega;
      count += 1;
    }
  }
  return count > 0 ? std::optional(sum / count) : std::nullopt;
}

/// The number behind a line's key, as in "pswpin 4711".
std::optional<double> number_after(std::string_view text, std::string_view key) {
  for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    std::string_view rest = text.substr(at + key.size());
    if ((at == 0 || text[at - 1] == '\n') && rest.starts_with(' ')) {
      return take_number(rest);
    }
  }
  return std::nullopt;
}

std::string first_word(const fs::path& file) {
  const std::string text = read_small_file(file);
  return text.substr(0, text.find_first_of(" \n"));
}

/// A value's file of an hwmon chip, such as temp1_input.
bool is_input(const fs::path& file, std::string_view kind) {
  const std::string name = file.filename().string();
  return name.starts_with(kind) && name.ends_with("_input");
}

/// A fan or a thermometer of an hwmon chip (Documentation/hwmon/sysfs-interface.rst).
struct HwmonInput {
  std::string chip; ///< the driver's name: "nvme"
  fs::path input;
  fs::path fault; ///< holds 1 if the input is not to be believed; many chips lack it

  /// The value if it lies between the limits; else the chip has nothing there, or lies.
  [[nodiscard]] std::optional<double> value(double least, double most) const {
    const auto read = read_number_file(input);
    return read && *read >= least && *read <= most && read_number_file(fault) != 1 ? read
                                                                                   : std::nullopt;
  }
};

/// The inputs of one kind, without those of Dell's laptops: their BIOS stops all cores for up to
/// half a second to answer (Documentation/hwmon/dell-smm-hwmon.rst).
std::vector<HwmonInput> hwmon_inputs(const fs::path& root, std::string_view kind) {
  std::vector<HwmonInput> inputs;
  for (const fs::path& chip : folder_entries(root / "sys/class/hwmon")) {
    const std::string name = first_word(chip / "name");
    if (name == "dell_smm") {
      continue;
    }
    for (const fs::path& file : folder_entries(chip)) {
      if (is_input(file, kind)) {
        const std::string path = file.string();
        inputs.push_back({name, file, path.substr(0, path.rfind('_')) + "_fault"});
      }
    }
  }
  return inputs;
}

/// Leaves out GPUs: their fans are not the host's.
std::vector<HwmonInput> host_fans(const fs::path& root) {
  constexpr std::string_view kGpus[] = {"amdgpu", "radeon", "nouveau", "i915", "xe"};
  return filtered(hwmon_inputs(root, "fan"), [&](const HwmonInput& input) {
    return std::ranges::count(kGpus, input.chip) == 0;
  });
}

/// SSDs, memory modules, and controllers of mainboards and laptops. Leaves out GPUs, which NVML
/// reads, and Super-I/O chips, whose unconnected inputs give any temperature. Also leaves out hard
/// disks, because reading them would wake them up.
std::vector<HwmonInput> other_thermometers(const fs::path& root) {
  constexpr std::string_view kChips[] = {"nvme", "jc42", "spd5118", "asusec", "thinkpad"};
  return filtered(hwmon_inputs(root, "temp"), [&](const HwmonInput& input) {
    return std::ranges::count(kChips, input.chip) > 0;
  });
}

struct SlowReading {
  std::optional<double> fan_rpm;
  std::optional<double> other_temperature_c;
  std::string other_sensor;
};

/// Sensors behind slow buses (SMBus, commands to an SSD), which may hang.
struct SlowSensors {
  explicit SlowSensors(const fs::path& root)
      : fans(host_fans(root)), thermometers(other_thermometers(root)) {}

  [[nodiscard]] SlowReading read() const {
    constexpr double kMostRpm = 40'000;
    constexpr double kMostMilliC = 125'000;
    SlowReading reading;
    for (const HwmonInput& fan : fans) {
      if (const auto rpm = fan.value(1, kMostRpm)) {
        reading.fan_rpm = std::max(reading.fan_rpm.value_or(0), *rpm);
      }
    }
    for (const HwmonInput& thermometer : thermometers) {
      const auto value = thermometer.value(1, kMostMilliC);
      if (value && *value * kMilli > reading.other_temperature_c.value_or(0)) {
        reading.other_temperature_c = *value * kMilli;
        reading.other_sensor = thermometer.chip;
      }
    }
    return reading;
  }

  std::vector<HwmonInput> fans;
  std::vector<HwmonInput> thermometers;
};

/// The latest values of slow sensors, which a thread of its own writes.
struct SlowAnswer {
  std::mutex mutex;
  SlowReading reading;
  std::optional<std::chrono::steady_clock::time_point> answered_at;
};

/// Reads slow sensors once a second, in a thread of their own. The sampler never waits for it: a
/// look gets what the thread has read by then.
class SlowSensorReader {
public:
  explicit SlowSensorReader(const fs::path& root)
      : sensors_(std::make_shared<const SlowSensors>(root)) {
    if (!sensors_->fans.empty() || !sensors_->thermometers.empty()) {
      thread_.emplace();
    }
  }

  /// The latest values; empty in the first look, which only starts the thread's reading, and once
  /// they are old, because they would pass for new ones.
  [[nodiscard]] SlowReading read() {
    using std::chrono::seconds;
    constexpr seconds kOld(10);
    const auto now = std::chrono::steady_clock::now();
    SlowReading reading;
    {
      const std::lock_guard lock(answer_->mutex);
      if (answer_->answered_at && now - *answer_->answered_at < kOld) {
        reading = answer_->reading;
      }
    }
    if (thread_ && (!asked_at_ || now - *asked_at_ >= seconds(1))) {
      asked_at_ = now;
      start_reading();
    }
    return reading;
  }

private:
  /// Does nothing while the thread is still at the previous reading.
  void start_reading() {
    const auto task = [sensors = sensors_, answer = answer_] {
      SlowReading reading = sensors->read();
      const std::lock_guard lock(answer->mutex);
      answer->reading = std::move(reading);
      answer->answered_at = std::chrono::steady_clock::now();
    };
    static_cast<void>(thread_->run(task, std::chrono::seconds(0)));
  }

  std::shared_ptr<const SlowSensors> sensors_;
  std::shared_ptr<SlowAnswer> answer_ = std::make_shared<SlowAnswer>(); // the thread's, too
  std::optional<AnswerThread> thread_;
  std::optional<std::chrono::steady_clock::time_point> asked_at_;
};

/// Intel's counters (Documentation/ABI/testing/sysfs-devices-system-cpu): one of each core, and one
/// of each package. All hyper-threads of a core show the core's counter, and all threads of a
/// package (or of its part, a die) the package's: any of a counter's files will do, because a
/// thread may be switched off. AMD's processors have no such counters.
std::vector<std::vector<fs::path>> thermal_counters(const fs::path& root) {
  std::map<std::vector<std::string>, std::vector<fs::path>> files_of;
  for (const fs::path& thread : folder_entries(root / "sys/devices/system/cpu")) {
    const fs::path topology = thread / "topology";
    std::vector<std::string> owner = {first_word(topology / "physical_package_id"),
                                      first_word(topology / "die_id")};
    const auto add = [&](const char* name) {
      const fs::path file = thread / "thermal_throttle" / name;
      if (read_number_file(file)) {
        files_of[owner].push_back(file);
      }
    };
    add("package_throttle_count");
    const std::string core = first_word(topology / "core_id");
    const bool is_told = !owner.front().empty() && !core.empty();
    owner.push_back(is_told ? core : thread.filename().string()); // some containers hide topology/
    add("core_throttle_count");
  }
  std::vector<std::vector<fs::path>> counters;
  for (auto& [owner, files] : files_of) {
    counters.push_back(std::move(files));
  }
  return counters;
}

/// The count in the first of a counter's files that holds one.
std::optional<std::int64_t> thermal_count(const std::vector<fs::path>& files) {
  constexpr double kMost = 1e15;
  for (const fs::path& file : files) {
    const auto count = read_number_file(file);
    if (count && *count >= 0 && *count <= kMost) {
      return static_cast<std::int64_t>(*count);
    }
  }
  return std::nullopt;
}

/// Files with the temperature of the processor in thousandths of a degree.
std::vector<fs::path> temperature_files(const fs::path& root) {
  constexpr std::string_view kProcessorChips[] = {"coretemp", "k10temp", "zenpower", "cpu_thermal"};
  constexpr std::string_view kProcessorZones[] = {"x86_pkg_temp", "cpu-thermal", "cpu_thermal"};
  std::vector<fs::path> files;
  for (const fs::path& chip : folder_entries(root / "sys/class/hwmon")) {
    if (std::ranges::count(kProcessorChips, first_word(chip / "name")) == 0) {
      continue;
    }
    for (const fs::path& file : folder_entries(chip)) {
      if (is_input(file, "temp")) {
        files.push_back(file);
      }
    }
  }
  if (files.empty()) {
    for (const fs::path& zone : folder_entries(root / "sys/class/thermal")) {
      if (std::ranges::count(kProcessorZones, first_word(zone / "type")) != 0) {
        files.push_back(zone / "temp");
      }
    }
  }
  return files;
}

/// An energy counter that wraps around at its range.
struct EnergyCounter {
  fs::path file;
  double range_uj = 0;
  std::optional<double> last_uj;
  double sum_uj = 0;
};

/// One counter for each package: "intel-rapl:0", on AMD too. Leaves out a package's parts
/// ("intel-rapl:0:0"), which it includes, and "intel-rapl-mmio:0", a second view of the same
/// counter.
std::vector<EnergyCounter> energy_counters(const fs::path& root) {
  std::vector<EnergyCounter> counters;
  for (const fs::path& zone : folder_entries(root / "sys/class/powercap")) {
    if (first_word(zone / "name").starts_with("package") &&
        !zone.filename().string().starts_with("intel-rapl-mmio")) {
      counters.push_back(
          {zone / "energy_uj", read_number_file(zone / "max_energy_range_uj").value_or(0), {}, 0});
    }
  }
  return counters;
}

} // namespace

struct HostSensors::State {
  explicit State(fs::path folder)
      : root(std::move(folder)), processors(root), temperatures(temperature_files(root)),
        throttles(thermal_counters(root)), slow(root), energies(energy_counters(root)) {
    for (const fs::path& core : folder_entries(root / "sys/devices/system/cpu")) {
      if (const fs::path file = core / "cpufreq/scaling_cur_freq"; read_number_file(file)) {
        clocks.push_back(file);
      }
    }
  }

  void read_load(HostReading& reading);
  [[nodiscard]] std::optional<double> clock_hz() const;
  [[nodiscard]] std::optional<double> temperature_c() const;
  [[nodiscard]] std::optional<std::int64_t> thermal_events() const;
  [[nodiscard]] std::optional<double> energy_j();
  [[nodiscard]] std::optional<std::int64_t> swap_traffic() const;
  [[nodiscard]] std::vector<ProcessMemory> children_rss() const;

  fs::path root;
  ProcessorSensors processors;
  std::vector<fs::path> clocks;
  std::vector<fs::path> temperatures;
  std::vector<std::vector<fs::path>> throttles; ///< for each counter, the files that show it
  SlowSensorReader slow;
  std::vector<EnergyCounter> energies;
  std::vector<CoreTime> last_cores;
  double tick_s = 1.0 / static_cast<double>(::sysconf(_SC_CLK_TCK));
  std::int64_t page_bytes = ::sysconf(_SC_PAGESIZE);
};

void HostSensors::State::read_load(HostReading& reading) {
  const std::string stat = read_small_file(root / "proc/stat");
  reading.processors = processors.read(stat);
  CpuTimes now = cpu_times_from(stat);
  if (now.all) {
    reading.cpu_busy_s = now.all->busy * tick_s;
    reading.cpu_total_s = now.all->total * tick_s;
  }
  const auto ticked = [&](std::size_t i) {
    return now.cores[i].time.total > last_cores[i].time.total;
  };
  if (now.cores.size() == last_cores.size()) { // a core may be switched off and on
    constexpr double kPercent = 100;
    std::vector<double> loads;
    for (std::size_t i = 0; i < now.cores.size() && ticked(i); ++i) {
      const CpuTime& before = last_cores[i].time;
      const CpuTime& after = now.cores[i].time;
      loads.push_back(kPercent * (after.busy - before.busy) / (after.total - before.total));
    }
    if (loads.size() < now.cores.size()) {
      return; // too soon after the last look: the clock of these counters ticks every 10 ms
    }
    reading.core_load_percent = std::move(loads);
  }
  last_cores = std::move(now.cores);
}

std::optional<double> HostSensors::State::clock_hz() const {
  double sum = 0;
  double count = 0;
  for (const fs::path& file : clocks) {
    if (const auto khz = read_number_file(file)) {
      sum += *khz * kKilo;
      count += 1;
    }
  }
  return count > 0 ? std::optional(sum / count)
                   : clock_in_cpuinfo(read_small_file(root / "proc/cpuinfo"));
}

std::optional<double> HostSensors::State::temperature_c() const {
  std::optional<double> hottest;
  for (const fs::path& file : temperatures) {
    if (const auto value = read_number_file(file)) {
      hottest = std::max(hottest.value_or(*value * kMilli), *value * kMilli);
    }
  }
  return hottest;
}

/// Nothing if any counter cannot be read, or is no count.
std::optional<std::int64_t> HostSensors::State::thermal_events() const {
  std::int64_t sum = 0;
  for (const std::vector<fs::path>& files : throttles) {
    const auto count = thermal_count(files);
    if (!count) {
      return std::nullopt;
    }
    sum += *count;
  }
  return throttles.empty() ? std::nullopt : std::optional(sum);
}

/// The sum of all packages. Nothing if any cannot be read, because a partial sum would pass for the
/// whole.
std::optional<double> HostSensors::State::energy_j() {
  double sum = 0;
  for (EnergyCounter& counter : energies) {
    const auto now = read_number_file(counter.file);
    if (!now) {
      return std::nullopt;
    }
    const double step = *now - counter.last_uj.value_or(*now);
    counter.sum_uj += step < 0 ? step + counter.range_uj : step;
    counter.last_uj = now;
    sum += counter.sum_uj * kMicro;
  }
  return energies.empty() ? std::nullopt : std::optional(sum);
}

std::optional<std::int64_t> HostSensors::State::swap_traffic() const {
  const std::string vmstat = read_small_file(root / "proc/vmstat");
  const auto pages_in = number_after(vmstat, "pswpin");
  const auto pages_out = number_after(vmstat, "pswpout");
  return pages_in && pages_out
             ? std::optional(static_cast<std::int64_t>(*pages_in + *pages_out) * page_bytes)
             : std::nullopt;
}

std::vector<ProcessMemory> HostSensors::State::children_rss() const {
  std::vector<ProcessMemory> found;
  for (const std::int64_t pid : child_processes(root)) {
    const std::string statm = read_small_file(root / "proc" / std::to_string(pid) / "statm");
    std::string_view columns = statm; // size resident shared …, in pages
    static_cast<void>(take_number(columns));
    if (const auto pages = take_number(columns)) {
      found.push_back({pid, static_cast<std::int64_t>(*pages) * page_bytes});
    }
  }
  return found;
}

HostSensors::HostSensors(const fs::path& root) : state_(std::make_unique<State>(root)) {}
HostSensors::~HostSensors() = default;

std::filesystem::path HostSensors::refused_energy_counter() const {
  for (const EnergyCounter& counter : state_->energies) {
    std::error_code ignored;
    if (fs::exists(counter.file, ignored) && !read_number_file(counter.file)) {
      return counter.file;
    }
  }
  return {};
}

HostReading HostSensors::read() {
  HostReading reading;
  reading.energy_j = state_->energy_j(); // first, so that it is nearest to the requested time
  state_->read_load(reading);
  reading.clock_hz = state_->clock_hz();
  reading.temperature_c = state_->temperature_c();
  reading.thermal_events = state_->thermal_events();
  SlowReading slow = state_->slow.read();
  reading.fan_rpm = slow.fan_rpm;
  reading.other_temperature_c = slow.other_temperature_c;
  reading.other_sensor = std::move(slow.other_sensor);
  const std::string memory = read_small_file(state_->root / "proc/meminfo");
  reading.memory_available_bytes = proc_bytes(memory, "MemAvailable");
  const auto swap_total = proc_bytes(memory, "SwapTotal");
  const auto swap_free = proc_bytes(memory, "SwapFree");
  if (swap_total && swap_free) {
    reading.swap_used_bytes = *swap_total - *swap_free;
  }
  reading.swap_traffic_bytes = state_->swap_traffic();
  reading.workers = state_->children_rss();
  for (const ProcessMemory& worker : reading.workers) {
    reading.worker_rss_bytes = reading.worker_rss_bytes.value_or(0) + worker.rss_bytes;
  }
  return reading;
}

} // namespace sdbench
