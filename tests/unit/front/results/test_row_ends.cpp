#include "sdbench/front/results/row_ends.h"

#include <string>

#include <random>
#include <vector>

#include "catch.h"
#include "sdbench/front/record/csv_text.h"

using namespace sdbench;
using namespace std::string_literals;

namespace {

std::uint64_t whole_rows(const std::string& text, RowEnd row_end, std::size_t piece) {
  RowEnds ends(row_end);
  for (std::size_t at = 0; at < text.size(); at += piece) {
    ends.append(std::string_view(text).substr(at, piece));
  }
  return ends.whole();
}

} // namespace

TEST_CASE("a CSV row ends at a line feed outside of quotes, a JSON line at each") {
  CHECK(whole_rows("a,b\n1,", RowEnd::kUnquotedLine, 100) == 4);
  CHECK(whole_rows("1,\"x\ny\"\n2", RowEnd::kUnquotedLine, 100) == 8);
  CHECK(whole_rows("1,\"x\ny", RowEnd::kUnquotedLine, 100) == 0);
  CHECK(whole_rows("{\"a\": \"x\\\"\"}\n{\"b", RowEnd::kLine, 100) == 13);
  CHECK(whole_rows("", RowEnd::kLine, 1) == 0);
}

TEST_CASE("blocks of zeros, which a power failure leaves, are no row") {
  CHECK(whole_rows("1,2\n3,\0\0\0\0"s, RowEnd::kUnquotedLine, 3) == 4);
  CHECK(whole_rows("{}\n\0\0\n"s, RowEnd::kLine, 3) == 3);
}

TEST_CASE("a CSV that is cut anywhere keeps exactly its whole rows") {
  std::mt19937 random(1);
  std::string text = "first,second\n";
  std::vector<std::size_t> ends = {text.size()};
  for (int row = 0; row < 20; ++row) {
    std::string field;
    for (int i = 0; i < 12; ++i) {
      field += "\"\n,ab\r"[random() % 6];
    }
    text += csv_line({csv_quoted(field), std::to_string(row)});
    ends.push_back(text.size());
  }
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    std::size_t expected = 0;
    for (const std::size_t end : ends) {
      expected = end <= cut ? end : expected;
    }
    REQUIRE(whole_rows(text.substr(0, cut), RowEnd::kUnquotedLine, 7) == expected);
  }
}

TEST_CASE("only a JSON object is surely whole without its line end") {
  CHECK(is_whole_row("{\"a\": 1}", RowEnd::kLine));
  CHECK_FALSE(is_whole_row("{\"a\": 1", RowEnd::kLine));
  CHECK_FALSE(is_whole_row("12", RowEnd::kLine));
  CHECK_FALSE(is_whole_row("\"a\",12", RowEnd::kUnquotedLine));
}
