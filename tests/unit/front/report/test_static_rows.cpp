#include "sdbench/front/report/static_rows.h"

#include <cstdint>

#include "catch.h"
#include "sdbench/base/record/flags.h"
#include "sdbench/base/record/run_record.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("rows are a table without a script, and what stands in them is text") {
  ResultTable table;
  const auto file = static_cast<std::uint32_t>(table.add_file("a.json"));
  RunRecord row;
  row.model = "sd15";
  row.steps = 20;
  row.unet_it_s = 12.5;
  row.status = "ok";
  row.note = "</noscript><script>alert(1)</script>";
  table.add(row, {file, 1});
  const std::string html = static_rows(table);
  CHECK_THAT(html, ContainsSubstring("<th>unet_it_s</th>"));
  CHECK_THAT(html, ContainsSubstring("<td>12.5</td>"));
  CHECK_THAT(html, ContainsSubstring("&lt;/noscript&gt;&lt;script&gt;"));
  CHECK_THAT(html, !ContainsSubstring("<script"));
  CHECK_THAT(html, !ContainsSubstring("<th>flags</th>")); // empty in all rows
}

TEST_CASE("a network's row has its task and its rate") {
  ResultTable table;
  const auto file = static_cast<std::uint32_t>(table.add_file("a.json"));
  RunRecord row;
  row.model = "vgg16";
  row.task = "train";
  row.images_per_s = 81.26;
  row.status = "ok";
  table.add(row, {file, 1});
  const std::string html = static_rows(table);
  CHECK_THAT(html, ContainsSubstring("<th>model</th><th>task</th>") &&
                       ContainsSubstring("<td>vgg16</td><td>train</td>"));
  CHECK_THAT(html,
             ContainsSubstring("<th>images_per_s</th>") && ContainsSubstring("<td>81.3</td>"));
}

TEST_CASE("a row that contradicts itself has no figure, but its work and its mark") {
  ResultTable table;
  const auto file = static_cast<std::uint32_t>(table.add_file("a.json"));
  RunRecord row;
  row.model = "sd15";
  row.steps = 23;
  row.status = "ok";
  row.unet_it_s = 9999;
  row.flags = kContradicts;
  table.add(row, {file, 1});
  const std::string html = static_rows(table);
  CHECK_THAT(html, !ContainsSubstring("9999") && ContainsSubstring("<td>–</td>"));
  CHECK_THAT(html, ContainsSubstring("<td>23</td>") && ContainsSubstring("contradicts_itself"));
}

TEST_CASE("of very many rows the first are shown, and that is said") {
  ResultTable table;
  const auto file = static_cast<std::uint32_t>(table.add_file("a.json"));
  RunRecord row;
  row.status = "ok";
  for (std::uint32_t i = 0; i < 2003; ++i) {
    table.add(row, {file, i + 1});
  }
  CHECK_THAT(static_rows(table), ContainsSubstring("Left out here: 3 more rows; "));
}
