#include "catch.h"

#include "sdbench/core/dtype.h"

using namespace sdbench;

TEST_CASE("a dtype's names lead back to it") {
  for (const Dtype dtype : {Dtype::kF64, Dtype::kF32, Dtype::kF16, Dtype::kBF16, Dtype::kI64,
                            Dtype::kI32, Dtype::kI16, Dtype::kI8, Dtype::kU8, Dtype::kBool}) {
    CHECK(dtype_from_safetensors(safetensors_name(dtype)) == dtype);
  }
  for (const Dtype dtype : {Dtype::kF32, Dtype::kF16, Dtype::kBF16}) {
    CHECK(compute_dtype_from_name(name_of(dtype)) == dtype);
  }
}

TEST_CASE("only dtypes one can compute in are taken on the command line") {
  CHECK_FALSE(compute_dtype_from_name("int64").has_value());
  CHECK_FALSE(compute_dtype_from_name("F32").has_value());
  CHECK_FALSE(compute_dtype_from_name("").has_value());
}
