// Linked with one broken file of nn/ in the library's stead: the golden check must see it.
#include <ATen/ATen.h>

#include "sdbench/base/config/model_config.h"
#include "sdbench/engine/pipeline/golden.h"

#include "catch.h" // after ATen, whose CHECK it replaces

#include "golden_result.h"

using namespace sdbench;

TEST_CASE("the golden check catches a broken kernel") {
  for (const char* model : {"tiny-sd15", "tiny-sdxl"}) {
    for (const at::ScalarType dtype : {SDBENCH_CAUGHT_IN}) {
      const GoldenResult result = testing::golden_result(find_model_config(model), dtype);
      CAPTURE(model, dtype, result.rel_err.value_or(-1), result.message);
      CHECK(result.check == "fail");
      CHECK_FALSE(result.message.empty());
    }
  }
}
