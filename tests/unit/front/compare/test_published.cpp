#include "sdbench/front/compare/published.h"

#include <algorithm>

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

TEST_CASE("each published figure of a network stands beside a row of its work") {
  const Published published = shipped();
  std::size_t networks = 0;
  for (const PublishedFigure& figure : published.figures) {
    if (figure.task.empty() || !figure.value) {
      continue;
    }
    RunRecord row = test::row_of(9, "a");
    row.task = figure.task;
    row.model = figure.model;
    row.width = figure.width.value();
    row.height = figure.height.value();
    row.batch = figure.batch.value();
    row.steps = 1;
    row.images = 20 * row.batch;
    const auto result = test::compared({row});
    const auto tables = published_tables(result.comparison, result.table, published);
    CHECK(std::ranges::any_of(tables, [&](const ViewTable& table) {
      return table.title.ends_with(figure.metric) &&
             std::ranges::any_of(table.rows, [&](const ViewRow& shown) {
               return shown.cells[0] == "*" && shown.cells[1].ends_with(figure.device);
             });
    }));
    row.task = figure.task == "train" ? "infer" : "train";
    const auto other = test::compared({row});
    for (const ViewTable& table : published_tables(other.comparison, other.table, published)) {
      CHECK_FALSE((figure.metric.starts_with("epoch") && table.title.ends_with(figure.metric)));
    }
    ++networks;
  }
  CHECK(networks > 60);
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
