#include "sdbench/base/config/scheduler_name.h"

#include <string>

#include "catch.h"
#include "sdbench/base/config/run_config.h"
#include "sdbench/base/config/run_options.h"
#include "sdbench/base/record/record_fields.h"

using namespace sdbench;

TEST_CASE("a sampler's name and its noise levels lead to each other") {
  CHECK(scheduler_name({kUsualSampler, false}) == "euler");
  CHECK(scheduler_name({kUsualSampler, true}) == "euler_karras");
  for (const SamplerRow& sampler : kSamplers) {
    for (const bool karras : {false, true}) {
      const SchedulerName found = scheduler_named(scheduler_name({sampler, karras}));
      CHECK(&found.sampler == &sampler);
      CHECK(found.karras == karras);
    }
  }
  CHECK(&scheduler_named("another program's").sampler == &kUsualSampler);
  CHECK_FALSE(scheduler_named("another program's").karras);
}

TEST_CASE("texts that name samplers and schedulers name all of them") {
  const std::string described(field_named("scheduler").description);
  for (const SamplerRow& sampler : kSamplers) {
    for (const bool karras : {false, true}) {
      const std::string name = scheduler_name({sampler, karras});
      INFO(name);
      CHECK(described.find(name) != std::string::npos);
    }
  }
  const RunOption* const option = find_run_option("scheduler");
  REQUIRE(option != nullptr);
  for (const std::string& choice : scheduler_choices()) {
    INFO(choice);
    CHECK(std::string(option->help).find(choice) != std::string::npos);
  }
  CHECK(RunConfig().scheduler == scheduler_choices().front());
}
