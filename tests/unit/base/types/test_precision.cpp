#include "sdbench/base/types/precision.h"

#include <string>

#include "catch.h"

using namespace sdbench;

TEST_CASE("every precision that can be asked for is found by its name") {
  for (const char* name : {"fp32", "fp16", "bf16", "autocast-fp16", "autocast-bf16"}) {
    INFO(name);
    const std::optional<Precision> precision = precision_from_name(name);
    REQUIRE(precision);
    CHECK(name_of(*precision) == name);
    CHECK(precision->autocast == std::string(name).starts_with("autocast-"));
  }
  for (const char* name : {"auto", "autocast", "autocast-fp32", "int8", ""}) {
    CHECK_FALSE(precision_from_name(name));
  }
}

TEST_CASE("autocast keeps the weights in fp32, a plain dtype has them as it computes") {
  CHECK(Precision(Dtype::kBF16).weight_dtype() == Dtype::kBF16);
  CHECK(Precision(Dtype::kBF16, true).weight_dtype() == Dtype::kF32);
  CHECK_FALSE(Precision(Dtype::kBF16, true) == Dtype::kBF16);
  CHECK(Precision(Dtype::kF16) == Dtype::kF16);
}
