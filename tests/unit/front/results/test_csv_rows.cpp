#include "sdbench/front/results/csv_rows.h"

#include <algorithm>

#include "catch.h"

using namespace sdbench;

namespace {

using Row = std::vector<std::string>;

/// All rows, with broken ones as "LINE: reason".
std::vector<Row> csv_rows_of(std::string_view text, std::size_t longest = 1000,
                             char separator = ',') {
  ByteWindow window(text_source(text));
  CsvRows rows(window, longest, separator);
  std::vector<Row> all;
  for (;;) {
    const CsvRows::Next next = rows.next();
    if (next == CsvRows::Next::kEnd) {
      return all;
    }
    if (next == CsvRows::Next::kBroken) {
      all.push_back({std::to_string(rows.line()) + ": " + rows.reason()});
    } else {
      all.emplace_back(rows.fields().begin(), rows.fields().end());
    }
  }
}

} // namespace

TEST_CASE("rows of CSV are read with quotes, commas and line ends in their fields") {
  CHECK(csv_rows_of("a,\"b,\"\"c\"\"\n\",\r\n1,,2\n") ==
        std::vector<Row>{{"a", "b,\"c\"\n", ""}, {"1", "", "2"}});
  CHECK(csv_rows_of("a,b") == std::vector<Row>{{"a", "b"}});
  CHECK(csv_rows_of("a,\"b\"") == std::vector<Row>{{"a", "b"}});
  CHECK(csv_rows_of("a,b\r") == std::vector<Row>{{"a", "b"}});
  CHECK(csv_rows_of("\n\r\na\n\n") == std::vector<Row>{{"a"}});
  CHECK(csv_rows_of("").empty());
}

TEST_CASE("rows with semicolons or tabs between are read like those with commas") {
  for (const char separator : {';', '\t'}) {
    std::string text = "a,1|\"b|\"\"c\"\"\"||1234567890123456|x\r\n1||2||\n";
    std::ranges::replace(text, '|', separator);
    const std::string quoted = std::string("b") + separator + "\"c\"";
    CHECK(csv_rows_of(text, 1000, separator) ==
          std::vector<Row>{{"a,1", quoted, "", "1234567890123456", "x"}, {"1", "", "2", "", ""}});
  }
}

TEST_CASE("a broken row is named with its line, and the row on the next line is read") {
  CHECK(csv_rows_of("a\n\"b\"c\nd\n") ==
        std::vector<Row>{
            {"a"}, {"2: must have a separator or a line end behind a closing quote"}, {"d"}});
  CHECK(
      csv_rows_of("a\n1,\"b\nc\nd\n") ==
      std::vector<Row>{{"a"}, {"2: must have a closing quote for each opening one"}, {"c"}, {"d"}});
  CHECK(csv_rows_of(std::string_view("a\nb\0c\nd\n", 8)) ==
        std::vector<Row>{{"a"}, {"2: must be text, but has a zero byte in it"}, {"d"}});
  CHECK(csv_rows_of("a\nb\rc\nd\n") ==
        std::vector<Row>{{"a"}, {"2: must have a line feed behind each carriage return"}, {"d"}});
}

TEST_CASE("an unclosed quote swallows no more than one row may be long") {
  std::string text = "\"open\n";
  for (int i = 0; i < 300'000; ++i) {
    text += "123,456\n";
  }
  const auto rows = csv_rows_of(text, 1 << 20);
  REQUIRE(rows.size() == 300'001);
  CHECK(rows[0] == Row{"1: must end, but a quote is opened and not closed"});
  CHECK(rows[1] == Row{"123", "456"});
}

TEST_CASE("rows are whole where the window ends in the middle of them") {
  std::string text;
  for (int i = 0; text.size() < (std::size_t{3} << 20); ++i) {
    text += std::to_string(i) + ",\"a \"\"quoted\"\" text\r\nof two lines\"\r\n";
  }
  const auto rows = csv_rows_of(text);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    REQUIRE(rows[i] == Row{std::to_string(i), "a \"quoted\" text\r\nof two lines"});
  }
  CHECK(rows.size() > 60'000);
}
