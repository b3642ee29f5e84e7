#include "sdbench/front/bench/openmp_environment.h"

#include <string>

#include "catch.h"
#include "environment.h"

using namespace sdbench;
using sdbench::test::EnvironmentVariable;

namespace {

/// Unsets all variables of OpenMP.
struct NoChoices {
  EnvironmentVariable policy{"OMP_WAIT_POLICY", ""};
  EnvironmentVariable spins{"GOMP_SPINCOUNT", ""};
  EnvironmentVariable blocktime{"KMP_BLOCKTIME", ""};
  EnvironmentVariable bind{"OMP_PROC_BIND", ""};
  EnvironmentVariable places{"OMP_PLACES", ""};
  EnvironmentVariable gomp{"GOMP_CPU_AFFINITY", ""};
  EnvironmentVariable kmp{"KMP_AFFINITY", ""};
};

} // namespace

TEST_CASE("threads look for about a millisecond before they sleep") {
  const NoChoices none;
  const std::string setting = openmp_wait_setting().value();
  CHECK_THAT(setting, Catch::Matchers::StartsWith("GOMP_SPINCOUNT="));
  const long looks = std::stol(setting.substr(setting.find('=') + 1));
  CHECK(looks >= 1'000);
  CHECK(looks <= 300'000);
  CHECK(openmp_choices_of_user().empty());
}

TEST_CASE("how the user lets threads wait is left alone") {
  const NoChoices none;
  const EnvironmentVariable policy("OMP_WAIT_POLICY", "active");
  CHECK_FALSE(openmp_wait_setting().has_value());
  CHECK(openmp_choices_of_user() == "OMP_WAIT_POLICY=active");
  const EnvironmentVariable places("OMP_PLACES", "cores");
  CHECK(openmp_choices_of_user() == "OMP_PLACES=cores OMP_WAIT_POLICY=active");
}

TEST_CASE("OMP_NUM_THREADS is a number or the first of a list") {
  const auto read = [](const char* value) {
    const EnvironmentVariable variable("OMP_NUM_THREADS", value);
    return omp_num_threads();
  };
  CHECK(read("3") == 3);
  CHECK(read("4,2,1") == 4);
  CHECK_FALSE(read("").has_value());
  CHECK_FALSE(read("0").has_value());
  CHECK_FALSE(read("-2").has_value());
  CHECK_FALSE(read("two").has_value());
  CHECK_FALSE(read("3x").has_value());
}
