#include "sdbench/base/config/engine_axis_table.h"

#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

#include "catch.h"
#include "sdbench/base/config/run_options.h"

using namespace sdbench;

TEST_CASE("an axis has one row, with all that is said of it") {
  std::set<std::string_view> names;
  for (const EngineAxis& axis : engine_axes()) {
    INFO(axis.name);
    CHECK(names.insert(axis.name).second);
    CHECK(&axis_named(axis.name) == &axis);
    CHECK(axis.choices.size() >= 2);
    CHECK_FALSE(axis.words.empty());
    CHECK_FALSE(axis.cause.empty());
    CHECK((axis.obstacle == nullptr || axis.used != nullptr));
  }
}

TEST_CASE("what is asked for by nobody is an axis' first choice, and nothing is told of it yet") {
  const EngineAxes axes;
  const EngineUse use;
  for (const EngineAxis& axis : engine_axes()) {
    INFO(axis.name);
    CHECK(axes.*axis.asked == axis.choices.front());
    if (axis.used != nullptr) {
      CHECK((use.*axis.used).empty());
    }
    if (axis.obstacle != nullptr) {
      CHECK((use.*axis.obstacle).empty());
    }
  }
}

TEST_CASE("each axis is an option whose help says what it does, then its choices") {
  for (const EngineAxis& axis : engine_axes()) {
    INFO(axis.name);
    const RunOption* const option = find_run_option(option_name(axis));
    REQUIRE(option != nullptr);
    CHECK((option->kind == OptionKind::kFlag) == axis.is_flag);
    CHECK(option->can_be_negated == axis.is_flag);
    const std::string does = axis.help.empty() ? "" : std::string(axis.help) + ": ";
    CHECK((axis.is_flag || option->help.starts_with(does + axis.choices.front())));
  }
}

TEST_CASE("an axis is told by what was used of it, where that is told") {
  CHECK(telling_field(axis_named("kv_cache")) == "kv_cache_used");
  CHECK(telling_field(axis_named("offload")) == "offload");
  CHECK(option_name(axis_named("kv_cache")) == "kv-cache");
  CHECK_THROWS_AS(axis_named("no such axis"), std::out_of_range);
}
