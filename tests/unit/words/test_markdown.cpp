#include "sdbench/words/markdown.h"

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <vector>

#include "catch.h"
#include "sample_record.h"

using namespace sdbench;

TEST_CASE("every line of a Markdown table has the same number of cells, whatever the text holds") {
  RunRecord record = test::full_record();
  record.label = "a|b\nc <b>";
  record.flags = "busy";
  record.busy_programs = "cc1plus 184 %";
  const RunRecord records[] = {record, test::failed_record()};
  std::istringstream lines(to_markdown(records));
  std::vector<std::int64_t> bars;
  for (std::string line; std::getline(lines, line);) {
    CHECK(line.front() == '|');
    CHECK(line.find("<b>") == std::string::npos);
    bars.push_back(std::ranges::count(line, '|'));
  }
  CHECK_THAT(to_markdown(records), Catch::Matchers::Contains("| busy | cc1plus 184 % |"));
  REQUIRE(bars.size() == 4);
  CHECK(bars[1] == bars[0]);
  CHECK(bars[2] == bars[0] + 1); // the escaped one
  CHECK(bars[3] == bars[0]);
}
