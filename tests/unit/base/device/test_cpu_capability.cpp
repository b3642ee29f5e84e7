#include "sdbench/base/device/cpu_capability.h"

#include "catch.h"

using sdbench::missing_for_capability;

TEST_CASE("a capability above the processor's is known by what it lacks") {
  const std::set<std::string, std::less<>> haswell = {"sse2", "avx", "avx2", "fma", "f16c"};
  CHECK(missing_for_capability("avx2", haswell).empty());
  CHECK(missing_for_capability("default", haswell).empty());
  CHECK(missing_for_capability("", haswell).empty());
  CHECK(missing_for_capability("avx512", haswell) == "avx512f avx512bw avx512vl avx512dq");
  CHECK(missing_for_capability("avx2", {"sse2", "avx"}) == "avx2 fma f16c");
  CHECK(missing_for_capability("avx512", {"asimd"}) ==
        "avx512f avx512bw avx512vl avx512dq fma avx2");
}

TEST_CASE("a processor that tells nothing is not doubted") {
  CHECK(missing_for_capability("avx512", {}).empty());
}
