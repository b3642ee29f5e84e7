#include "sdbench/engine/kernels/cpu_instructions.h"

#include "catch.h"

using namespace sdbench;

namespace {

constexpr CpuFeatures kAll{.avx2 = true, .avx512 = true, .avx512_bf16 = true, .amx = true};
constexpr CpuFeatures kAvx2Alone{.avx2 = true};

} // namespace

TEST_CASE("ATEN_CPU_CAPABILITY limits our kernels as it does libtorch's") {
  CHECK(limited(kAll, "default") == CpuFeatures{});
  CHECK(limited(kAll, "avx2") == kAvx2Alone);
  for (const char* const no_limit : {"", "avx512", "AVX2", "no such thing"}) {
    CAPTURE(no_limit);
    CHECK(limited(kAll, no_limit) == kAll);
  }
}

TEST_CASE("a limit gives a processor nothing that it lacks") {
  for (const char* const capability : {"", "default", "avx2", "avx512"}) {
    CAPTURE(capability);
    CHECK(limited({}, capability) == CpuFeatures{});
  }
  CHECK(limited(kAvx2Alone, "avx512") == kAvx2Alone);
}

TEST_CASE("a limit is named where the processor has instructions that it forbids, and only there") {
  CHECK(limit_on(at::kFloat, kAll, "default") == "ATEN_CPU_CAPABILITY=default");
  CHECK(limit_on(at::kBFloat16, kAll, "avx2") == "ATEN_CPU_CAPABILITY=avx2");
  CHECK(limit_on(at::kFloat, kAll, "avx2").empty()); // there is AVX2
  CHECK(limit_on(at::kBFloat16, kAll, "avx512").empty());
  CHECK(limit_on(at::kFloat, {}, "default").empty()); // nor were there any without it
  CHECK(limit_on(at::kBFloat16, kAvx2Alone, "avx2").empty());
  CHECK(limit_on(at::kHalf, kAll, "default").empty());
}
