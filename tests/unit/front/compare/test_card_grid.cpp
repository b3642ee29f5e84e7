#include "sdbench/front/compare/card_grid.h"

#include <cmath>
#include <string>
#include <vector>

#include "catch.h"
#include "compare_rows.h"
#include "sdbench/front/compare/compare_view.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/words/markup_forms.h"
#include "sdbench/front/words/page_width.h"
#include "sdbench/front/words/text_form.h"
#include "sdbench/front/words/view_table.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinRel;

namespace {

/// A card's row of one model and engine.
RunRecord row_on(const std::string& card, const std::string& model, const std::string& engine,
                 double it_s) {
  RunRecord row = test::row_of(it_s, card + model + engine);
  row.device_name = card;
  row.host = "host of " + card;
  row.env_id = "env " + card;
  row.model = model;
  row.workload_id = "work " + model;
  row.engine = engine;
  row.variant_id = "variant " + engine;
  row.images_per_min = it_s;
  row.e2e_s = 60 / it_s;
  row.e2e_s_sd = 0.6 / it_s;
  return row;
}

RunRecord failed_on(const std::string& card, const std::string& model, const std::string& engine,
                    const std::string& status) {
  RunRecord row = row_on(card, model, engine, 1);
  row.status = status;
  for (auto* figure : {&row.unet_it_s, &row.unet_s, &row.unet_s_sd, &row.images_per_min, &row.e2e_s,
                       &row.e2e_s_sd}) {
    figure->reset();
  }
  return row;
}

test::Compared by_images(const std::vector<RunRecord>& records, CompareOptions options = {}) {
  options.metric = find_metric("images_per_min");
  return test::compared(records, options);
}

CardGrid grid_of(const test::Compared& compared) {
  return card_grid(compared.comparison, compared.table);
}

std::vector<std::string> names_of(const auto& items) {
  std::vector<std::string> names;
  for (const auto& item : items) {
    names.push_back(item.name);
  }
  return names;
}

std::string view_of(const test::Compared& compared) {
  return to_text(compare_view(compared.comparison, compared.table), {.width = 0});
}

} // namespace

TEST_CASE("a card has one row, and each work in each way a column") {
  const auto compared =
      by_images({row_on("A", "sd15", "tuned", 40), row_on("A", "sd15", "plain", 20),
                 row_on("B", "sd15", "tuned", 10), row_on("B", "sd15", "plain", 10)});
  const CardGrid grid = grid_of(compared);
  CHECK(names_of(grid.cards) == std::vector<std::string>{"A", "B"});
  CHECK(names_of(grid.cells) ==
        std::vector<std::string>{"sd15 512x512, 50 steps, batch 1, sdbench tuned",
                                 "sd15 512x512, 50 steps, batch 1, sdbench plain"});
  CHECK(grid.shared_cells == 2);
  CHECK(grid.cards[0].places[0].is_reference);
  CHECK_THAT(grid.cards[1].places[0].relative->value, WithinRel(0.25, 1e-9));
  CHECK_THAT(grid.cards[1].places[1].relative->value, WithinRel(0.5, 1e-9));
  CHECK(grid.cards[0].overall == 1);
  CHECK_THAT(*grid.cards[1].overall, WithinRel(std::sqrt(0.25 * 0.5), 1e-9));
}

TEST_CASE("cards are sorted by the geometric mean of what all of them have") {
  const auto compared =
      by_images({row_on("A", "sd15", "tuned", 40), row_on("A", "sdxl", "tuned", 1),
                 row_on("B", "sd15", "tuned", 20), row_on("B", "sdxl", "tuned", 4),
                 row_on("B", "other", "tuned", 1)});
  const CardGrid grid = grid_of(compared);
  CHECK(names_of(grid.cards) == std::vector<std::string>{"B", "A"});
  CHECK(grid.shared_cells == 2);
  CHECK(grid.cards[0].overall == 1);
  CHECK_THAT(*grid.cards[1].overall, WithinRel(std::sqrt(0.5), 1e-9));
}

TEST_CASE("what a card could not do is shown in its place, and what nobody tried is a hole") {
  const auto compared =
      by_images({row_on("A", "sd15", "tuned", 40), row_on("A", "sdxl", "tuned", 4),
                 row_on("B", "sd15", "tuned", 20), failed_on("B", "sdxl", "tuned", "oom_device"),
                 row_on("C", "sd15", "tuned", 10)});
  const CardGrid grid = grid_of(compared);
  CHECK(grid.shared_cells == 1);
  REQUIRE(names_of(grid.cards) == std::vector<std::string>{"A", "B", "C"});
  CHECK(grid.cards[1].places[1].pool);
  CHECK_FALSE(grid.cards[1].places[1].relative);
  CHECK_FALSE(grid.cards[2].places[1].pool);
  const std::string text = view_of(compared);
  CHECK_THAT(text, ContainsSubstring("B        0.500x !  20.0, 0.500x           OOM"));
  CHECK_THAT(text, ContainsSubstring("failed: B in sdxl 512x512, 50 steps, batch 1 (OOM)"));
}

TEST_CASE("a card with a failure is compared by what it shares, and a mark says so") {
  const auto compared =
      by_images({row_on("A", "sd15", "tuned", 40), row_on("A", "sdxl", "tuned", 4),
                 row_on("B", "sd15", "tuned", 20), failed_on("B", "sdxl", "tuned", "oom_device")});
  const std::string text = view_of(compared);
  CHECK_THAT(text,
             ContainsSubstring("all: the geometric mean over the columns (1 of 2) of which every "
                               "machine has a figure, relative to the best machine's"));
  CHECK_THAT(text, ContainsSubstring("A           1.00x   40.0, 1.00x   4.00, 1.00x\n"
                                     "B        0.500x !  20.0, 0.500x           OOM\n"));
  CHECK_THAT(text,
             ContainsSubstring("!  something failed (named below), and no figure includes it"));
}

TEST_CASE("a machine that shares no column leaves the others their mean, and is named") {
  const auto compared =
      by_images({row_on("A", "sd15", "tuned", 40), row_on("A", "sdxl", "tuned", 4),
                 row_on("B", "sd15", "tuned", 20), row_on("B", "sdxl", "tuned", 1),
                 row_on("C", "other", "tuned", 9), failed_on("C", "sd15", "tuned", "crash")});
  const CardGrid grid = grid_of(compared);
  CHECK(grid.shared_cells == 2);
  REQUIRE(names_of(grid.cards) == std::vector<std::string>{"A", "B", "C"});
  CHECK_THAT(*grid.cards[1].overall, WithinRel(std::sqrt(0.5 * 0.25), 1e-9));
  CHECK_FALSE(grid.cards[2].overall);
  CHECK_THAT(
      view_of(compared),
      ContainsSubstring("columns (2 of 3) of which every machine of the fullest column has a "
                        "figure, relative to the best machine's; not in that column: C\n"));
}

TEST_CASE("of columns as full the mean is of the machines that share the most columns") {
  const auto compared = by_images(
      {row_on("A", "a", "tuned", 40), row_on("B", "a", "tuned", 20), row_on("C", "b", "tuned", 9),
       row_on("D", "b", "tuned", 3), row_on("C", "c", "tuned", 8), row_on("D", "c", "tuned", 2),
       row_on("A", "c", "plain", 8), failed_on("B", "b", "tuned", "oom_device")});
  const CardGrid grid = grid_of(compared);
  CHECK(grid.shared_cells == 2);
  REQUIRE(names_of(grid.cards) == std::vector<std::string>{"C", "D", "A", "B"});
  CHECK(grid.cards[0].overall == 1);
  CHECK_THAT(*grid.cards[1].overall, WithinRel(std::sqrt(3.0 / 9 * 2 / 8), 1e-9));
  CHECK_FALSE(grid.cards[2].overall);
  CHECK_THAT(view_of(compared), ContainsSubstring("not in that column: A; B\n"));
}

TEST_CASE("a column whose figures have no baseline is none of the mean, and the legend says so") {
  CompareOptions options;
  options.baseline = "A";
  const auto compared =
      by_images({row_on("A", "a", "tuned", 40), row_on("B", "a", "tuned", 20),
                 row_on("C", "a", "tuned", 10), failed_on("A", "b", "tuned", "oom_device"),
                 row_on("B", "b", "tuned", 9), row_on("C", "b", "tuned", 3)},
                options);
  CHECK_THAT(view_of(compared), ContainsSubstring("columns (1 of 2) of which every machine has a "
                                                  "figure relative to the baseline's\n"));
  const auto apart = by_images(
      {row_on("A", "a", "tuned", 40), row_on("B", "b", "tuned", 9), row_on("C", "b", "tuned", 3)},
      options);
  CHECK(grid_of(apart).shared_cells == 0);
  CHECK_THAT(view_of(apart),
             ContainsSubstring("no two machines have a figure relative to the baseline's in one"));
}

TEST_CASE("where no two machines share a column there is no mean, and that is said") {
  const auto compared =
      by_images({row_on("A", "sd15", "tuned", 40), row_on("B", "sdxl", "tuned", 20)});
  CHECK(grid_of(compared).shared_cells == 0);
  CHECK_THAT(view_of(compared), ContainsSubstring("no two machines have a figure in one column"));
}

TEST_CASE("a cell of which one start failed has a mark, and the line below it says how many") {
  RunRecord again = row_on("B", "sd15", "tuned", 20);
  again.run_id += " again";
  RunRecord crashed = failed_on("B", "sd15", "tuned", "crash");
  crashed.run_id += " crashed";
  const auto rows = {row_on("A", "sd15", "tuned", 40),
                     row_on("A", "sdxl", "tuned", 4),
                     row_on("B", "sd15", "tuned", 20),
                     again,
                     crashed,
                     row_on("B", "sdxl", "tuned", 2)};
  const std::string words = "failed: B in sd15 512x512, 50 steps, batch 1 (crash in 1 of 3 rows)";
  CHECK_THAT(view_of(by_images(rows)),
             ContainsSubstring("20.0, 0.500x !") && ContainsSubstring(words));
  CompareOptions options;
  options.row_fields = {*find_field("device_name")};
  CHECK_THAT(view_of(by_images(rows, options)),
             ContainsSubstring("20.0, 0.500x !") && ContainsSubstring(words));
}

TEST_CASE("marks and what they mean stand with the same part of a table") {
  std::vector<RunRecord> records;
  for (int i = 0; i < 12; ++i) {
    for (const std::string card : {"A", "B"}) {
      RunRecord row = row_on(card, "model" + std::to_string(i), "tuned", card == "A" ? 40 : 39);
      row.e2e_s_sd = i == 0 && card == "B" ? 1 : 0.001;
      records.push_back(std::move(row));
    }
  }
  const auto compared = by_images(records);
  const View view = fitted_to_page(compare_view(compared.comparison, compared.table));
  REQUIRE(view.tables[1].title.ends_with("continued"));
  const std::string text =
      to_markdown({.command = "compare", .head = "", .tables = {view.tables[0]}});
  CHECK_THAT(text, ContainsSubstring("0.975x ?") || ContainsSubstring("0.975x\u00a0?"));
  CHECK_THAT(text, ContainsSubstring("?  unclear beside the best of its column"));
  CHECK(to_markdown({.command = "compare", .head = "", .tables = {view.tables[1]}})
            .find("unclear beside") == std::string::npos);
}

TEST_CASE("a mark says where a card is not surely slower") {
  RunRecord noisy = row_on("B", "sd15", "tuned", 39);
  noisy.e2e_s_sd = 1;
  const auto compared =
      by_images({row_on("A", "sd15", "tuned", 40), row_on("A", "sdxl", "tuned", 4), noisy,
                 row_on("B", "sdxl", "tuned", 2)});
  const std::string text = view_of(compared);
  CHECK_THAT(text, ContainsSubstring("39.0, 0.975x ?"));
  CHECK_THAT(text, ContainsSubstring("?  unclear beside the best of its column"));
  CHECK(text.find("0.500x ?") == std::string::npos);
}

TEST_CASE("beside a baseline the grid says what the comparison says") {
  CompareOptions options;
  options.baseline = "host of B";
  const auto compared =
      by_images({row_on("A", "sd15", "tuned", 40), row_on("A", "sdxl", "tuned", 8),
                 row_on("B", "sd15", "tuned", 20), row_on("B", "sdxl", "tuned", 2)},
                options);
  const CardGrid grid = grid_of(compared);
  REQUIRE(names_of(grid.cards) == std::vector<std::string>{"A", "B"});
  CHECK(grid.cards[1].places[0].is_reference);
  CHECK(grid.cards[1].overall == 1);
  CHECK_THAT(*grid.cards[0].overall, WithinRel(std::sqrt(2 * 4), 1e-9));
}

TEST_CASE("a format that one card chose and another was told is one column") {
  RunRecord told = row_on("B", "sd15", "tuned", 20);
  told.variant_id = "variant tuned in fp16";
  const auto compared = by_images({row_on("A", "sd15", "tuned", 40), told});
  CHECK(grid_of(compared).cells.size() == 1);
  RunRecord other = told;
  other.dtype_unet = "bf16";
  CHECK(grid_of(by_images({row_on("A", "sd15", "tuned", 40), other})).cells.size() == 2);
}

TEST_CASE("a card with two versions of its software in one cell has a row for each") {
  RunRecord newer = row_on("A", "sd15", "tuned", 44);
  newer.env_id = "env A, newer";
  newer.driver_version = "600";
  RunRecord older = row_on("A", "sd15", "tuned", 40);
  older.driver_version = "500";
  const auto compared = by_images({older, newer, row_on("B", "sd15", "tuned", 20)});
  CHECK(names_of(grid_of(compared).cards) ==
        std::vector<std::string>{"A, driver 600", "A, driver 500", "B"});
}

TEST_CASE("a card with and without a tag is two rows, whatever was run with each") {
  RunRecord tagged = row_on("A", "sdxl", "tuned", 4);
  tagged.tags = "cooler=water";
  const auto compared =
      by_images({row_on("A", "sd15", "tuned", 40), tagged, row_on("B", "sd15", "tuned", 20)});
  CHECK(names_of(grid_of(compared).cards) == std::vector<std::string>{"A", "B", "A, cooler=water"});
}

TEST_CASE("a card stays one row whatever a failed or odd row saw of its link") {
  RunRecord good = row_on("A", "sd15", "tuned", 40);
  good.pcie_generation_used = 5;
  good.telemetry_samples = 100;
  RunRecord again = row_on("A", "sd15", "plain", 20);
  again.pcie_generation_used = 5;
  again.telemetry_samples = 100;
  RunRecord failed = failed_on("A", "sdxl", "tuned", "oom_device");
  failed.pcie_generation_used = 1;
  failed.telemetry_samples = 1;
  const auto compared = by_images({good, again, failed, row_on("B", "sd15", "tuned", 20)});
  CHECK(names_of(grid_of(compared).cards) == std::vector<std::string>{"A", "B"});
}

TEST_CASE("where cells are many, those that one card alone has are left out and counted") {
  std::vector<RunRecord> records = {row_on("A", "sd15", "tuned", 40),
                                    row_on("B", "sd15", "tuned", 20)};
  for (int i = 0; i < 12; ++i) {
    records.push_back(row_on("A", "model" + std::to_string(i), "tuned", 10));
  }
  const CardGrid grid = grid_of(by_images(records));
  CHECK(grid.cells.size() == 1);
  CHECK(grid.lone_cells == 12);
}

TEST_CASE("a cell that a card lacks is listed with the command that fills it") {
  RunRecord best = row_on("A", "sdxl", "tuned", 4);
  best.run_id = "best of sdxl";
  best.note = "the night.jsonl"; // the row's file, see compared()
  const auto compared =
      by_images({row_on("A", "sd15", "tuned", 40), best, row_on("B", "sd15", "tuned", 20),
                 row_on("C", "sd15", "tuned", 1), failed_on("C", "sdxl", "tuned", "oom_device")});
  const std::string text =
      to_text(compare_view(compared.comparison, compared.table, true), {.width = 0});
  CHECK_THAT(text, ContainsSubstring("missing\n"));
  CHECK_THAT(text, ContainsSubstring("B        sdxl 512x512, 50 steps, batch 1  sdbench reproduce "
                                     "'the night.jsonl' --run-id 'best of sdxl'"));
  CHECK(text.find("\nC        sdxl 512x512, 50 steps, batch 1  sdbench") == std::string::npos);
}

TEST_CASE("a missing cell's remark on states asks the rows, whatever a device is called") {
  const auto missing = [](const char* name, const char* host, const char* driver) {
    RunRecord older = row_on(name, "sd15", "tuned", 40);
    older.host = "desk";
    older.driver_version = "500";
    RunRecord newer = row_on(name, "sdxl", "tuned", 44);
    newer.host = host;
    newer.env_id = "another";
    newer.driver_version = driver;
    const auto compared = by_images({older, newer});
    return to_text(compare_view(compared.comparison, compared.table, true), {.width = 0});
  };
  const auto said = ContainsSubstring("no command sets a power limit, clocks or a driver");
  CHECK_THAT(missing("A", "desk", "600"), said);
  CHECK_THAT(missing("A", "lap", "600"), !said); // the host tells them apart
  CHECK_THAT(missing("A, driver of nails", "lap", "500"), !said);
}

TEST_CASE("a missing cell's command names the GPU only where another of its name is in the host") {
  const auto missing = [](const char* name, std::int64_t other) {
    RunRecord first = row_on(name, "sd15", "tuned", 40);
    first.device_index = 1;
    RunRecord second = row_on(name, "sdxl", "tuned", 44);
    second.device_index = other;
    second.tags = "cooler=water";
    const auto compared = by_images({first, second});
    return to_text(compare_view(compared.comparison, compared.table, true), {.width = 0});
  };
  CHECK_THAT(missing("A", 2), ContainsSubstring(" --device cuda:2"));
  CHECK_THAT(missing("GPU 1", 1), !ContainsSubstring(" --device "));
}

TEST_CASE("where no card lacks a cell that is said") {
  const auto compared =
      by_images({row_on("A", "sd15", "tuned", 40), row_on("B", "sd15", "tuned", 20)});
  CHECK_THAT(to_text(compare_view(compared.comparison, compared.table, true), {.width = 0}),
             ContainsSubstring("missing: no machine lacks a cell that another machine has"));
}

TEST_CASE("forty cards are forty rows, the best first") {
  std::vector<RunRecord> records;
  for (int i = 0; i < 40; ++i) {
    records.push_back(row_on("Card " + std::to_string(i), "sd15", "tuned", 10 + i));
    records.push_back(row_on("Card " + std::to_string(i), "sdxl", "tuned", 10 + i));
  }
  const CardGrid grid = grid_of(by_images(records));
  REQUIRE(grid.cards.size() == 40);
  CHECK(grid.cards.front().name == "Card 39");
  CHECK_THAT(*grid.cards.back().overall, WithinRel(10.0 / 49, 1e-9));
}

TEST_CASE("eight cards in the six cells of preset card-1 are one table on a page") {
  std::vector<RunRecord> records;
  const std::vector<std::string> cards = {
      "NVIDIA H100 80GB HBM3",      "NVIDIA GeForce RTX 4090",         "NVIDIA RTX A6000",
      "NVIDIA GeForce RTX 3060",    "NVIDIA GeForce GTX 1080 Ti",      "NVIDIA L4",
      "NVIDIA GeForce RTX 4060 Ti", "NVIDIA GeForce RTX 4070 Ti SUPER"};
  double images = 711;
  for (const std::string& card : cards) {
    for (const std::string engine : {"tuned", "plain"}) {
      for (const int batch : {1, 4}) {
        RunRecord row = row_on(card, "sd15", engine, images * batch);
        row.run_id += std::to_string(batch);
        row.workload_id += std::to_string(batch);
        row.batch = batch;
        records.push_back(std::move(row));
      }
      RunRecord large = row_on(card, "sdxl", engine, images / 10);
      large.width = large.height = 1024;
      records.push_back(std::move(large));
      images *= 0.95;
    }
  }
  const auto compared = by_images(records);
  const View view = fitted_to_page(compare_view(compared.comparison, compared.table));
  CHECK(view.tables[0].rows.size() == cards.size());
  CHECK(view.tables[0].columns.size() == 8); // the card, all, six cells
  CHECK(view.tables[1].title.find("continued") == std::string::npos);
}

TEST_CASE("where images/min and it/s rank two rows differently one line names the stage") {
  RunRecord slow_vae = row_on("A", "sd15", "tuned", 10);
  slow_vae.unet_it_s = 30;
  slow_vae.unet_s = 1.5;
  slow_vae.vae_s = 4.2;
  slow_vae.text_s = 0.1;
  RunRecord fast_vae = row_on("B", "sd15", "tuned", 12);
  fast_vae.unet_it_s = 12;
  fast_vae.unet_s = 4.2;
  fast_vae.vae_s = 0.3;
  fast_vae.text_s = 0.1;
  CHECK_THAT(view_of(by_images({slow_vae, fast_vae})),
             ContainsSubstring("A has more UNet it/s than B, but fewer images/min: vae_s is 4.20 s "
                               "of a run, and there 300 ms"));
  fast_vae.unet_it_s = 31;
  CHECK(view_of(by_images({slow_vae, fast_vae})).find("has more UNet it/s") == std::string::npos);
}
