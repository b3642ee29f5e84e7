#include "sdbench/base/telemetry/nvml.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "nvml_abi.h"
#include "nvml_functions.h"
#include "sdbench/base/core/error.h"
#include "sdbench/base/device/gpu_names.h"

namespace sdbench {
namespace {

using nvml::BigNumber;
using nvml::Device;
using nvml::Number;

constexpr double kHzPerMhz = 1e6;
constexpr double kPerMilli = 1e-3;

/// NVML says so of a GPU that is gone until it is reset, whichever sensor was asked. Any other
/// code, "unknown error" included, is of the one sensor.
bool is_gpu_failure(int code) {
  return code == nvml::kGpuIsLost || code == nvml::kResetRequired;
}

std::string on_or_off(int code, Number value) {
  return code != nvml::kSuccess ? "" : value != 0 ? "on" : "off";
}

std::optional<std::int64_t> whole(std::optional<double> value) {
  return value ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
}

template <typename Process>
using ProcessList = nvml::Function<Device, Number*, Process*>;

template <typename Process>
std::optional<std::vector<std::int64_t>> ids_of(Device device, const ProcessList<Process>& list) {
  // Processes come and go between two calls, so there is room for more than were counted.
  constexpr Number kFirstRoom = 64;
  constexpr Number kMostRoom = 4096;
  for (Number room = kFirstRoom; room <= kMostRoom; room *= 4) {
    std::vector<Process> processes(room);
    Number count = room;
    const int code = list(device, &count, processes.data());
    if (code == nvml::kSuccess) {
      std::vector<std::int64_t> found;
      for (Number i = 0; i < std::min(count, room); ++i) {
        found.push_back(processes[i].pid);
      }
      return found;
    }
    if (code != nvml::kInsufficientSize) {
      break;
    }
  }
  return std::nullopt;
}

/// By the newer function, or else the older one.
std::optional<std::vector<std::int64_t>> process_ids(Device device,
                                                     const ProcessList<nvml::ProcessV2>& newer,
                                                     const ProcessList<nvml::ProcessV1>& older) {
  const auto ids = ids_of(device, newer);
  return ids ? ids : ids_of(device, older);
}

} // namespace

struct Nvml::Library : nvml::Functions {
  explicit Library(const std::string& file) : Functions(file) {}

  struct Gpu {
    Device device = nullptr;
    std::string problem; ///< why there is no handle
  };
  std::vector<Gpu> gpus;
  bool initialised = false;

  void start() {
    check(init(), "nvmlInit_v2()");
    initialised = true;
    Number found = 0;
    check(count(&found), "nvmlDeviceGetCount_v2()");
    for (Number i = 0; i < found; ++i) {
      Gpu& gpu = gpus.emplace_back();
      if (const int code = handle(i, &gpu.device); code != nvml::kSuccess) {
        gpu = {nullptr, error_text(code)};
      }
    }
  }
  ~Library() {
    if (initialised) {
      shutdown();
    }
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  [[nodiscard]] std::string error_text(int code) const {
    using ErrorString = const char* (*)(int);
    const auto text = reinterpret_cast<ErrorString>(::dlsym(at, "nvmlErrorString"));
    const char* const words = text == nullptr ? nullptr : text(code);
    return words == nullptr ? "NVML's error " + std::to_string(code) : words;
  }

  void check(int code, const char* expression) const {
    if (code != nvml::kSuccess) {
      throw Error(std::string(expression) + " failed: " + error_text(code));
    }
  }

  /// What `function` gives for a GPU, times `scale`; the first failure of the GPU itself goes into
  /// `problem`.
  template <typename Value, typename AnyFunction, typename... Selector>
  std::optional<double> ask(std::string& problem, double scale, const AnyFunction& function,
                            Device device, Selector... selector) const {
    Value value = 0;
    const int code = function(device, selector..., &value);
    if (is_gpu_failure(code) && problem.empty()) {
      problem = error_text(code);
    }
    return code == nvml::kSuccess ? std::optional(static_cast<double>(value) * scale)
                                  : std::nullopt;
  }

  struct MemoryUse {
    std::optional<std::int64_t> total;
    std::optional<std::int64_t> free;
    std::optional<std::int64_t> used;
  };
  [[nodiscard]] MemoryUse memory(Device device) const {
    nvml::MemoryV2 newer{nvml::kMemoryV2Version, 0, 0, 0, 0};
    nvml::Memory older{};
    if (memory_v2(device, &newer) == nvml::kSuccess) {
      return {newer.total, newer.free, newer.used};
    }
    if (memory_v1(device, &older) == nvml::kSuccess) {
      return {older.total, older.free, older.used};
    }
    return {};
  }

  void read_identity(GpuFacts& facts, Device device) const;
  void read_limits(GpuFacts& facts, Device device) const;
  [[nodiscard]] GpuReading read(const Gpu& gpu) const;
};

void Nvml::Library::read_identity(GpuFacts& facts, Device device) const {
  std::array<char, nvml::kTextSize> text{};
  if (const int code = name(device, text.data(), nvml::kTextSize); code == nvml::kSuccess) {
    facts.name = text.data();
  } else {
    facts.problem = error_text(code); // one that does not even tell its name
  }
  if (uuid(device, text.data(), nvml::kTextSize) == nvml::kSuccess) {
    facts.uuid = text.data();
  }
  if (driver_version(text.data(), nvml::kTextSize) == nvml::kSuccess) {
    facts.driver_version = text.data();
  }
  if (int version = 0; cuda_version(&version) == nvml::kSuccess) {
    facts.cuda_driver_version = cuda_version_text(version);
  }
  if (nvml::PciInfo pci{}; pci_info(device, &pci) == nvml::kSuccess) {
    facts.pci_address = pci_address_text(pci.domain, pci.bus, pci.device);
  }
  int major = 0;
  int minor = 0;
  if (compute_capability(device, &major, &minor) == nvml::kSuccess) {
    facts.compute_major = major;
    facts.compute_minor = minor;
  }
}

void Nvml::Library::read_limits(GpuFacts& facts, Device device) const {
  std::string& problem = facts.problem;
  facts.core_count = whole(ask<Number>(problem, 1, core_count, device));
  const MemoryUse use = memory(device);
  facts.memory_total_bytes = use.total;
  facts.memory_free_bytes = use.free;
  facts.max_sm_clock_hz = ask<Number>(problem, kHzPerMhz, max_clock, device, nvml::kSmClock);
  facts.max_memory_clock_hz =
      ask<Number>(problem, kHzPerMhz, max_clock, device, nvml::kMemoryClock);
  facts.power_limit_w = ask<Number>(problem, kPerMilli, power_limit, device);
  Number now = 0;
  Number after_restart = 0;
  const int ecc_code = ecc(device, &now, &after_restart);
  facts.ecc = on_or_off(ecc_code, now);
  const int mig_code = mig(device, &now, &after_restart);
  facts.mig = on_or_off(mig_code, now);
  facts.pcie_generation = whole(ask<Number>(problem, 1, pcie_generation, device));
  facts.pcie_width = whole(ask<Number>(problem, 1, pcie_width, device));
  if (const auto active = ask<Number>(problem, 1, display_active, device)) {
    facts.display_active = *active != 0;
  }
}

GpuReading Nvml::Library::read(const Gpu& gpu) const {
  GpuReading reading;
  std::string& problem = reading.problem = gpu.problem;
  const Device device = gpu.device;
  if (device == nullptr) {
    return reading;
  }
  // Energy first: it is the reading that must be nearest to the moment that was asked for.
  reading.energy_j = ask<BigNumber>(problem, kPerMilli, energy, device);
  reading.power_w = ask<Number>(problem, kPerMilli, power, device);
  reading.temperature_c = ask<Number>(problem, 1, temperature, device, nvml::kGpuTemperature);
  reading.sm_clock_hz = ask<Number>(problem, kHzPerMhz, clock, device, nvml::kSmClock);
  reading.memory_clock_hz = ask<Number>(problem, kHzPerMhz, clock, device, nvml::kMemoryClock);
  reading.fan_percent = ask<Number>(problem, 1, fan, device);
  reading.pcie_generation = whole(ask<Number>(problem, 1, pcie_generation_now, device));
  reading.pcie_width = whole(ask<Number>(problem, 1, pcie_width_now, device));
  const MemoryUse use = memory(device);
  reading.memory_used_bytes = use.used;
  reading.memory_free_bytes = use.free;
  if (nvml::Utilization load{}; utilization(device, &load) == nvml::kSuccess) {
    reading.load_percent = load.gpu;
  }
  if (BigNumber bits = 0; throttle_reasons(device, &bits) == nvml::kSuccess) {
    reading.throttle_reasons = bits;
  }
  return reading;
}

Nvml::Nvml(const std::string& library) : library_(std::make_unique<Library>(library)) {
  library_->start();
}
Nvml::~Nvml() = default;
Nvml::Nvml(Nvml&&) noexcept = default;
Nvml& Nvml::operator=(Nvml&&) noexcept = default;

std::vector<GpuFacts> Nvml::facts() const {
  std::vector<GpuFacts> all;
  for (const Library::Gpu& gpu : library_->gpus) {
    GpuFacts& facts = all.emplace_back();
    facts.index = all.size() - 1;
    facts.problem = gpu.problem;
    if (gpu.device != nullptr) {
      library_->read_identity(facts, gpu.device);
      library_->read_limits(facts, gpu.device);
    }
  }
  return all;
}

std::vector<GpuReading> Nvml::read() const {
  std::vector<GpuReading> readings;
  for (const Library::Gpu& gpu : library_->gpus) {
    readings.push_back(library_->read(gpu));
  }
  return readings;
}

std::optional<GpuProcessIds> Nvml::processes(std::size_t gpu) const {
  const Device device = library_->gpus.at(gpu).device;
  if (device == nullptr) {
    return std::nullopt;
  }
  auto computing = process_ids(device, library_->compute_v2, library_->compute_v1);
  if (!computing) {
    return std::nullopt;
  }
  GpuProcessIds ids{*std::move(computing), {}};
  ids.drawing = process_ids(device, library_->graphics_v2, library_->graphics_v1)
                    .value_or(std::vector<std::int64_t>());
  std::erase_if(ids.drawing, [&ids](std::int64_t id) { // many programs do both
    return std::ranges::count(ids.computing, id) > 0;
  });
  return ids;
}

std::unique_ptr<Nvml> open_nvml(std::string& problem) {
  const char* const chosen = std::getenv("SDBENCH_NVML");
  const std::string library = chosen == nullptr ? "libnvidia-ml.so.1" : chosen;
  if (library.empty()) {
    return nullptr;
  }
  try {
    return std::make_unique<Nvml>(library);
  } catch (const Error& error) {
    problem = error.what();
    return nullptr;
  }
}

std::vector<GpuFacts> nvml_gpus() {
  std::string problem;
  const auto nvml = open_nvml(problem);
  return nvml ? nvml->facts() : std::vector<GpuFacts>();
}

} // namespace sdbench
