// Golden output for the rows of five invented machines (tests/data/compare/make_rows.py). After a
// wanted change: SDBENCH_UPDATE=1 build/dev/tests/front_tests "*is the golden one", and look at the
// difference.
#include "sdbench/front/compare/compare_formats.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "catch.h"
#include "compare_rows.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/front/compare/compare_view.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/record/csv_text.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/results/result_reader.h"
#include "sdbench/front/words/markup_forms.h"
#include "sdbench/front/words/text_form.h"
#include "sdbench/front/words/view_table.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::filesystem::path kRows =
    std::filesystem::path(SDBENCH_SOURCE_DIR) / "tests" / "data" / "compare";

void check_golden(const std::string& name, const std::string& text) {
  const auto file = kRows / "golden" / name;
  if (std::getenv("SDBENCH_UPDATE") != nullptr) {
    std::filesystem::create_directories(file.parent_path());
    write_file_atomically(file, text);
  }
  CHECK(text == read_text_file(file));
}

struct Machines {
  Results results;
  Comparison comparison;
};

Machines invented_machines(CompareOptions options = {}) {
  Machines machines;
  std::vector<std::filesystem::path> files;
  for (const char* name : {"alpha", "bravo", "charlie", "delta", "echo"}) {
    files.push_back(kRows / ("invented-" + std::string(name) + ".csv"));
  }
  machines.results = read_results(files);
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < machines.results.table.size(); ++row) {
    rows.push_back(row);
  }
  options.metric = find_metric("unet_it_s");
  machines.comparison = compare_rows(machines.results.table, rows, options);
  return machines;
}

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  for (const auto& line : std::vector<std::string>{text}) {
    for (std::size_t begin = 0; begin < line.size();) {
      const std::size_t end = std::min(line.find('\n', begin), line.size());
      std::size_t characters = 0;
      for (std::size_t i = begin; i < end; ++i) {
        characters += (static_cast<unsigned char>(line[i]) & 0xC0U) != 0x80U ? 1U : 0U;
      }
      longest = std::max(longest, characters);
      begin = end + 1;
    }
  }
  return longest;
}

} // namespace

TEST_CASE("the table form of five machines is the golden one") {
  const Machines machines = invented_machines();
  const View view = compare_view(machines.comparison, machines.results.table);
  check_golden("wide.txt", to_text(view, {.width = 0}));
  check_golden("narrow.txt", to_text(view, {.width = 80}));
}

TEST_CASE("the table form of a baseline is the golden one") {
  CompareOptions options;
  options.baseline = "bravo";
  const Machines machines = invented_machines(options);
  check_golden("baseline.txt",
               to_text(compare_view(machines.comparison, machines.results.table), {.width = 120}));
}

TEST_CASE("the Markdown form of five machines is the golden one") {
  const Machines machines = invented_machines();
  check_golden("table.md", to_markdown(compare_view(machines.comparison, machines.results.table)));
}

TEST_CASE("the HTML form of five machines is the golden one") {
  const Machines machines = invented_machines();
  const std::string page = to_html(compare_view(machines.comparison, machines.results.table));
  check_golden("table.html", page);
  CHECK(page.find("<script") == std::string::npos);
  CHECK(page.find("<b>") == std::string::npos);
}

TEST_CASE("the JSON and CSV form of five machines is the golden one") {
  const Machines machines = invented_machines();
  const auto data = to_json(machines.comparison, machines.results.table);
  check_golden("table.json", to_json_text(data));
  check_golden("table.csv", to_csv(data));
  const auto rows = parse_csv(to_csv(data));
  REQUIRE(rows.size() == data["places"].size() + 1);
  for (const auto& row : rows) {
    CHECK(row.size() == rows.front().size());
  }
}

TEST_CASE("a table keeps to the terminal's width and says what it left out") {
  const Machines machines = invented_machines();
  const View view = compare_view(machines.comparison, machines.results.table);
  for (const std::size_t width : {72U, 80U, 100U, 130U}) {
    const std::string text = to_text(view, {.width = width});
    CHECK(longest_line(text) <= width);
    CHECK_THAT(text, ContainsSubstring("no room for: "));
  }
  CHECK(to_text(view, {.width = 0}).find("no room for") == std::string::npos);
}

TEST_CASE("a name with several blanks in a row is written at any width") {
  RunRecord fast = test::row_of(20, "a");
  fast.device_name = "Card   of   blanks  ";
  RunRecord slow = test::row_of(10, "b");
  slow.env_id = "elsewhere";
  slow.driver_version = "  5   80  ";
  fast.driver_version = "1";
  const auto result = test::compared({fast, slow});
  const View view = compare_view(result.comparison, result.table);
  for (std::size_t width = 1; width < 150; ++width) {
    CHECK_NOTHROW(to_text(view, {.width = width}));
  }
}

TEST_CASE("colour is put in where asked for, and nothing from a file commands the terminal") {
  const Machines machines = invented_machines();
  const View view = compare_view(machines.comparison, machines.results.table);
  CHECK(to_text(view, {.width = 80}).find('\x1b') == std::string::npos);
  const std::string text = to_text(view, {.width = 80, .colour = true});
  CHECK_THAT(text, ContainsSubstring("\x1b[1m"));
  CHECK_THAT(text, ContainsSubstring("\\x1b[31m"));
}

TEST_CASE("a baseline that is a row's number is said by its name, too") {
  RunRecord slow = test::row_of(10, "b");
  slow.env_id = "elsewhere";
  slow.host = "beta";
  CompareOptions options;
  options.baseline = "2";
  const auto result = test::compared({test::row_of(20, "a"), slow}, options);
  CHECK_THAT(compare_view(result.comparison, result.table).head,
             ContainsSubstring("relative to 2, Card on beta as speed"));
}

TEST_CASE("marks go on with two letters after z") {
  CHECK(mark_text(0) == "a");
  CHECK(mark_text(25) == "z");
  CHECK(mark_text(26) == "aa");
  CHECK(mark_text(27) == "ab");
}

TEST_CASE("a sum of parallel devices shows its images where it has no it/s") {
  RunRecord sum = test::row_of(1, "s");
  sum.parallel_role = "sum";
  sum.parallel_devices = 2;
  sum.unet_it_s.reset();
  sum.images_per_min = 12;
  const auto result = test::compared({test::row_of(20, "a"), sum});
  CHECK(result.comparison.pools.size() == 2);
  CHECK_THAT(result.name("s"), ContainsSubstring("sum of 2"));
  CHECK_THAT(to_text(compare_view(result.comparison, result.table), {.width = 0}),
             ContainsSubstring("12.0"));
}

TEST_CASE("the legend and each line say what its interval is made of") {
  const auto on = [](const char* host, double it_s, const char* run_id) {
    RunRecord row = test::row_of(it_s, run_id);
    row.env_id = host;
    row.host = host;
    return row;
  };
  const std::vector<RunRecord> close = {on("close", 20, "a"), on("close", 20, "b")};
  const std::vector<RunRecord> apart = {on("apart", 10, "c"), on("apart", 11, "d")};
  const std::vector<RunRecord> alone = {on("alone", 15, "e")};
  const auto text_of = [](const test::Compared& result) {
    return to_text(compare_view(result.comparison, result.table), {.width = 0});
  };
  const std::string of_runs = "mean, over the timed runs of all its rows where these differ less";
  CHECK_THAT(text_of(test::compared(close)),
             ContainsSubstring(of_runs) && !ContainsSubstring("over rows"));
  CHECK_THAT(text_of(test::compared(apart)), ContainsSubstring("mean, over rows"));
  CHECK_THAT(text_of(test::compared(alone)),
             ContainsSubstring("mean, over the timed runs within a row"));
  std::vector<RunRecord> all = close;
  all.insert(all.end(), apart.begin(), apart.end());
  all.insert(all.end(), alone.begin(), alone.end());
  const auto mixed = test::compared(all);
  CHECK_THAT(text_of(mixed),
             ContainsSubstring("mean, over rows; over the timed runs of all its rows"));
  CHECK_THAT(
      mixed.notes("a"),
      ContainsSubstring(
          "less than the noise of single runs would make them, so its interval covers the runs"));
  CHECK_THAT(mixed.notes("e"), ContainsSubstring("covers the runs of one row"));
  CHECK_THAT(mixed.notes("c"), !ContainsSubstring("its interval covers"));
  const auto data = to_json(mixed.comparison, mixed.table);
  CHECK(data.dump().find("between-runs") != std::string::npos);
}
