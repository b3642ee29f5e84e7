#include "sdbench/base/config/sampler_table.h"

#include <string>
#include <string_view>

#include "catch.h"
#include "sdbench/base/config/run_config.h"
#include "sdbench/base/config/run_options.h"
#include "sdbench/front/record/field_access.h"

using namespace sdbench;

TEST_CASE("ids and tables have one word for a sampler and its noise levels") {
  CHECK(sampler_word("euler", noise_levels(false)) == "euler");
  CHECK(sampler_word("euler", noise_levels(true)) == "euler_karras");
  CHECK(sampler_word("another program's", "") == "another program's");
}

TEST_CASE("texts that name samplers, noise levels and schedulers name all of them") {
  for (const SamplerRow& sampler : kSamplers) {
    CHECK(field_named("scheduler").description.find(sampler.name) != std::string::npos);
  }
  for (const std::string_view levels : {kTrainingLevels, kKarrasLevels}) {
    INFO(levels);
    CHECK(field_named("noise_levels").description.find(levels) != std::string::npos);
  }
  const RunOption* const option = find_run_option("scheduler");
  REQUIRE(option != nullptr);
  CHECK(std::string(option->help).find("{samplers}") != std::string::npos);
  CHECK(RunConfig().scheduler == scheduler_choices().front());
}
