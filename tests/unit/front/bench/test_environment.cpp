#include "sdbench/front/bench/environment.h"

#include <list>

#include "catch.h"
#include "environment.h"

using namespace sdbench;

TEST_CASE("the context names this program and this machine") {
  const RecordContext context = current_context();
  CHECK_FALSE(context.sdbench_version.empty());
  CHECK_FALSE(context.host.empty());
  CHECK(context.core_count >= 1);
  CHECK_FALSE(context.core_list.empty());
  CHECK(context.memory_total_bytes > 0);
  CHECK(context.run_id.empty());
  CHECK_FALSE(context.machine.kernel.empty());
}

TEST_CASE("the context tells what steers OpenMP's threads, and nothing where nothing does") {
  std::list<test::EnvironmentVariable> unset;
  for (const char* const name :
       {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY", "OMP_WAIT_POLICY",
        "GOMP_SPINCOUNT", "KMP_BLOCKTIME", "OMP_DYNAMIC", "OMP_THREAD_LIMIT",
        "OMP_MAX_ACTIVE_LEVELS", "OMP_NUM_THREADS"}) {
    unset.emplace_back(name, nullptr);
  }
  CHECK(current_context().openmp_config.empty());
  const test::EnvironmentVariable places("OMP_PLACES", "cores");
  const test::EnvironmentVariable wait("OMP_WAIT_POLICY", "active");
  CHECK(current_context().openmp_config == "OMP_PLACES=cores OMP_WAIT_POLICY=active");
}

TEST_CASE(
    "the context tells what limits a processor's instructions, and nothing where nothing does") {
  std::list<test::EnvironmentVariable> unset;
  for (const char* const name : {"ATEN_CPU_CAPABILITY", "ONEDNN_MAX_CPU_ISA", "DNNL_MAX_CPU_ISA"}) {
    unset.emplace_back(name, nullptr);
  }
  CHECK(current_context().instruction_config.empty());
  const test::EnvironmentVariable libtorch("ATEN_CPU_CAPABILITY", "avx2");
  const test::EnvironmentVariable onednn("ONEDNN_MAX_CPU_ISA", "AVX2");
  CHECK(current_context().instruction_config == "ATEN_CPU_CAPABILITY=avx2 ONEDNN_MAX_CPU_ISA=AVX2");
  const test::EnvironmentVariable older("DNNL_MAX_CPU_ISA", "AVX");
  CHECK(current_context().instruction_config ==
        "ATEN_CPU_CAPABILITY=avx2 ONEDNN_MAX_CPU_ISA=AVX2 DNNL_MAX_CPU_ISA=AVX");
}

TEST_CASE(
    "the context tells what changes how CUDA and its libraries compute, and no more of CUDA") {
  std::list<test::EnvironmentVariable> set;
  for (const char* const name :
       {"CUDA_LAUNCH_BLOCKING", "CUDA_MODULE_LOADING", "CUDA_DEVICE_MAX_CONNECTIONS",
        "NVIDIA_TF32_OVERRIDE", "CUBLAS_WORKSPACE_CONFIG", "CUBLASLT_WORKSPACE_SIZE",
        "TORCH_CUDNN_V8_API_DISABLED", "TORCH_BLAS_PREFER_CUBLASLT",
        "PYTORCH_NO_CUDA_MEMORY_CACHING"}) {
    set.emplace_back(name, nullptr);
  }
  const test::EnvironmentVariable toolkit("CUDA_HOME", "/usr/local/cuda");
  CHECK(current_context().cuda_config.empty());
  const test::EnvironmentVariable cudnn("TORCH_CUDNN_V8_API_DISABLED", "1");
  const test::EnvironmentVariable blocking("CUDA_LAUNCH_BLOCKING", "1");
  const test::EnvironmentVariable tf32("NVIDIA_TF32_OVERRIDE", "0");
  CHECK(current_context().cuda_config ==
        "CUDA_LAUNCH_BLOCKING=1 NVIDIA_TF32_OVERRIDE=0 TORCH_CUDNN_V8_API_DISABLED=1");
}

TEST_CASE("the allocator's settings are told by either name, and by both where they differ") {
  const test::EnvironmentVariable no_newer("PYTORCH_ALLOC_CONF", nullptr);
  const test::EnvironmentVariable older("PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb:64");
  CHECK(current_context().allocator_config == "max_split_size_mb:64");
  {
    const test::EnvironmentVariable same("PYTORCH_ALLOC_CONF", "max_split_size_mb:64");
    CHECK(current_context().allocator_config == "max_split_size_mb:64");
  }
  const test::EnvironmentVariable newer("PYTORCH_ALLOC_CONF", "expandable_segments:True");
  CHECK(current_context().allocator_config == "PYTORCH_ALLOC_CONF=expandable_segments:True "
                                              "PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:64");
}

TEST_CASE("ids are a letter and 16 hexadecimal digits, and differ") {
  const std::string id = random_id();
  CHECK(id.size() == 17);
  CHECK(id.front() == 'r');
  CHECK(id.find_first_not_of("0123456789abcdef", 1) == std::string::npos);
  CHECK(id != random_id());
}

TEST_CASE("the time is ISO 8601 in UTC") {
  const std::string time = utc_now();
  REQUIRE(time.size() == 20);
  CHECK(time[10] == 'T');
  CHECK(time.back() == 'Z');
}

TEST_CASE("of two names of the allocator's variable that say different things both are told") {
  const test::EnvironmentVariable older("PYTORCH_CUDA_ALLOC_CONF", "a:1");
  {
    const test::EnvironmentVariable newer("PYTORCH_ALLOC_CONF", nullptr);
    CHECK(current_context().allocator_config == "a:1");
  }
  {
    const test::EnvironmentVariable newer("PYTORCH_ALLOC_CONF", "a:1");
    CHECK(current_context().allocator_config == "a:1");
  }
  const test::EnvironmentVariable newer("PYTORCH_ALLOC_CONF", "b:2");
  CHECK(current_context().allocator_config == "PYTORCH_ALLOC_CONF=b:2 PYTORCH_CUDA_ALLOC_CONF=a:1");
}
