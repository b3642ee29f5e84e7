#include "sdbench/front/words/record_table.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "catch.h"
#include "sample_record.h"
#include "sdbench/front/words/markup_forms.h"
#include "sdbench/front/words/view_table.h"

using namespace sdbench;

namespace {

std::string markdown_of(std::span<const RunRecord> records) {
  return to_markdown({.command = "run", .head = "", .tables = {record_table(records)}});
}

} // namespace

TEST_CASE("every line of a Markdown table has the same number of cells, whatever the text holds") {
  RunRecord record = test::full_record();
  record.label = "a|b\nc <b>";
  record.flags = "busy";
  record.busy_programs = "cc1plus 184 %";
  const RunRecord records[] = {record, test::failed_record()};
  std::istringstream lines(markdown_of(records));
  std::vector<std::int64_t> bars;
  for (std::string line; std::getline(lines, line);) {
    CHECK(line.front() == '|');
    CHECK(line.find("<b>") == std::string::npos);
    bars.push_back(std::ranges::count(line, '|'));
  }
  CHECK_THAT(markdown_of(records), Catch::Matchers::Contains("| busy | cc1plus 184 % |"));
  REQUIRE(bars.size() == 4);
  CHECK(bars[1] == bars[0]);
  CHECK(bars[2] == bars[0] + 1); // the escaped one
  CHECK(bars[3] == bars[0]);
}

TEST_CASE("Markdown has no figure of a row that contradicts itself") {
  RunRecord record = test::full_record();
  record.unet_it_s = 9999;
  record.flags = "contradicts_itself";
  record.width = 640;
  const RunRecord records[] = {record};
  const std::string text = markdown_of(records);
  CHECK_THAT(text, !Catch::Matchers::Contains("9999") && Catch::Matchers::Contains("640") &&
                       Catch::Matchers::Contains("| – |") &&
                       Catch::Matchers::Contains("contradicts"));
}

TEST_CASE("Markdown says a field of the work by its words where a row has one") {
  RunRecord record = test::full_record();
  record.clip_skip.reset();
  RunRecord other = record;
  other.clip_skip = 3;
  CHECK_THAT(markdown_of({&record, 1}), !Catch::Matchers::Contains("clip skip"));
  CHECK_THAT(markdown_of({&other, 1}), Catch::Matchers::Contains("| clip skip |"));
}

TEST_CASE("Markdown tells rows of training apart by all that the table on a terminal does") {
  RunRecord base;
  base.task = "train";
  base.model = "tiny-resnet";
  base.weight_update = "on";
  base.batch = 8;
  base.images = 40;
  base.epochs = 2;
  base.data = "cifar10";
  base.data_place = "host";
  base.status = "ok";
  base.images_per_s = 344;
  base.images_per_min = 60 * 344;
  base.images_per_min_ci95_low = 60 * 340;
  base.images_per_min_ci95_high = 60 * 348;
  base.ci95_covers = "within-run";
  const std::vector<void (*)(RunRecord&)> changes{
      [](RunRecord& r) { r.epochs = 3; },
      [](RunRecord& r) { r.data = "synthetic:40"; },
      [](RunRecord& r) { r.data_place = "device"; },
      [](RunRecord& r) { r.weight_update = "off"; },
      [](RunRecord& r) { r.loss = "logit-sum"; },
      [](RunRecord& r) { r.seed = 1; },
      [](RunRecord& r) { r.threads = 2; },
      [](RunRecord& r) { r.repeat = 5; },
      [](RunRecord& r) { r.round = 2; },
      [](RunRecord& r) { r.restart = 2; },
      [](RunRecord& r) { r.note = "again"; },
      [](RunRecord& r) { r.images = 48; },
      [](RunRecord& r) { r.epoch_s_first = 1; },
      [](RunRecord& r) { r.epoch_s_median = 1; },
      [](RunRecord& r) { r.accuracy = 0.5; },
      [](RunRecord& r) { r.achieved_tflops = 0.5; },
      [](RunRecord& r) { r.images_per_min_ci95_low = 60 * 330; }};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    CAPTURE(i);
    RunRecord changed = base;
    changes[i](changed);
    const RunRecord both[] = {base, changed};
    const ViewTable table = record_table(both);
    CHECK(table.rows[0].cells != table.rows[1].cells);
  }
  const RunRecord alone[] = {base};
  CHECK_THAT(markdown_of(alone), Catch::Matchers::Contains("340.0 to 348.0 images/s, within-run"));
}

TEST_CASE("a table of rows that make images has no column of training") {
  RunRecord image;
  image.model = "sd15";
  const RunRecord rows[] = {image};
  for (const ViewColumn& column : record_table(rows).columns) {
    CAPTURE(column.head);
    CHECK_FALSE((column.head == "epochs" || column.head == "loss" || column.head == "images/s"));
  }
}
