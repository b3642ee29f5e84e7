#include "nvml_reader.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <limits>

#include "sdbench/base/device/gpu_names.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/listed.h"

namespace sdbench::nvml {
namespace {

constexpr double kHzPerMhz = 1e6;
constexpr double kPerMilli = 1e-3;
constexpr Number kMostGpus = 1024; ///< no machine has more: a greater count is wrong

/// True for the codes that NVML returns from every sensor of a GPU that is gone until it is reset.
/// Any other code, "unknown error" included, concerns one sensor only.
bool is_gpu_failure(int code) {
  return code == kGpuIsLost || code == kResetRequired;
}

/// False for NVML_VALUE_NOT_AVAILABLE, which a call that succeeds may also return.
template <typename Value>
bool is_told(Value value) {
  return value != std::numeric_limits<Value>::max();
}

std::string on_or_off(int code, Number value) {
  return code != kSuccess ? "" : value != 0 ? "on" : "off";
}

/// "1458:4074" of 0x40741458, whose lower half is the maker.
std::string board_text(Number subsystem_id) {
  constexpr unsigned kHalf = 16;
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%04x:%04x", subsystem_id & 0xffffu,
                subsystem_id >> kHalf);
  return subsystem_id == 0 ? "" : text.data();
}

/// nvmlGpuVirtualizationMode_t. Empty for a mode that is not documented.
std::string virtualisation_text(int code, Number mode) {
  constexpr const char* kModes[] = {"none", "passthrough", kVgpu, "host_vgpu", "host_vsga"};
  return code == kSuccess && mode < std::size(kModes) ? kModes[mode] : "";
}

std::optional<std::int64_t> whole(std::optional<double> value) {
  return value ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
}

template <typename Process>
using ProcessList = Function<Device, Number*, Process*>;

template <typename Process>
std::optional<std::vector<Process>> list_of(Device device, const ProcessList<Process>& list) {
  // Processes come and go between two calls, so there is room for more than were counted.
  constexpr Number kFirstRoom = 64;
  constexpr Number kMostRoom = 4096;
  for (Number room = kFirstRoom; room <= kMostRoom; room *= 4) {
    std::vector<Process> processes(room);
    Number count = room;
    const int code = list(device, &count, processes.data());
    if (code == kSuccess) {
      processes.resize(std::min(count, room));
      return processes;
    }
    if (code != kInsufficientSize) {
      break;
    }
  }
  return std::nullopt;
}

/// Uses the newer function if it works, else the older one, which does not report instances.
std::optional<std::vector<ProcessV2>> process_list(Device device,
                                                   const ProcessList<ProcessV2>& newer,
                                                   const ProcessList<ProcessV1>& older) {
  if (auto processes = list_of(device, newer)) {
    return processes;
  }
  const auto old = list_of(device, older);
  if (!old) {
    return std::nullopt;
  }
  return mapped(*old, [](const ProcessV1& process) {
    return ProcessV2{process.pid, process.used_memory, kNoInstance, kNoInstance};
  });
}

} // namespace

Reader::Reader(const std::string& file) : Functions(file) {
  check(init(), "nvmlInit_v2()");
  Number found = 0;
  if (const int code = count(&found); code != kSuccess || found > kMostGpus) {
    shutdown();
    check(code, "nvmlDeviceGetCount_v2()");
    throw Error("NVML must tell how many GPUs there are, but tells " + std::to_string(found));
  }
  for (Number i = 0; i < found; ++i) {
    Gpu& gpu = gpus_.emplace_back();
    if (const int code = handle(i, &gpu.device); code != kSuccess) {
      gpu.device = nullptr;
      gpu.problem = error_text(code);
    } else {
      gpu.is_split = split_mode(gpu.device) == "on";
      watch_xids(gpu);
    }
  }
}

Reader::~Reader() {
  for (const Gpu& gpu : gpus_) {
    if (gpu.xids != nullptr) {
      free_event_set(gpu.xids);
    }
  }
  shutdown();
}

std::string Reader::error_text(int code) const {
  using ErrorString = const char* (*)(int);
  const auto text = reinterpret_cast<ErrorString>(::dlsym(at, "nvmlErrorString"));
  const char* const words = text == nullptr ? nullptr : text(code);
  return words == nullptr ? "NVML's error " + std::to_string(code) : words;
}

void Reader::check(int code, const char* expression) const {
  if (code != kSuccess) {
    throw Error(std::string(expression) + " failed: " + error_text(code));
  }
}

/// The result of `function` for a GPU, times `scale`. Stores the first failure of the GPU itself in
/// `problem`.
template <typename Value, typename AnyFunction, typename... Selector>
std::optional<double> Reader::ask(std::string& problem, double scale, const AnyFunction& function,
                                  Device device, Selector... selector) const {
  Value value = 0;
  const int code = function(device, selector..., &value);
  if (is_gpu_failure(code) && problem.empty()) {
    problem = error_text(code);
  }
  return code == kSuccess && is_told(value) ? std::optional(static_cast<double>(value) * scale)
                                            : std::nullopt;
}

std::string Reader::split_mode(Device device) const {
  Number now = 0;
  Number after_restart = 0;
  const int code = mig(device, &now, &after_restart);
  return on_or_off(code, now);
}

/// Empty if the GPU shares the host's memory and has no memory of its own.
Reader::MemoryUse Reader::memory(Device device) const {
  MemoryV2 newer{kMemoryV2Version, 0, 0, 0, 0};
  Memory older{};
  if (memory_v2(device, &newer) != kSuccess) {
    newer = {};
    if (memory_v1(device, &older) == kSuccess) {
      newer = {0, older.total, 0, older.free, older.used};
    }
  }
  return newer.total == 0 ? MemoryUse{} : MemoryUse{newer.total, newer.free, newer.used};
}

void Reader::read_identity(GpuFacts& facts, Device device) const {
  std::array<char, kTextSize + 1> text{}; // whatever NVML writes, a null ends it
  if (const int code = name(device, text.data(), kTextSize); code == kSuccess) {
    facts.name = text.data();
  } else {
    facts.problem = error_text(code); // not even its name can be read
  }
  if (uuid(device, text.data(), kTextSize) == kSuccess) {
    facts.uuid = text.data();
  }
  if (driver_version(text.data(), kTextSize) == kSuccess) {
    facts.driver_version = text.data();
  }
  if (int version = 0; cuda_version(&version) == kSuccess) {
    facts.cuda_driver_version = cuda_version_text(version);
  }
  if (PciInfo pci{}; pci_info(device, &pci) == kSuccess) {
    facts.pci_address = pci_address_text(pci.domain, pci.bus, pci.device);
    facts.board_id = board_text(pci.subsystem_id);
  }
  if (vbios_version(device, text.data(), kTextSize) == kSuccess) {
    facts.vbios_version = text.data();
  }
  Number mode = 0;
  const int persistence_code = persistence_mode(device, &mode);
  facts.persistence_mode = on_or_off(persistence_code, mode);
  const int virtualisation_code = virtualisation(device, &mode);
  facts.virtualisation = virtualisation_text(virtualisation_code, mode);
  int major = 0;
  int minor = 0;
  if (compute_capability(device, &major, &minor) == kSuccess) {
    facts.compute_major = major;
    facts.compute_minor = minor;
  }
}

/// Leaves out a range whose least limit is above its greatest.
void Reader::read_power_limits(GpuFacts& facts, Device device) const {
  facts.power_limit_w = ask<Number>(facts.problem, kPerMilli, power_limit, device);
  facts.power_limit_default_w = ask<Number>(facts.problem, kPerMilli, power_limit_default, device);
  Number least = 0;
  Number greatest = 0;
  if (power_limit_range(device, &least, &greatest) == kSuccess && least <= greatest &&
      greatest > 0 && is_told(greatest)) {
    facts.power_limit_least_w = least * kPerMilli;
    facts.power_limit_greatest_w = greatest * kPerMilli;
  }
}

void Reader::read_limits(GpuFacts& facts, Device device) const {
  std::string& problem = facts.problem;
  facts.core_count = whole(ask<Number>(problem, 1, core_count, device));
  const MemoryUse use = memory(device);
  facts.memory_total_bytes = use.total;
  facts.memory_free_bytes = use.free;
  facts.max_sm_clock_hz = ask<Number>(problem, kHzPerMhz, max_clock, device, kSmClock);
  facts.max_memory_clock_hz = ask<Number>(problem, kHzPerMhz, max_clock, device, kMemoryClock);
  read_power_limits(facts, device);
  if (Bar1Memory bar1{}; bar1_memory(device, &bar1) == kSuccess && bar1.total > 0) {
    facts.bar1_bytes = static_cast<std::int64_t>(bar1.total);
  }
  Number now = 0;
  Number after_restart = 0;
  const int ecc_code = ecc(device, &now, &after_restart);
  facts.ecc = on_or_off(ecc_code, now);
  facts.mig = split_mode(device);
  facts.pcie_generation = whole(ask<Number>(problem, 1, pcie_generation, device));
  facts.pcie_width = whole(ask<Number>(problem, 1, pcie_width, device));
  if (const auto active = ask<Number>(problem, 1, display_active, device)) {
    facts.display_active = *active != 0;
  }
}

/// Each GPU has a set of its own, so that a lost GPU does not hide the others' Xids. Events need no
/// root, while the kernel's log, which also has them, does on most systems.
void Reader::watch_xids(Gpu& gpu) const {
  EventSet set = nullptr;
  if (create_event_set(&set) != kSuccess || set == nullptr) {
    return;
  }
  if (register_events(gpu.device, kXidEvent, set) == kSuccess) {
    gpu.xids = set;
  } else {
    free_event_set(set);
  }
}

/// Takes the Xids that are there, without waiting.
void Reader::take_xids(Gpu& gpu) const {
  constexpr int kMostAtOnce = 100; // bounds the loop, whatever the library answers
  constexpr Number kNoWait = 0;    // milliseconds
  EventData event{};
  for (int i = 0; i < kMostAtOnce && wait_for_event(gpu.xids, &event, kNoWait) == kSuccess; ++i) {
    if (event.type == kXidEvent) {
      ++gpu.xid_count;
      gpu.xid_last = static_cast<std::int64_t>(event.data);
    }
  }
}

GpuReading Reader::read(Gpu& gpu) const {
  GpuReading reading;
  std::string& problem = reading.problem = gpu.problem;
  const Device device = gpu.device;
  if (device == nullptr) {
    return reading;
  }
  // Energy first: it must be nearest to the requested time.
  reading.energy_j = ask<BigNumber>(problem, kPerMilli, energy, device);
  reading.power_w = ask<Number>(problem, kPerMilli, power, device);
  reading.temperature_c = ask<Number>(problem, 1, temperature, device, kGpuTemperature);
  reading.sm_clock_hz = ask<Number>(problem, kHzPerMhz, clock, device, kSmClock);
  reading.memory_clock_hz = ask<Number>(problem, kHzPerMhz, clock, device, kMemoryClock);
  reading.fan_percent = ask<Number>(problem, 1, fan, device);
  reading.pcie_generation = whole(ask<Number>(problem, 1, pcie_generation_now, device));
  reading.pcie_width = whole(ask<Number>(problem, 1, pcie_width_now, device));
  reading.pcie_replays = whole(ask<Number>(problem, 1, pcie_replays, device));
  if (gpu.xids != nullptr) {
    take_xids(gpu);
    reading.xid_count = gpu.xid_count;
    reading.xid_last = gpu.xid_last;
  }
  const MemoryUse use = memory(device);
  reading.memory_used_bytes = use.used;
  reading.memory_free_bytes = use.free;
  // For a split GPU, NVML reports no load, or 0 % even if its instances are busy.
  if (Utilization load{}; !gpu.is_split && utilization(device, &load) == kSuccess) {
    reading.load_percent = load.gpu;
  }
  if (BigNumber bits = 0; throttle_reasons(device, &bits) == kSuccess) {
    reading.throttle_reasons = bits;
  }
  return reading;
}

std::vector<GpuFacts> Reader::facts() const {
  std::vector<GpuFacts> all;
  for (const Gpu& gpu : gpus_) {
    GpuFacts& facts = all.emplace_back();
    facts.index = all.size() - 1;
    facts.problem = gpu.problem;
    if (gpu.device != nullptr) {
      read_identity(facts, gpu.device);
      read_limits(facts, gpu.device);
    }
  }
  return all;
}

std::vector<GpuReading> Reader::read() {
  return mapped(gpus_, [this](Gpu& gpu) { return read(gpu); });
}

std::optional<GpuProcessIds> Reader::processes(std::size_t gpu) const {
  const Device device = gpus_.at(gpu).device;
  if (device == nullptr) {
    return std::nullopt;
  }
  const auto computing = process_list(device, compute_v2, compute_v1);
  if (!computing) {
    return std::nullopt;
  }
  GpuProcessIds ids;
  for (const ProcessV2& process : *computing) {
    ids.computing.push_back(process.pid);
    if (process.gpu_instance != kNoInstance) {
      ids.instances[process.pid] = process.gpu_instance;
    }
  }
  const auto drawing = process_list(device, graphics_v2, graphics_v1);
  for (const ProcessV2& process : drawing.value_or(std::vector<ProcessV2>())) {
    if (std::ranges::count(ids.computing, process.pid) == 0) { // many programs do both
      ids.drawing.push_back(process.pid);
    }
  }
  return ids;
}

} // namespace sdbench::nvml
