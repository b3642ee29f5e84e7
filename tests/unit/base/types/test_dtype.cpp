#include "catch.h"

#include "sdbench/base/types/dtype.h"

using namespace sdbench;

TEST_CASE("a dtype's names lead back to it") {
  for (const Dtype dtype : {Dtype::kF64, Dtype::kF32, Dtype::kF16, Dtype::kBF16, Dtype::kF8E4M3,
                            Dtype::kF8E5M2, Dtype::kF8E8M0, Dtype::kI64, Dtype::kI32, Dtype::kI16,
                            Dtype::kI8, Dtype::kU8, Dtype::kBool}) {
    CHECK(dtype_from_safetensors(safetensors_name(dtype)) == dtype);
  }
  for (const Dtype dtype : {Dtype::kF32, Dtype::kF16, Dtype::kBF16}) {
    CHECK(compute_dtype_from_name(name_of(dtype)) == dtype);
  }
}

TEST_CASE("only dtypes one can compute in are taken on the command line") {
  CHECK_FALSE(compute_dtype_from_name("int64").has_value());
  CHECK_FALSE(compute_dtype_from_name("fp8_e4m3").has_value());
  CHECK_FALSE(compute_dtype_from_name("F32").has_value());
  CHECK_FALSE(compute_dtype_from_name("").has_value());
}

TEST_CASE("a dtype that no file has a name for leads nowhere") {
  CHECK_FALSE(dtype_from_safetensors("").has_value());
  CHECK_FALSE(dtype_from_safetensors("U16").has_value());
  CHECK(size_of(Dtype::kOther) == 0);
  CHECK_FALSE(is_floating(Dtype::kOther));
  CHECK(is_floating(Dtype::kF8E5M2));
  CHECK_FALSE(is_floating(Dtype::kI64));
  CHECK_FALSE(is_floating(Dtype::kF8E8M0)); // it is not read
}
