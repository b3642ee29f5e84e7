#include "sdbench/front/bench/environment.h"

#include <array>
#include <cstdlib>
#include <random>
#include <string_view>

#include "sdbench/base/device/cpu_cores.h"
#include "sdbench/base/device/environment_settings.h"
#include "sdbench/base/device/host.h"
#include "sdbench/base/system/build_info.h"
#include "sdbench/front/machine/machine_state.h"

namespace sdbench {
namespace {

/// The first is libtorch's and ours; the others are oneDNN's, the last under its older name.
constexpr const char* kInstructionVariables[] = {"ATEN_CPU_CAPABILITY", "ONEDNN_MAX_CPU_ISA",
                                                 "DNNL_MAX_CPU_ISA"};

/// Variables of the driver, cuBLAS, cuDNN and libtorch that change results or speed. Sources:
/// "CUDA environment variables" in the CUDA programming guide and in PyTorch's documentation,
/// cuDNN's troubleshooting page, and the names within libtorch 2.11.0's libraries.
constexpr const char* kCudaVariables[] = {
    "CUDA_LAUNCH_BLOCKING",
    "CUDA_MODULE_LOADING",
    "CUDA_MODULE_DATA_LOADING",
    "CUDA_DEVICE_MAX_CONNECTIONS",
    "CUDA_DEVICE_MAX_COPY_CONNECTIONS",
    "CUDA_SCALE_LAUNCH_QUEUES",
    "CUDA_AUTO_BOOST",
    "CUDA_FORCE_JIT",
    "CUDA_FORCE_PTX_JIT",
    "CUDA_DISABLE_JIT",
    "CUDA_DISABLE_PTX_JIT",
    "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE",
    "NVIDIA_TF32_OVERRIDE",
    "CUBLAS_WORKSPACE_CONFIG",
    "CUBLAS_EMULATE_SINGLE_PRECISION",
    "CUBLAS_EMULATION_STRATEGY",
    "CUBLAS_LOGINFO_DBG",
    "CUBLASLT_WORKSPACE_SIZE",
    "CUBLASLT_HEURISTICS_CACHE_CAPACITY",
    "CUBLASLT_LOG_LEVEL",
    "CUBLASLT_LOG_MASK",
    "CUDNN_CONV_WSCAP_DBG",
    "CUDNN_ERRATA_JSON_FILE",
    "CUDNN_FRONTEND_ATTN_DP_WORKSPACE_LIMIT",
    "CUDNN_LOGINFO_DBG",
    "CUDNN_LOGLEVEL_DBG",
    "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE",
    "TORCH_BLAS_PREFER_CUBLASLT",
    "TORCH_CUBLASLT_UNIFIED_WORKSPACE",
    "TORCH_CUDNN_SDPA_AVOID_RECOMPILE",
    "TORCH_CUDNN_SDPA_DEPRIORITIZED",
    "TORCH_CUDNN_USE_HEURISTIC_MODE_B",
    "TORCH_CUDNN_V8_API_DEBUG",
    "TORCH_CUDNN_V8_API_DISABLED",
    "TORCH_CUDNN_V8_API_LRU_CACHE_LIMIT",
    "DISABLE_ADDMM_CUDA_LT",
    "PYTORCH_NO_CUDA_MEMORY_CACHING",
    "PYTORCH_TUNABLEOP_ENABLED",
    "PYTORCH_TUNABLEOP_TUNING",
};

/// An environment variable; empty if it is not set.
std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// libtorch reads the newer name first. An older libtorch or a different engine may read the other
/// one, so both are recorded if they differ.
std::string allocator_config() {
  const std::string newer = variable("PYTORCH_ALLOC_CONF");
  const std::string older = variable("PYTORCH_CUDA_ALLOC_CONF");
  if (!newer.empty() && !older.empty() && newer != older) {
    return settings_of({"PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF"});
  }
  return newer.empty() ? older : newer;
}

} // namespace

RecordContext current_context() {
  RecordContext context;
  context.sdbench_version = version();
  context.git_sha = git_sha();
  context.host = host_name();
  context.cpu = cpu_name();
  context.core_count = usable_core_count();
  context.core_list = core_list(affinity_cores());
  context.cores = usable_cores();
  context.memory_total_bytes = host_memory_total_bytes();
  context.machine = read_machine_state();
  context.cuda_visible_devices = variable("CUDA_VISIBLE_DEVICES");
  context.cuda_device_order = variable("CUDA_DEVICE_ORDER");
  context.allocator_config = allocator_config();
  context.preloaded = preloaded_libraries();
  context.openmp_config = settings_of(kOpenMpVariables);
  context.instruction_config = settings_of(kInstructionVariables);
  context.cuda_config = settings_of(kCudaVariables);
  return context;
}

std::string random_id() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  constexpr int kLength = 16;
  std::random_device device;
  std::uniform_int_distribution<std::size_t> digit(0, kDigits.size() - 1);
  std::string id = "r"; // digits alone could be read as a number: see ids.h
  for (int i = 0; i < kLength; ++i) {
    id += kDigits[digit(device)];
  }
  return id;
}

std::string utc_text(std::time_t time) {
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  std::array<char, 32> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text.data(), length};
}

std::string utc_now() {
  return utc_text(std::time(nullptr));
}

} // namespace sdbench
