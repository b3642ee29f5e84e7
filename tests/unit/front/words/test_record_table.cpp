#include "sdbench/front/words/record_table.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "catch.h"
#include "sample_record.h"
#include "sdbench/front/words/markdown_form.h"

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
