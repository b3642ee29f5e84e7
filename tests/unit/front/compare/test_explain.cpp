#include "sdbench/front/compare/explain.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "compare_rows.h"
#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/compare/likely_causes.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/run_record.h"

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
  ours.sm_clock_hz_mean = 1.51e9; // 0.7 % more, too little for a cause
  return test::compared({ours, other});
}

std::string explained(const test::Compared& both, const std::string& a, const std::string& b) {
  return explain(both.comparison, both.table, explained_rows(both.comparison, both.table, a, b));
}

/// The name of the axis of a field, for both what was asked for and what was used.
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

TEST_CASE("a machine that drifted is told from software that changed by what probes measured") {
  RunRecord before = row_of(20, "aaaa1111");
  before.device_name = "Test 900";
  before.probe_format = "fp16";
  before.probe_product_tflops = 100;
  before.probe_copy_gb_s = 2000;
  RunRecord after = before;
  after.run_id = "bbbb1111";
  after.env_id = "e2";
  SECTION("the device itself computes slower") {
    after.probe_product_tflops = 90;
    const auto both = test::compared({before, after});
    CHECK_THAT(explained(both, "aaaa", "bbbb"),
               ContainsSubstring("\nBy their probes, whatever runs on it, the device of A computes "
                                 "11 % faster than that of B.\n"));
  }
  SECTION("the device is the same, so that the software is slower") {
    after.probe_product_tflops = 99;
    const auto both = test::compared({before, after});
    CHECK_THAT(explained(both, "aaaa", "bbbb"),
               ContainsSubstring("No field that usually changes speed differs.\n\nBy their probes "
                                 "both devices compute and copy as fast: another speed comes from "
                                 "software, settings or what the flags name.\n"));
  }
  SECTION("nothing is said of different devices") {
    after.device_name = "Test 800";
    const auto both = test::compared({before, after});
    CHECK_THAT(explained(both, "aaaa", "bbbb"), !ContainsSubstring("their probes"));
  }
}

TEST_CASE("another runtime is told once, by its name of today") {
  RunRecord other = row_of(10, "b");
  other.variant_id = "older";
  other.runtime_version = "2.7.1";
  const auto both = test::compared({row_of(20, "a"), other});
  const std::string text = explained(both, "1", "2");
  CHECK(text.find("runtime_version") != std::string::npos);
}

TEST_CASE("rows are named by number, host, name or run, and by nothing else") {
  const auto both = two_ways();
  for (const char* name : {"2", "beta", "bbbb", "card on BETA"}) {
    CHECK_THAT(explained(both, "1", name), ContainsSubstring("run bbbb1111"));
  }
  CHECK_THROWS_AS(explained(both, "1", "3"), UsageError);
  CHECK_THROWS_AS(explained(both, "gamma", "1"), UsageError);
}

TEST_CASE("a machine's name stands for all of its rows") {
  RunRecord other = row_of(10, "b");
  other.variant_id = "v32";
  other.dtype_unet = "fp32";
  const auto both = test::compared({row_of(20, "a"), other});
  CHECK_THAT(explained(both, "alpha", "2"), ContainsSubstring("Card, fp16"));
  CHECK_THROWS_WITH(explained(both, "2", "2"),
                    ContainsSubstring("must name two rows, but names \"2\" twice"));
}

namespace {

RunRecord row_on(const std::string& card, const std::string& host, const std::string& engine,
                 std::int64_t batch, double it_s) {
  RunRecord row = row_of(it_s, card + host + engine + std::to_string(batch));
  row.device_name = card;
  row.host = host;
  row.env_id = "env of " + host;
  row.engine = engine;
  row.variant_id = "variant of " + engine;
  row.batch = batch;
  row.workload_id = "work of " + std::to_string(batch);
  return row;
}

std::vector<RunRecord> rows_on(const std::string& card, const std::string& host, double it_s) {
  std::vector<RunRecord> rows;
  for (const std::int64_t batch : {1, 4}) {
    rows.push_back(row_on(card, host, "plain", batch, it_s));
    rows.push_back(row_on(card, host, "tuned", batch, 2 * it_s));
  }
  return rows;
}

test::Compared compared_on(const std::vector<std::vector<RunRecord>>& cards) {
  std::vector<RunRecord> all;
  for (const std::vector<RunRecord>& rows : cards) {
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return test::compared(all);
}

} // namespace

TEST_CASE("two machines are explained by what both did in the same way") {
  // At batch 1, B is faster with plain, and A with tuned. The explanation must use one way for
  // both.
  auto of_b = rows_on("NVIDIA L4", "b", 8);
  of_b[0].unet_it_s = 17;
  of_b[0].unet_s = 50 / 17.0;
  const auto both = compared_on({rows_on("NVIDIA GeForce RTX 4090", "a", 20), of_b});
  const std::string text = explained(both, "RTX 4090", "L4");
  CHECK_THAT(text, ContainsSubstring("RTX 4090, sdbench tuned: ") &&
                       ContainsSubstring("L4, sdbench tuned: ") &&
                       ContainsSubstring("50 steps, batch 1, run ") &&
                       ContainsSubstring("is 2.50 times as fast as") &&
                       ContainsSubstring("This is the first of 4 cells that both have; --filter "
                                         "engine=plain or --filter batch=4 takes another.\n"));
  CHECK_THAT(explained(both, "RTX 4090, sdbench plain", "l4"),
             ContainsSubstring("L4, sdbench plain: ") &&
                 ContainsSubstring("the first of 2 cells that both have; --filter batch=4 takes"));
  CHECK_THAT(explained(both, "1", "L4"),
             ContainsSubstring("takes another (rows have other numbers then)."));
}

TEST_CASE("of one cell that two machines have nothing is to be chosen") {
  const auto both =
      compared_on({{row_on("A", "a", "plain", 1, 20), row_on("A", "a", "tuned", 1, 40)},
                   {row_on("B", "b", "plain", 1, 10)}});
  const std::string text = explained(both, "A", "B");
  CHECK_THAT(text,
             ContainsSubstring("A, sdbench plain: ") && !ContainsSubstring("cells that both have"));
}

TEST_CASE("cards of one kind are told apart by the names that the first table shows") {
  const std::string card = "NVIDIA GeForce RTX 4090";
  const auto cards = compared_on(
      {rows_on(card, "desk1", 20), rows_on(card, "desk9", 18), rows_on("NVIDIA L4", "desk3", 8)});
  for (const char* name : {"RTX 4090 on desk9", "nvidia geforce rtx 4090 on desk9", "desk9"}) {
    CHECK_THAT(explained(cards, name, "L4 on desk3"), ContainsSubstring("RTX 4090 on desk9, sdb"));
  }
  CHECK_THROWS_WITH(explained(cards, "RTX 4090", "L4"),
                    "--explain must name one row or machine, but \"RTX 4090\" fits NVIDIA GeForce "
                    "RTX 4090 on desk1 and NVIDIA GeForce RTX 4090 on desk9; take one of these "
                    "names, or a row's number");
}

TEST_CASE("cards that only their tags tell apart are named by these") {
  auto air = rows_on("NVIDIA L4", "desk", 8);
  auto water = rows_on("NVIDIA L4", "desk", 9);
  for (std::size_t i = 0; i < air.size(); ++i) {
    air[i].tags = "cooler=air";
    water[i].tags = "cooler=water";
    water[i].run_id += "w";
  }
  const auto both = compared_on({air, water});
  CHECK_THAT(explained(both, "L4, cooler=water", "L4, cooler=air"),
             ContainsSubstring("cooler=water: ") && ContainsSubstring("cooler=air: "));
  CHECK_THROWS_WITH(explained(both, "L4 on desk", "1"),
                    ContainsSubstring("fits NVIDIA L4, cooler=water and NVIDIA L4, cooler=air"));
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
  for (const EngineAxis& axis : engine_axes()) {
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

TEST_CASE("a row without a task generates, as one that says so") {
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
