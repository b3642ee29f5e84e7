#include "sdbench/front/compare/published.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "catch.h"
#include "compare_rows.h"
#include "environment.h"
#include "scratch_folder.h"
#include "sdbench/base/config/option_layers.h"
#include "sdbench/base/config/preset_catalog.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/front/bench/sweep.h"
#include "sdbench/front/compare/compare_formats.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/record/build_record.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/words/view_table.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

CompareOptions by(const char* metric) {
  CompareOptions options;
  options.metric = find_metric(metric);
  return options;
}

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

namespace {

/// A good row of each cell that a preset gives, with figures of our own.
std::vector<RunRecord> rows_of_preset(const std::string& name) {
  const test::EnvironmentVariable no_data("SDBENCH_DATA", nullptr);
  OptionLayers layers;
  layers.add_file(preset_file(name));
  std::vector<RunRecord> rows;
  for (const SweepCell& swept : resolve_sweep(layers.cells())) {
    CAPTURE(swept.planned.obstacle);
    CHECK(swept.planned.obstacle.empty());
    RunRecord& row = rows.emplace_back(build_record(swept.planned.cell, {}, {}));
    row.run_id = name + std::to_string(rows.size());
    row.status = "ok";
    row.error.clear();
    row.device_name = "Card";
    for (const auto figure : {&RunRecord::images_per_s, &RunRecord::step_s_mean,
                              &RunRecord::epoch_s_first, &RunRecord::epoch_s_median}) {
      row.*figure = 1;
    }
  }
  return rows;
}

std::vector<ViewTable> tables_beside(const RunRecord& row, const Published& published) {
  const auto result = test::compared({row}, by("images_per_s"));
  return published_tables(result.comparison, result.table, published);
}

/// True if one of the tables has the figure, beside a row of ours of the same precision.
bool stands_in(const std::vector<ViewTable>& tables, const PublishedFigure& figure) {
  const std::string device =
      (figure.devices.value_or(1) > 1 ? std::to_string(*figure.devices) + " x " : "") +
      figure.device;
  const auto is_figure = [&](const ViewRow& row) {
    return row.cells[0] == "*" && row.cells[1] == device &&
           row.cells[5].starts_with(figure.precision) &&
           (figure.value ? row.cells[3] == find_metric(figure.metric).text(*in_metric_unit(figure))
                         : row.cells[3] == "out of memory");
  };
  const auto is_ours = [&](const ViewRow& row) {
    return row.cells[0] == "1" && (figure.precision.empty() || row.cells[5] == figure.precision);
  };
  return std::ranges::any_of(tables, [&](const ViewTable& table) {
    return table.title.ends_with("beside " + figure.metric) &&
           std::ranges::any_of(table.rows, is_figure) && std::ranges::any_of(table.rows, is_ours);
  });
}

/// The figures of a file.
std::vector<PublishedFigure> figures_of(const Published& published, const std::string& file) {
  std::vector<PublishedFigure> figures;
  for (const PublishedFigure& figure : published.figures) {
    if (published.sources[figure.source].file == file) {
      figures.push_back(figure);
    }
  }
  return figures;
}

} // namespace

TEST_CASE("each published figure of a network stands beside a cell of its preset, and each cell "
          "beside a figure") {
  const Published published = shipped();
  for (const auto& [preset, count, failures] : {std::tuple{"egpu-2022", std::size_t{44}, 0},
                                                std::tuple{"cifar-2019", std::size_t{48}, 4}}) {
    CAPTURE(preset);
    const std::vector<PublishedFigure> figures = figures_of(published, preset);
    CHECK(figures.size() == count);
    CHECK(std::ranges::count_if(figures, [](const auto& one) { return !one.value; }) == failures);
    std::vector<std::vector<ViewTable>> tables;
    for (const RunRecord& row : rows_of_preset(preset)) {
      CAPTURE(row.model, row.task, row.batch, row.dtype_unet);
      tables.push_back(tables_beside(row, published));
      CHECK(std::ranges::any_of(
          figures, [&](const PublishedFigure& one) { return stands_in(tables.back(), one); }));
    }
    for (const PublishedFigure& figure : figures) {
      CAPTURE(figure.device, figure.model, figure.task, figure.batch.value(), figure.metric);
      CHECK(std::ranges::any_of(tables, [&](const auto& one) { return stands_in(one, figure); }));
    }
  }
}

TEST_CASE("a network's work that differs in update, loss, epochs or their images stands beside no "
          "published figure") {
  const Published published = shipped();
  const auto has_none = [&](RunRecord row, const auto& change) {
    change(row);
    return tables_beside(row, published).empty();
  };
  for (const RunRecord& row : rows_of_preset("egpu-2022")) {
    const auto unchanged = [](RunRecord&) {};
    CHECK_FALSE(has_none(row, unchanged));
    CHECK(has_none(row, [](RunRecord& one) { one.weight_update = "on"; }));
    CHECK(has_none(row, [](RunRecord& one) { one.loss = one.loss.empty() ? "logit-sum" : ""; }));
    CHECK(has_none(row, [](RunRecord& one) { one.epochs = 1; }));
    CHECK(
        has_none(row, [](RunRecord& one) { one.task = one.task == "train" ? "infer" : "train"; }));
    CHECK_FALSE(has_none(row, [](RunRecord& one) { one.images = 32; })); // 2 iterations
  }
  for (const RunRecord& row : rows_of_preset("cifar-2019")) {
    CHECK(has_none(row, [](RunRecord& one) { one.epochs.reset(); }));
    CHECK(has_none(row, [](RunRecord& one) { one.images = 2048; }));
    CHECK_FALSE(has_none(row, [](RunRecord& one) { one.epochs = 1; })); // --epochs shortens
  }
}

TEST_CASE("a row that lacks what rows are compared by stands beside figures that it has") {
  const Published published = shipped();
  std::vector<PublishedFigure> first_epochs;
  for (const PublishedFigure& figure : figures_of(published, "cifar-2019")) {
    if (figure.metric == "epoch_s_first" && figure.value && figure.batch == 128) {
      first_epochs.push_back(figure);
    }
  }
  REQUIRE_FALSE(first_epochs.empty());
  for (RunRecord row : rows_of_preset("cifar-2019")) {
    if (row.model == first_epochs.front().model && row.batch == 128) {
      row.epochs = 1;
      row.images_per_s.reset();
      row.images_per_min.reset();
      row.epoch_s_median.reset();
      CHECK(stands_in(tables_beside(row, published), first_epochs.front()));
    }
  }
}

TEST_CASE("a published failure is a place without a value that says why") {
  const Published published = shipped();
  RunRecord row;
  for (const RunRecord& one : rows_of_preset("cifar-2019")) {
    row = one.model == "cnn10" && one.batch == 2048 ? one : row;
  }
  const auto result = test::compared({row}, by("images_per_s"));
  const auto tables = published_tables(result.comparison, result.table, published);
  REQUIRE(tables.size() == 2);
  for (const ViewTable& table : tables) {
    CHECK(table.rows.back().cells[1] == "RTX 2080 Ti"); // after all rows with a value
    CHECK(table.rows.back().cells[3] == "out of memory");
  }
  auto data = to_json(result.comparison, result.table);
  add_published(data, result.comparison, result.table, published);
  const auto failed = std::ranges::find_if(data["places"], [](const auto& place) {
    return place["status"] == "published" && place["value"].is_null();
  });
  REQUIRE(failed != data["places"].end());
  CHECK((*failed)["notes"].back() == "out of memory");
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
