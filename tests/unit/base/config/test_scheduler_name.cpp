#include "sdbench/base/config/scheduler_name.h"

#include <string>

#include "catch.h"
#include "sdbench/base/config/run_config.h"
#include "sdbench/base/config/run_options.h"
#include "sdbench/base/record/record_fields.h"

using namespace sdbench;

TEST_CASE("a sampler's name and its noise levels lead to each other") {
  for (const SchedulerName& sampler : kSchedulers) {
    CHECK(scheduler_name(sampler.karras) == sampler.name);
    CHECK(is_karras(sampler.name) == sampler.karras);
  }
  CHECK_FALSE(is_karras("another program's"));
}

TEST_CASE("texts that name samplers and schedulers name all of them") {
  const std::string described(field_named("scheduler").description);
  for (const SchedulerName& sampler : kSchedulers) {
    INFO(sampler.name);
    CHECK(described.find(sampler.name) != std::string::npos);
  }
  const RunOption* const option = find_run_option("scheduler");
  REQUIRE(option != nullptr);
  for (const std::string& choice : scheduler_choices()) {
    INFO(choice);
    CHECK(std::string(option->help).find(choice) != std::string::npos);
  }
  CHECK(RunConfig().scheduler == scheduler_choices().front());
}
