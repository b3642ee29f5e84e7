#include "sdbench/base/config/sampler_table.h"

#include "catch.h"

using namespace sdbench;

TEST_CASE("a sampler is found by its name alone") {
  for (const SamplerRow& row : kSamplers) {
    CHECK(&sampler_named(row.name) == &row);
  }
  CHECK_THROWS_WITH(sampler_named("heun"), "the sampler must be euler, but is \"heun\"; take a "
                                           "front and a worker of one version");
}
