#include "sdbench/front/report/static_rows.h"

#include <cstdint>
#include <utility>

#include "catch.h"
#include "sdbench/front/record/flags.h"
#include "sdbench/front/record/run_record.h"

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
  CHECK_THAT(html, ContainsSubstring(">it/s</th>") && ContainsSubstring(">12.5</td>"));
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
  CHECK_THAT(html, ContainsSubstring(">vgg16 train "));
  CHECK_THAT(html, ContainsSubstring(">images/s</th>") && ContainsSubstring(">81.3</td>"));
  CHECK_THAT(html, !ContainsSubstring("s/image"));
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
  CHECK_THAT(html, !ContainsSubstring("9999") && ContainsSubstring(">–</td>"));
  CHECK_THAT(html, ContainsSubstring(", 23 steps,") && ContainsSubstring("contradicts_itself"));
}

TEST_CASE("card, work and speed stand first without a script, each work's fastest row above") {
  ResultTable table;
  const auto file = static_cast<std::uint32_t>(table.add_file("a.json"));
  for (const auto& [name, rate] : {std::pair("NVIDIA L4", 94.0), std::pair("NVIDIA A100", 235.0)}) {
    RunRecord row;
    row.time_utc = "2026-11-26T17:26:14Z";
    row.device_name = name;
    row.host = "desk3";
    row.model = "sdxl";
    row.width = row.height = 1024;
    row.steps = 20;
    row.batch = row.images = 4;
    row.dtype_unet = "fp16";
    row.engine = "plain";
    row.images_per_min = rate;
    row.unet_it_s = rate / 10;
    row.peak_device_allocated_bytes = std::int64_t{5} << 30;
    row.status = "ok";
    table.add(row, {file, 1});
  }
  const std::string html = static_rows(table);
  const std::string number = " class=\"number\" align=\"right\">";
  CHECK_THAT(html,
             ContainsSubstring("<tr><th width=\"160\">card</th><th width=\"120\">work</th><th" +
                               number + "images/min</th><th" + number + "s/image</th><th" + number +
                               "it/s</th><th>status</th>"));
  CHECK_THAT(html, ContainsSubstring("<tr><td>NVIDIA A100 on desk3</td><td>sdxl 1024x1024, 20 "
                                     "steps, batch 4</td><td" +
                                     number + "235</td><td" + number + "0.255</td>"));
  CHECK_THAT(html, ContainsSubstring(">0.638</td>") && ContainsSubstring(">9.40</td>"));
  CHECK_THAT(html, ContainsSubstring("<td>fp16, sdbench plain</td>") &&
                       ContainsSubstring(">5.00 GiB</td>"));
  CHECK(html.find("A100") < html.find("L4"));
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
  CHECK_THAT(static_rows(table), !ContainsSubstring("batch")); // their work is unknown
}
