#include "sdbench/front/compare/break_even.h"

#include <limits>
#include <string>
#include <vector>

#include "catch.h"
#include "compare_rows.h"
#include "sdbench/front/compare/compare_formats.h"
#include "sdbench/front/compare/compare_view.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/words/text_form.h"
#include "sdbench/front/words/view_table.h"

using namespace sdbench;
using test::Compared;
using test::compared;
using Kind = BreakEven::Kind;

namespace {

/// Seconds per image with an interval of `half` on each side; without one if `half` is negative.
EngineCost cost(double prepare_s, double image_s, double half) {
  PooledFigure figure;
  figure.mean = image_s;
  if (half >= 0) {
    figure.degrees_of_freedom = 1000000; // t is 1.96
    figure.standard_error = half / 1.959964;
  }
  return {prepare_s, figure};
}

/// A row that loaded and prepared its engine: 5 runs with 1 % spread.
RunRecord engine_row(const std::string& engine, double images_per_min, double prepare_s) {
  RunRecord row = test::row_of(images_per_min, engine);
  row.variant_id = row.engine = engine;
  row.images_per_min = images_per_min;
  row.e2e_s = 60 / images_per_min;
  row.e2e_s_sd = 0.01 * *row.e2e_s;
  row.load_s = 1;
  if (prepare_s > 0) {
    row.prepare_s = prepare_s;
    row.prepared = engine == "tuned" ? "" : "new";
  }
  return row;
}

Compared against(const std::string& baseline, const std::vector<RunRecord>& rows) {
  CompareOptions options;
  options.metric = find_metric("images_per_min");
  options.baseline = baseline;
  options.row_fields = {field_index("engine")};
  return compared(rows, options);
}

} // namespace

TEST_CASE("what was prepared longer is divided by what an image gains, in whole images") {
  const BreakEven paid = break_even_of(cost(99.9, 2, 0.3), cost(10, 4, 0.4));
  CHECK(paid.kind == Kind::kAfter);
  CHECK(paid.images == 45);
  REQUIRE(paid.interval); // of 2 +- 0.5 seconds
  CHECK(paid.interval->low == 36);
  CHECK(paid.interval->high == 60);
  CHECK(text_of(paid) == "45 (36 to 60)");
  CHECK(break_even_of(cost(101, 2, 0.3), cost(10, 4, 0.4)).images == 46); // 45.5
}

TEST_CASE("how far preparing differs between rows is a part of the interval") {
  EngineCost ours = cost(99.9, 2, 0.3);
  const EngineCost base = cost(10, 4, 0.4);
  ours.prepare_rows = 100000;
  ours.prepare_standard_error = 10;
  const BreakEven paid = break_even_of(ours, base);
  CHECK(paid.images == 45);
  REQUIRE(paid.interval); // roots of 3.75 n^2 - 359.6 n + 7697.9
  CHECK(paid.interval->low == 33);
  CHECK(paid.interval->high == 64);
  ours.prepare_standard_error = 60;
  CHECK(break_even_of(ours, base).interval->low == 0); // preparation may be shorter than the base's
  ours.prepare_rows = 2;                               // t is 12.7, so the gain has no lower end
  CHECK_FALSE(break_even_of(ours, base).interval);
}

TEST_CASE("what is not faster is never paid, and what may not be is unclear") {
  CHECK(break_even_of(cost(100, 4, 0.1), cost(10, 2, 0.1)).kind == Kind::kNever);
  CHECK(break_even_of(cost(100, 4, 1), cost(10, 4.5, 1)).kind == Kind::kUnclear);
  CHECK(break_even_of(cost(100, 4.5, 1), cost(10, 4, 1)).kind == Kind::kUnclear);
  CHECK(break_even_of(cost(1, 4, 0.1), cost(10, 2, 0.1)).kind == Kind::kNever);
  CHECK(break_even_of(cost(100, 2, 0), cost(10, 2, 0)).kind == Kind::kNever);
  CHECK(text_of(break_even_of(cost(100, 4, 1), cost(10, 4.5, 1))) == "unclear");
}

TEST_CASE("what is faster and prepares no longer is paid at once") {
  CHECK(break_even_of(cost(10, 2, 0.1), cost(10, 4, 0.1)).kind == Kind::kAtOnce);
  CHECK(break_even_of(cost(0, 2, 0.1), cost(10, 4, 0.1)).kind == Kind::kAtOnce);
}

TEST_CASE("without an interval of a rate the means decide, and the figure has none") {
  const BreakEven paid = break_even_of(cost(100, 2, -1), cost(10, 4, 0.4));
  CHECK(paid.kind == Kind::kAfter);
  CHECK(text_of(paid) == "45");
  CHECK(break_even_of(cost(100, 4, -1), cost(10, 4, -1)).kind == Kind::kNever);
}

TEST_CASE("a gain too small to ever pay is none") {
  constexpr double kMost = std::numeric_limits<double>::max();
  CHECK(break_even_of(cost(kMost, 1, -1), cost(0, 1 + 1e-12, -1)).kind == Kind::kNever);
}

TEST_CASE("a row says after how many images it has paid beside a baseline of another engine") {
  const Compared c = against("pytorch", {engine_row("pytorch", 10, 0), engine_row("tuned", 20, 3),
                                         engine_row("openvino", 30, 44), engine_row("slow", 5, 9)});
  CHECK(c.pool("tuned").break_even->images == 1);
  CHECK(c.pool("openvino").break_even->images == 11);
  CHECK(c.pool("openvino").break_even->interval);
  CHECK(c.pool("slow").break_even->kind == Kind::kNever);
  CHECK_FALSE(c.pool("pytorch").break_even);
  const auto json = to_json(c.comparison, c.table);
  const auto& fastest = json.at("places").at(0);
  CHECK(fastest.at("break_even") == "after");
  CHECK(fastest.at("break_even_row") == fastest.at("row"));
  CHECK(fastest.at("break_even_images") == 11);
  CHECK(fastest.at("break_even_ci95_low") < 11.5);
  CHECK(fastest.at("break_even_ci95_high") >= 11);
}

TEST_CASE("beside the best row it is the best's: after how many images it beats the other") {
  const Compared c = against("best", {engine_row("pytorch", 10, 0), engine_row("openvino", 30, 44),
                                      engine_row("compiled", 20, 90)});
  CHECK(c.pool("pytorch").break_even->images == 11);
  CHECK(c.pool("compiled").break_even->kind == Kind::kAtOnce);
  CHECK_FALSE(c.pool("openvino").break_even);
  const auto json = to_json(c.comparison, c.table);
  CHECK(json.at("places").at(2).at("break_even_row") == json.at("places").at(0).at("row"));
  const View view = compare_view(c.comparison, c.table);
  std::vector<std::string> heads;
  for (const ViewColumn& column : view.tables.back().columns) {
    heads.push_back(column.head);
  }
  CHECK_THAT(heads, Catch::Matchers::VectorContains(std::string("best pays after")));
}

TEST_CASE("a narrow terminal leaves the column out with its legend, and names it") {
  const Compared c =
      against("pytorch", {engine_row("pytorch", 10, 0), engine_row("openvino", 30, 44)});
  const View view = compare_view(c.comparison, c.table);
  const std::string wide = to_text(view, {.width = 0});
  CHECK_THAT(wide, Catch::Matchers::ContainsSubstring("11 (11 to 12)"));
  CHECK_THAT(wide, Catch::Matchers::ContainsSubstring("pays after: number of images after which"));
  const std::string narrow = to_text(view, {.width = 60});
  CHECK_THAT(narrow, !Catch::Matchers::ContainsSubstring("11 (11 to 12)"));
  CHECK_THAT(narrow, !Catch::Matchers::ContainsSubstring("pays after: images"));
  CHECK_THAT(narrow, Catch::Matchers::Matches("[^]*no room for[^]*pays after[^]*"));
}

TEST_CASE("rows that do not tell what preparing takes say nothing of when it is paid") {
  const RunRecord base = engine_row("pytorch", 10, 0);
  const RunRecord good = engine_row("openvino", 30, 44);
  REQUIRE(against("pytorch", {base, good}).pool("openvino").break_even);
  const auto says_nothing = [&](const auto& change) {
    RunRecord ours = good;
    RunRecord theirs = base;
    change(ours, theirs);
    return !against("pytorch", {theirs, ours}).pool("openvino").break_even.has_value();
  };
  CHECK(says_nothing([](RunRecord& ours, RunRecord&) { ours.prepared = "kept"; }));
  CHECK(says_nothing([](RunRecord& ours, RunRecord&) {
    ours.load_s.reset(); // the model was already loaded
    ours.prepare_s.reset();
  }));
  CHECK(says_nothing([](RunRecord&, RunRecord& theirs) { theirs.load_s.reset(); }));
  CHECK(says_nothing([](RunRecord&, RunRecord& theirs) { theirs.prepared = "unknown"; }));
  CHECK(says_nothing([](RunRecord& ours, RunRecord&) { ours.images_per_min.reset(); }));
  CHECK(says_nothing(
      [](RunRecord& ours, RunRecord&) { ours.prepare_s.reset(); })); // neither prepared
}

TEST_CASE("rows of one engine have no break-even, whatever they prepare") {
  RunRecord packed = engine_row("tuned", 20, 3);
  RunRecord plain = engine_row("tuned", 10, 0);
  packed.packed_weights = "auto";
  plain.packed_weights = "off";
  plain.run_id = plain.variant_id = plain.label = "off";
  CHECK_FALSE(against("off", {packed, plain}).pool("tuned").break_even);
}

TEST_CASE("of several rows those that prepared anew count, by their mean") {
  RunRecord kept = engine_row("openvino", 30, 1);
  kept.prepared = "kept";
  kept.run_id = "kept";
  RunRecord again = engine_row("openvino", 30, 46);
  again.run_id = "again";
  const Compared c = against(
      "pytorch", {engine_row("pytorch", 10, 0), kept, again, engine_row("openvino", 30, 42)});
  CHECK(c.pool("kept").rows.size() == 3);
  CHECK(c.pool("kept").break_even->images == 11);
  REQUIRE(c.pool("kept").break_even->interval); // 44 +- 25 seconds: 12.7 standard errors
  CHECK(c.pool("kept").break_even->interval->high >= 17);
}
