#include "sdbench/base/config/engine_table.h"

#include <algorithm>
#include <set>

#include "catch.h"
#include "sdbench/base/config/engine_axes.h"
#include "sdbench/base/core/engine.h"
#include "sdbench/base/core/precision.h"

using namespace sdbench;

TEST_CASE("each engine of others has a name, a device, packages of one version each") {
  std::set<std::string_view> names;
  for (const EngineRow& row : engine_table()) {
    CAPTURE(row.name);
    CHECK(names.insert(row.name).second);
    CHECK_FALSE(is_own_engine(row.name));
    CHECK_FALSE(row.words.empty());
    CHECK_FALSE(row.environment.empty());
    CHECK_FALSE(row.dtypes.empty());
    CHECK(dtypes_on(row, DeviceKind::kCuda).empty() == (row.oldest_compute_capability == 0));
    CHECK(std::ranges::any_of(row.packages, [](const std::string& package) {
      return package.starts_with("diffusers==");
    }));
    CHECK(row.gpu_environment.empty() == row.gpu_packages.empty());
    for (const auto& packages : {row.packages, row.gpu_packages}) {
      CHECK(std::ranges::all_of(packages, [](const std::string& package) {
        return package.find("==") != std::string::npos;
      }));
    }
  }
}

TEST_CASE("what an engine of others knows is what our options know") {
  const auto axes = engine_axes();
  const auto& engines = axes.front().choices;
  for (const EngineRow& row : engine_table()) {
    CAPTURE(row.name);
    CHECK(std::ranges::find(engines, row.name) != engines.end());
    for (const auto& [kind, dtypes] : row.dtypes) {
      CHECK_FALSE(dtypes.empty());
      CHECK(std::ranges::all_of(
          dtypes, [](const std::string& name) { return precision_from_name(name).has_value(); }));
    }
    for (const EngineTableAxis& has : row.axes) {
      CAPTURE(has.name);
      const auto axis = std::ranges::find(axes, has.name, &EngineAxis::name);
      REQUIRE(axis != axes.end());
      CHECK(std::ranges::all_of(has.choices, [&](const std::string& choice) {
        return std::ranges::find(axis->choices, choice) != axis->choices.end();
      }));
      CHECK((has.choices.empty() || has.choices.front() == axis->choices.front()));
    }
  }
}

TEST_CASE("the table says on which devices an engine runs") {
  const EngineRow& compiled = *find_engine_row("pytorch-compile");
  CHECK(runs_on(compiled, DeviceKind::kCpu, ""));
  CHECK(runs_on(compiled, DeviceKind::kCuda, "7.0"));
  CHECK(runs_on(compiled, DeviceKind::kCuda, "12.0"));
  CHECK(runs_on(compiled, DeviceKind::kCuda, "")); // its worker will say
  CHECK_FALSE(runs_on(compiled, DeviceKind::kCuda, "6.1"));
  CHECK_FALSE(runs_on(*find_engine_row("openvino"), DeviceKind::kCuda, "9.0"));
  CHECK(runs_on(*find_engine_row("openvino"), DeviceKind::kIntel, ""));
  CHECK_FALSE(runs_on(compiled, DeviceKind::kIntel, ""));
}

TEST_CASE("engines that share an environment need the same packages") {
  for (const EngineRow& one : engine_table()) {
    for (const EngineRow& other : engine_table()) {
      if (one.environment == other.environment) {
        CHECK(one.packages == other.packages);
        CHECK(one.gpu_environment == other.gpu_environment);
      }
    }
  }
}

TEST_CASE("our own engines, and a name that nobody has, are no rows") {
  CHECK(find_engine_row("tuned") == nullptr);
  CHECK(find_engine_row("") == nullptr);
  REQUIRE(find_engine_row("pytorch") != nullptr);
  CHECK(find_axis(*find_engine_row("pytorch"), "attention") != nullptr);
  CHECK(find_axis(*find_engine_row("pytorch"), "graphs") == nullptr);
}
