// A stand-in for the driver's libnvidia-ml.so: three GPUs, in an order that no CUDA would give
// them. SDBENCH_FAKE_NVML holds words that change it, read at nvmlInit:
//   no_driver  nvmlInit fails          fails     every question about GPU 1 fails
//   bad_sensor GPU 1's temperature fails, as nothing else of it does
//   lost       GPU 1 is lost after its third reading of power
//   no_handle  GPU 1 is lost from the start
//   throttles  GPU 0 is slowed down by heat and by its power limit
//   mig        GPU 0 is split: no load, no process list
//   old        all are of a generation without energy counter, with the functions of an old driver
//   display    GPU 1 draws a display
//   busy       the process SDBENCH_FAKE_NVML_PROCESS and process 1 compute on GPU 0
//   draws      the processes 1 and 3 draw on GPU 0
//   full       GPU 0's memory is full, and a part of it the driver's own
//   slow_link  GPU 0's PCIe link is slower than it could be
//   mismatch   nvmlInit answers that driver and library are of different versions
//   hangs      nvmlInit never comes back
//   stalls     the second reading of GPU 1's power takes half a second
//   integrated no GPU has memory of its own
//   zero_load  GPU 0, split or not, has a load of 0 %
//   unknown    GPU 0's power and energy are NVML's words for "not available"
//   instances  GPU 0 is split, and processes are on two of its instances
//   reversed   the GPUs stand in the reverse order
//   vgpu       GPU 0 is a part of a card that a virtual machine has
//   xid        the third look at GPU 0's events finds the Xids 31 and 79
//   many_xids  GPU 0 has an Xid at every look
//   no_events  no GPU can report events
//   nonsense   GPU 0's facts are no possible values
// SDBENCH_FAKE_NVML_LIMIT_W is the power limit of all, else twice what they take.

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <thread>

namespace {

constexpr int kSuccess = 0;
constexpr int kInvalidArgument = 2;
constexpr int kNotSupported = 3;
constexpr int kInsufficientSize = 7;
constexpr int kDriverNotLoaded = 9;
constexpr int kFunctionNotFound = 13;
constexpr int kVersionMismatch = 18;
constexpr int kGpuIsLost = 15;
constexpr int kUnknown = 999;

constexpr unsigned long long kGib = 1ull << 30;

struct Gpu {
  const char* name;
  const char* uuid;
  unsigned bus;
  int major;
  int minor;
  unsigned cores;
  unsigned long long memory_gib;
  unsigned power_w;
  std::atomic<int> power_readings{0};
  std::atomic<unsigned long long> energy_readings{0};
  std::atomic<unsigned> replay_readings{0};
};

// In NVML's order, by PCI address; CUDA would begin with the fastest.
Gpu g_gpus[] = {
    {"Fake T4", "GPU-00000000-0000-0000-0000-0000000000aa", 0x17, 7, 5, 2560, 16, 50},
    {"Fake P100", "GPU-00000000-0000-0000-0000-0000000000bb", 0x65, 6, 0, 3584, 12, 100},
    {"Fake H100", "GPU-00000000-0000-0000-0000-0000000000cc", 0xca, 9, 0, 16896, 80, 200},
};

bool g_ready = false;
std::atomic<int> g_process_lists{0};
std::string g_words;

bool told(const char* word) {
  std::istringstream words(g_words);
  for (std::string each; words >> each;) {
    if (each == word) {
      return true;
    }
  }
  return false;
}

/// What every question about a GPU must answer first.
int state_of(const Gpu* gpu) {
  if (!g_ready || gpu == nullptr) {
    return kInvalidArgument;
  }
  if (gpu == &g_gpus[1]) {
    if (told("fails")) {
      return kUnknown;
    }
    if (told("lost") && gpu->power_readings >= 3) {
      return kGpuIsLost;
    }
  }
  return kSuccess;
}

/// Answers `value` if the GPU can answer at all.
template <typename Value>
int answer(const Gpu* gpu, Value value, Value* out) {
  const int state = state_of(gpu);
  if (state == kSuccess) {
    *out = value;
  }
  return state;
}

int answer_text(int state, const char* text, char* out, unsigned size) {
  if (state == kSuccess) {
    std::strncpy(out, text, size);
  }
  return state;
}

} // namespace

extern "C" {

/// For tests: how often the processes on a GPU were asked for.
int sdbench_fake_process_lists() {
  return g_process_lists;
}

struct PciInfo {
  char legacy_id[16];
  unsigned domain, bus, device, device_id, subsystem_id;
  char id[32];
};
struct MemoryV2 {
  unsigned version;
  unsigned long long total, reserved, free, used;
};
struct Memory {
  unsigned long long total, free, used;
};
struct Utilization {
  unsigned gpu, memory;
};
struct ProcessV1 {
  unsigned pid;
  unsigned long long used_memory;
};
struct ProcessV2 {
  unsigned pid;
  unsigned long long used_memory;
  unsigned gpu_instance, compute_instance;
};

const char* nvmlErrorString(int code) {
  return code == kGpuIsLost         ? "GPU is lost"
         : code == kVersionMismatch ? "Driver/library version mismatch"
         : code == kDriverNotLoaded ? "Driver Not Loaded"
                                    : "Unknown Error";
}

int nvmlInit_v2() {
  const char* const words = std::getenv("SDBENCH_FAKE_NVML");
  g_words = words == nullptr ? "" : words;
  while (told("hangs")) {
    std::this_thread::sleep_for(std::chrono::hours(1));
  }
  if (told("mismatch")) {
    return kVersionMismatch;
  }
  for (Gpu& gpu : g_gpus) {
    gpu.power_readings = 0;
    gpu.energy_readings = 0;
    gpu.replay_readings = 0;
  }
  g_ready = !told("no_driver");
  return g_ready ? kSuccess : kDriverNotLoaded;
}

int nvmlShutdown() {
  g_ready = false;
  return kSuccess;
}

int nvmlSystemGetDriverVersion(char* text, unsigned size) {
  return answer_text(g_ready ? kSuccess : kInvalidArgument, "999.11.22", text, size);
}

int nvmlSystemGetCudaDriverVersion_v2(int* version) {
  *version = 13000;
  return kSuccess;
}

int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = static_cast<unsigned>(std::size(g_gpus));
  return g_ready ? kSuccess : kInvalidArgument;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, Gpu** gpu) {
  if (index == 1 && told("no_handle")) {
    return kGpuIsLost;
  }
  *gpu = &g_gpus[told("reversed") ? std::size(g_gpus) - 1 - index : index];
  return kSuccess;
}

int nvmlDeviceGetName(Gpu* gpu, char* text, unsigned size) {
  return answer_text(state_of(gpu), gpu->name, text, size);
}

int nvmlDeviceGetUUID(Gpu* gpu, char* text, unsigned size) {
  return answer_text(state_of(gpu), gpu->uuid, text, size);
}

int nvmlDeviceGetPciInfo_v3(Gpu* gpu, PciInfo* info) {
  *info = {};
  info->bus = gpu->bus;
  info->subsystem_id = gpu == &g_gpus[0] ? 0x12a210de : gpu == &g_gpus[1] ? 0 : 0x40741458;
  return state_of(gpu);
}

int nvmlDeviceGetCudaComputeCapability(Gpu* gpu, int* major, int* minor) {
  *major = gpu->major;
  *minor = gpu->minor;
  return state_of(gpu);
}

int nvmlDeviceGetNumGpuCores(Gpu* gpu, unsigned* cores) {
  return told("old") ? kFunctionNotFound : answer(gpu, gpu->cores, cores);
}

static bool is_full(const Gpu* gpu) {
  return told("full") && gpu == &g_gpus[0];
}

// As the driver's own part is used memory for the older function, and not for the newer one.
static unsigned long long reserved_memory(const Gpu* gpu) {
  return is_full(gpu) ? kGib : 0;
}

static unsigned long long used_memory(const Gpu* gpu) {
  return is_full(gpu) ? gpu->memory_gib * kGib : kGib;
}

int nvmlDeviceGetMemoryInfo_v2(Gpu* gpu, MemoryV2* memory) {
  if (told("old") || told("integrated")) {
    return told("old") ? kFunctionNotFound : kNotSupported;
  }
  if (memory->version != (sizeof(MemoryV2) | 2u << 24)) {
    return kInvalidArgument;
  }
  const unsigned long long total = gpu->memory_gib * kGib;
  *memory = {memory->version, total, reserved_memory(gpu), total - used_memory(gpu),
             used_memory(gpu) - reserved_memory(gpu)};
  return state_of(gpu);
}

int nvmlDeviceGetMemoryInfo(Gpu* gpu, Memory* memory) {
  if (told("integrated")) {
    return kNotSupported;
  }
  const unsigned long long total = gpu->memory_gib * kGib;
  *memory = {total, total - used_memory(gpu), used_memory(gpu)};
  return state_of(gpu);
}

int nvmlDeviceGetUtilizationRates(Gpu* gpu, Utilization* load) {
  if (gpu == &g_gpus[0] && told("zero_load")) {
    return answer(gpu, Utilization{0, 0}, load);
  }
  if (told("mig") && gpu == &g_gpus[0]) {
    return kNotSupported;
  }
  return answer(gpu, Utilization{90, 40}, load);
}

int nvmlDeviceGetTemperature(Gpu* gpu, int sensor, unsigned* degrees) {
  if (told("bad_sensor") && gpu == &g_gpus[1]) {
    return kUnknown;
  }
  return sensor != 0 ? kInvalidArgument : answer(gpu, 60u, degrees);
}

int nvmlDeviceGetPowerUsage(Gpu* gpu, unsigned* milliwatts) {
  if (++gpu->power_readings == 2 && told("stalls") && gpu == &g_gpus[1]) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
  const bool is_unknown = told("unknown") && gpu == &g_gpus[0];
  return answer(gpu, is_unknown ? ~0u : gpu->power_w * 1000, milliwatts);
}

int nvmlDeviceGetEnforcedPowerLimit(Gpu* gpu, unsigned* milliwatts) {
  const char* const watts = std::getenv("SDBENCH_FAKE_NVML_LIMIT_W");
  const auto limit = watts == nullptr ? gpu->power_w * 2 : static_cast<unsigned>(std::stoul(watts));
  return answer(gpu, limit * 1000, milliwatts);
}

// Ten joules more each time it is read.
int nvmlDeviceGetTotalEnergyConsumption(Gpu* gpu, unsigned long long* millijoules) {
  if (told("old")) {
    return kNotSupported;
  }
  const bool is_unknown = told("unknown") && gpu == &g_gpus[0];
  return answer(gpu, is_unknown ? ~0ull : 10000 * ++gpu->energy_readings, millijoules);
}

int nvmlDeviceGetClockInfo(Gpu* gpu, int kind, unsigned* mhz) {
  return answer(gpu, kind == 1 ? 1200u : 5000u, mhz);
}

int nvmlDeviceGetMaxClockInfo(Gpu* gpu, int kind, unsigned* mhz) {
  return answer(gpu, kind == 1 ? 1500u : 5000u, mhz);
}

int nvmlDeviceGetFanSpeed(Gpu* gpu, unsigned* percent) {
  return gpu == &g_gpus[2] ? kNotSupported : answer(gpu, 30u, percent);
}

int nvmlDeviceGetCurrentClocksThrottleReasons(Gpu* gpu, unsigned long long* bits) {
  const bool slow = told("throttles") && gpu == &g_gpus[0];
  return answer(gpu, slow ? 0x44ull : 0x1ull, bits);
}

int nvmlDeviceGetMaxPcieLinkGeneration(Gpu* gpu, unsigned* generation) {
  return answer(gpu, 4u, generation);
}

int nvmlDeviceGetMaxPcieLinkWidth(Gpu* gpu, unsigned* width) {
  return answer(gpu, 16u, width);
}

int nvmlDeviceGetCurrPcieLinkGeneration(Gpu* gpu, unsigned* generation) {
  return answer(gpu, told("slow_link") && gpu == &g_gpus[0] ? 1u : 4u, generation);
}

int nvmlDeviceGetCurrPcieLinkWidth(Gpu* gpu, unsigned* width) {
  return answer(gpu, told("slow_link") && gpu == &g_gpus[0] ? 8u : 16u, width);
}

int nvmlDeviceGetEccMode(Gpu* gpu, unsigned* now, unsigned* after_restart) {
  *after_restart = 0;
  return gpu == &g_gpus[1] ? kNotSupported : answer(gpu, gpu == &g_gpus[2] ? 1u : 0u, now);
}

int nvmlDeviceGetMigMode(Gpu* gpu, unsigned* now, unsigned* after_restart) {
  *after_restart = 0;
  const bool is_split = (told("mig") || told("instances")) && gpu == &g_gpus[0];
  return is_split ? answer(gpu, 1u, now) : kNotSupported;
}

int nvmlDeviceGetDisplayActive(Gpu* gpu, unsigned* active) {
  return answer(gpu, told("display") && gpu == &g_gpus[1] ? 1u : 0u, active);
}

int nvmlDeviceGetVbiosVersion(Gpu* gpu, char* text, unsigned size) {
  return answer_text(state_of(gpu), "96.00.5E.00.01", text, size);
}

struct Bar1Memory {
  unsigned long long total, free, used;
};

static bool is_nonsense(const Gpu* gpu) {
  return told("nonsense") && gpu == &g_gpus[0];
}

int nvmlDeviceGetBAR1MemoryInfo(Gpu* gpu, Bar1Memory* memory) {
  const unsigned long long total = is_nonsense(gpu) ? 0 : kGib / 4;
  return answer(gpu, Bar1Memory{total, total, 0}, memory);
}

int nvmlDeviceGetPowerManagementDefaultLimit(Gpu* gpu, unsigned* milliwatts) {
  return answer(gpu, is_nonsense(gpu) ? ~0u : gpu->power_w * 2000, milliwatts);
}

int nvmlDeviceGetPowerManagementLimitConstraints(Gpu* gpu, unsigned* least, unsigned* greatest) {
  *least = gpu->power_w * (is_nonsense(gpu) ? 9000 : 1000);
  return answer(gpu, gpu->power_w * 3000, greatest);
}

int nvmlDeviceGetPersistenceMode(Gpu* gpu, unsigned* mode) {
  return told("old") ? kNotSupported : answer(gpu, gpu == &g_gpus[0] ? 0u : 1u, mode);
}

int nvmlDeviceGetVirtualizationMode(Gpu* gpu, unsigned* mode) {
  const bool is_vgpu = told("vgpu") && gpu == &g_gpus[0];
  return answer(gpu, is_nonsense(gpu) ? 99u : is_vgpu ? 2u : 0u, mode);
}

// Seven more each time it is read.
int nvmlDeviceGetPcieReplayCounter(Gpu* gpu, unsigned* replays) {
  return answer(gpu, 7 * ++gpu->replay_readings, replays);
}

struct EventSet {
  Gpu* gpu;
  int looks;
};

int nvmlEventSetCreate(EventSet** set) {
  *set = new EventSet{};
  return kSuccess;
}

int nvmlEventSetFree(EventSet* set) {
  delete set;
  return kSuccess;
}

int nvmlDeviceRegisterEvents(Gpu* gpu, unsigned long long types, EventSet* set) {
  set->gpu = gpu;
  return told("no_events") ? kNotSupported : types == 8 ? state_of(gpu) : kInvalidArgument;
}

struct EventData {
  Gpu* gpu;
  unsigned long long type, data;
  unsigned gpu_instance, compute_instance;
};

int nvmlEventSetWait_v2(EventSet* set, EventData* event, unsigned milliseconds) {
  constexpr int kTimeout = 10;
  const int look = ++set->looks;
  const bool is_first = set->gpu == &g_gpus[0];
  if (const int state = state_of(set->gpu); state != kSuccess || milliseconds != 0) {
    return state != kSuccess ? state : kInvalidArgument;
  }
  if (is_first && (told("many_xids") || (told("xid") && (look == 3 || look == 4)))) {
    *event = {set->gpu, 8, look == 3 ? 31ull : 79ull, ~0u, ~0u};
    return kSuccess;
  }
  return kTimeout;
}

static int processes(Gpu* gpu, unsigned* count, const unsigned** ids) {
  static unsigned list[2];
  if (told("mig")) {
    return kNotSupported;
  }
  const char* const ours = std::getenv("SDBENCH_FAKE_NVML_PROCESS");
  list[0] = ours == nullptr ? 2 : static_cast<unsigned>(std::atoi(ours));
  list[1] = 1;
  const unsigned there = (told("busy") || told("instances")) && gpu == &g_gpus[0] ? 2 : 0;
  *ids = list;
  const bool fits = *count >= there;
  *count = there;
  return fits ? state_of(gpu) : kInsufficientSize;
}

int nvmlDeviceGetComputeRunningProcesses_v3(Gpu* gpu, unsigned* count, ProcessV2* out) {
  const unsigned* ids = nullptr;
  const int code = told("old") ? kFunctionNotFound : processes(gpu, count, &ids);
  ++g_process_lists;
  for (unsigned i = 0; code == kSuccess && i < *count; ++i) {
    const unsigned instance = told("instances") ? 1 + i : ~0u;
    out[i] = {ids[i], kGib, instance, instance};
  }
  return code;
}

int nvmlDeviceGetComputeRunningProcesses(Gpu* gpu, unsigned* count, ProcessV1* out) {
  const unsigned* ids = nullptr;
  const int code = processes(gpu, count, &ids);
  for (unsigned i = 0; code == kSuccess && i < *count; ++i) {
    out[i] = {ids[i], kGib};
  }
  return code;
}

static int drawing(Gpu* gpu, unsigned* count, const unsigned** ids) {
  static const unsigned list[] = {1, 3};
  const unsigned there = told("draws") && gpu == &g_gpus[0] ? 2 : 0;
  *ids = list;
  const bool fits = *count >= there;
  *count = there;
  return fits ? state_of(gpu) : kInsufficientSize;
}

int nvmlDeviceGetGraphicsRunningProcesses_v3(Gpu* gpu, unsigned* count, ProcessV2* out) {
  const unsigned* ids = nullptr;
  const int code = told("old") ? kFunctionNotFound : drawing(gpu, count, &ids);
  for (unsigned i = 0; code == kSuccess && i < *count; ++i) {
    out[i] = {ids[i], kGib, 0, 0};
  }
  return code;
}

int nvmlDeviceGetGraphicsRunningProcesses(Gpu* gpu, unsigned* count, ProcessV1* out) {
  const unsigned* ids = nullptr;
  const int code = drawing(gpu, count, &ids);
  for (unsigned i = 0; code == kSuccess && i < *count; ++i) {
    out[i] = {ids[i], kGib};
  }
  return code;
}

} // extern "C"
