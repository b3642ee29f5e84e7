#include "sdbench/front/compare/explain.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "compare_rows.h"
#include "sdbench/base/config/engine_axes.h"
#include "sdbench/base/core/error.h"
#include "sdbench/base/record/field_name.h"
#include "sdbench/base/record/record_fields.h"
#include "sdbench/base/record/run_record.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/compare/likely_causes.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;
using test::row_of;

namespace {

test::Compared two_ways() {
  RunRecord other = row_of(10, "bbbb1111");
  other.variant_id = "v32";
  other.env_id = "e2";
  other.host = "beta";
  other.dtype_unet = "fp32";
  other.driver_version = "580";
  other.sm_clock_hz_mean = 1.5e9;
  other.note = "a \x1b[31mnote";
  RunRecord ours = row_of(20, "aaaa1111");
  ours.driver_version = "570";
  ours.sm_clock_hz_mean = 1.51e9; // 0.7 %: no cause
  return test::compared({ours, other});
}

std::string explained(const test::Compared& both, const std::string& a, const std::string& b) {
  return explain(both.comparison, both.table, explained_rows(both.comparison, both.table, a, b));
}

/// What was asked for of an axis, and what was used of it, are told by either.
std::string_view axis_of(FieldName field) {
  const std::string_view name = field.text();
  constexpr std::string_view kUsed = "_used";
  return name.ends_with(kUsed) ? name.substr(0, name.size() - kUsed.size()) : name;
}

bool is_likely(FieldName field) {
  return std::ranges::any_of(likely_causes(), [&](const LikelyCause& cause) {
    return axis_of(cause.field) == axis_of(field);
  });
}

} // namespace

TEST_CASE("causes come first, the likeliest before the others, then the rest, then figures") {
  const auto both = two_ways();
  const std::string text = explained(both, "1", "beta");
  const std::size_t dtype = text.find("dtype_unet");
  const std::size_t driver = text.find("driver_version");
  const std::size_t host = text.find("\n  host ");
  const std::size_t rate = text.find("unet_it_s");
  const std::size_t clock = text.find("sm_clock_hz_mean");
  CHECK(dtype < driver);
  CHECK(driver < host);
  CHECK(host < rate);
  CHECK(rate != std::string::npos);
  CHECK(clock > text.find("What came of it"));
  CHECK(clock != std::string::npos);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find("runtime_version") == std::string::npos); // the same
}

TEST_CASE("another runtime is told once, by its name of today") {
  RunRecord other = row_of(10, "b");
  other.variant_id = "older";
  other.runtime_version = other.libtorch_version = "2.7.1";
  const auto both = test::compared({row_of(20, "a"), other});
  const std::string text = explained(both, "1", "2");
  CHECK(text.find("runtime_version") != std::string::npos);
  CHECK(text.find("libtorch_version") == std::string::npos);
}

TEST_CASE("rows are named by number, host, name or run, and by nothing else") {
  const auto both = two_ways();
  for (const char* name : {"2", "beta", "bbbb", "card on BETA"}) {
    CHECK_THAT(explained(both, "1", name), ContainsSubstring("run bbbb1111"));
  }
  CHECK_THROWS_AS(explained(both, "1", "3"), UsageError);
  CHECK_THROWS_AS(explained(both, "gamma", "1"), UsageError);
}

TEST_CASE("a name that fits several rows asks for a number") {
  RunRecord other = row_of(10, "b");
  other.variant_id = "v32";
  other.dtype_unet = "fp32";
  const auto both = test::compared({row_of(20, "a"), other});
  CHECK_THROWS_WITH(explained(both, "alpha", "2"),
                    ContainsSubstring("fits rows 1 (Card, fp16) and 2 (Card, fp32)"));
}

TEST_CASE("a card has its name without the maker's words") {
  RunRecord small = row_of(20, "aaaa1111");
  small.device_name = "NVIDIA GeForce RTX 4090";
  RunRecord other = row_of(10, "bbbb1111");
  other.device_name = "NVIDIA L4";
  other.env_id = "e2";
  const auto both = test::compared({small, other});
  const std::string text = explained(both, "RTX 4090", "l4");
  CHECK_THAT(text, ContainsSubstring("run aaaa1111") && ContainsSubstring("run bbbb1111"));
  CHECK_THROWS_AS(explained(both, "RTX 40", "L4"), UsageError);
  CHECK_THROWS_AS(explained(both, "NVIDIA", "L4"), UsageError);
  other.device_name = small.device_name;
  other.host = "beta";
  CHECK_THROWS_WITH(explained(test::compared({small, other}), "RTX 4090", "1"),
                    ContainsSubstring("GeForce RTX 4090 on alpha") &&
                        ContainsSubstring("GeForce RTX 4090 on beta"));
}

TEST_CASE("every likely cause is a field of the record, once") {
  std::vector<std::string_view> names;
  for (const LikelyCause& cause : likely_causes()) {
    CHECK(find_field(cause.field).has_value());
    CHECK_FALSE(cause.reason.empty());
    CHECK(std::ranges::find(names, cause.field) == names.end());
    names.push_back(cause.field);
  }
}

TEST_CASE("each axis of the engine may explain a difference, by what tells most of it") {
  for (const EngineAxis& axis : recorded_axes()) {
    INFO(axis.name);
    CHECK(std::ranges::find(likely_causes(), FieldName::of(telling_field(axis)),
                            &LikelyCause::field) != likely_causes().end());
  }
}

TEST_CASE("values of wide characters stand in columns") {
  RunRecord other = row_of(10, "bbbb1111");
  other.env_id = "e2";
  other.host = "beta";
  other.note = "other";
  RunRecord ours = row_of(20, "aaaa1111");
  ours.note = "四千";
  const auto both = test::compared({ours, other});
  const std::string text = explained(both, "1", "beta");
  CHECK_THAT(text, ContainsSubstring("  aaaa1111  bbbb1111\n"));
  CHECK_THAT(text, ContainsSubstring("  四千      other\n")); // six bytes, four columns
}

TEST_CASE("whatever makes the work or the way of working may explain a difference") {
  for (const auto fields : {work_fields(), way_fields()}) {
    for (const FieldName field : fields) {
      CAPTURE(field.text());
      CHECK((field.text().ends_with("_id") || is_likely(field)));
    }
  }
  CHECK(is_likely("task"));
}

TEST_CASE("rows of before, which have no task, differ in none from those of today") {
  RunRecord other = row_of(10, "b");
  other.variant_id = "other";
  other.task = "generate";
  other.dtype_unet = "fp32";
  auto both = test::compared({row_of(20, "a"), other});
  CHECK(explained(both, "1", "2").find("task") == std::string::npos);
  other.task = "train";
  both = test::compared({row_of(20, "a"), other});
  CHECK_THAT(explained(both, "1", "2"),
             ContainsSubstring("  task ") && ContainsSubstring("another task"));
}

TEST_CASE("a network's rate, losses and accuracy came of it") {
  RunRecord ours = row_of(20, "a");
  ours.images_per_s = 100;
  ours.loss_last = 2;
  ours.accuracy = 0.5;
  RunRecord other = row_of(10, "b");
  other.variant_id = "other";
  other.images_per_s = 50;
  other.loss_last = 1;
  other.accuracy = 0.9;
  const auto both = test::compared({ours, other});
  const std::string text = explained(both, "1", "2");
  const std::size_t came = text.find("What came of it");
  REQUIRE(came != std::string::npos);
  for (const char* figure : {"  images_per_s", "  loss_last", "  accuracy"}) {
    CHECK(text.find(figure, came) != std::string::npos);
  }
}
