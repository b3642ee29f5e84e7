#include "sdbench/front/compare/published.h"

#include "catch.h"
#include "compare_rows.h"
#include "scratch_folder.h"
#include "sdbench/base/core/error.h"
#include "sdbench/base/record/run_record.h"
#include "sdbench/front/compare/compare_formats.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

Published shipped() {
  return read_published(std::filesystem::path(SDBENCH_SOURCE_DIR) / "configs" / "published");
}

} // namespace

TEST_CASE("every shipped figure has its source, and converts to the field it stands beside") {
  const Published published = shipped();
  CHECK(published.sources.size() >= 5);
  CHECK(published.figures.size() > 100);
  for (const PublishedSource& source : published.sources) {
    CHECK((source.kind == "diffusion" || source.kind == "vision" || source.kind == "training"));
    CHECK_FALSE((source.source.empty() || source.protocol.empty() || source.doubts.empty()));
  }
  std::size_t beside = 0;
  for (const PublishedFigure& figure : published.figures) {
    CHECK_FALSE((figure.device.empty() || figure.quantity.empty() || figure.unit.empty()));
    if (!figure.metric.empty() && figure.value) {
      CHECK(published.sources[figure.source].kind == "diffusion");
      CHECK(*in_metric_unit(figure) > 0);
      ++beside;
    }
  }
  CHECK(beside > 20);
}

TEST_CASE("s/it, images/s and ms become the field's unit") {
  PublishedFigure figure;
  figure.value = 1.6;
  figure.metric = "first_image_it_s";
  figure.unit = "s/it";
  CHECK(*in_metric_unit(figure) == Approx(1 / 1.6));
  figure.metric = "images_per_min";
  figure.unit = "images/s";
  CHECK(*in_metric_unit(figure) == Approx(96));
  figure.metric = "e2e_s";
  figure.unit = "ms";
  CHECK(*in_metric_unit(figure) == Approx(0.0016));
  figure.unit = "percent";
  CHECK_THROWS_AS(in_metric_unit(figure), Error);
  figure.metric = "";
  CHECK_FALSE(in_metric_unit(figure).has_value());
}

TEST_CASE("published figures stand beside the field of their protocol, marked and with doubts") {
  RunRecord row = test::row_of(9, "a");
  row.first_image_it_s = 7; // between the article's V100 (8.11) and RTX 2060 (6.48)
  const auto result = test::compared({row});
  const auto tables = published_tables(result.comparison, result.table, shipped());
  REQUIRE_FALSE(tables.empty());
  const ViewTable* cold = nullptr;
  for (const ViewTable& table : tables) {
    cold = table.title.ends_with("first_image_it_s") ? &table : cold;
  }
  REQUIRE(cold != nullptr);
  REQUIRE(cold->rows.size() == 5); // ours and the article's four of SD 1.5
  CHECK(cold->rows[0].cells[0] == "*");
  CHECK(cold->rows[0].cells[3] == "8.11 it/s");
  CHECK(cold->rows[1].cells[0] == "1");
  CHECK(cold->rows[1].cells[3] == "7.00 it/s");
  CHECK(cold->rows[4].cells[3] == "0.610 it/s");
  CHECK_THAT(cold->remarks.front(), ContainsSubstring("Doubts: "));
}

TEST_CASE("published figures of other work stand beside nothing, and change no place") {
  RunRecord row = test::row_of(9, "a");
  row.steps = 49;
  const auto result = test::compared({row});
  CHECK(published_tables(result.comparison, result.table, shipped()).empty());
  row.steps = 50;
  const auto same = test::compared({row});
  auto data = to_json(same.comparison, same.table);
  const std::string before = data["places"][0].dump();
  add_published(data, same.comparison, same.table, shipped());
  CHECK(data["places"].size() > 1);
  CHECK(data["places"][0].dump() == before);
  CHECK(data["places"][1]["status"] == "published");
}

TEST_CASE("a broken published file is named with its row") {
  const test::ScratchFolder folder;
  folder.write("sources.csv", "file,kind,date,source,protocol,doubts\nx,diffusion,,s,p,d\n");
  folder.write("x.csv", "device,value,unit\nCard,fast,s\n");
  CHECK_THROWS_WITH(read_published(folder.path()),
                    ContainsSubstring("x.csv, row 2: value must be a number, but is \"fast\""));
  folder.write("x.csv", "device,value,unit\nCard,1\n");
  CHECK_THROWS_WITH(read_published(folder.path()), ContainsSubstring("must have 3 fields"));
}
