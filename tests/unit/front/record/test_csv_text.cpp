#include "sdbench/front/record/csv_text.h"

#include "catch.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/escape.h"

using namespace sdbench;

using Rows = std::vector<std::vector<std::string>>;

TEST_CASE("quotes are doubled inside quotes") {
  CHECK(csv_quoted("") == "\"\"");
  CHECK(csv_quoted("say \"hi\", twice\n") == "\"say \"\"hi\"\", twice\n\"");
  CHECK(csv_line({"1", "", "3"}) == "1,,3\n");
  CHECK(csv_line({"", "2"}) == ",2\n");
}

TEST_CASE("text that a spreadsheet would compute is escaped, and comes back") {
  for (const char* text :
       {"=1+1", "+5 %", "-m sd15", "@SUM(A1)", "\t=1", "\r=1", "a=b", "", "\\=", "5-3"}) {
    const std::string field = csv_text(escape_text(text));
    CHECK(std::string_view("=+-@\t\r").find(field.at(1)) == std::string_view::npos);
    CHECK(unescape_text(parse_csv(field).at(0).at(0)) == text);
  }
  CHECK(csv_text("=1") == "\"\\x3d1\"");
  CHECK(csv_text("a=1") == "\"a=1\"");
}

TEST_CASE("rows are read back with commas, quotes and line ends in fields") {
  CHECK(parse_csv("a,b\n") == Rows{{"a", "b"}});
  CHECK(parse_csv("a,b\r\nc,\r\n") == Rows{{"a", "b"}, {"c", ""}});
  CHECK(parse_csv("\"a,\"\"b\"\"\nc\",d") == Rows{{"a,\"b\"\nc", "d"}});
  CHECK(parse_csv("").empty());
}

TEST_CASE("broken quotes are refused with their line") {
  CHECK_THROWS_WITH(parse_csv("a\n\"b"), "line 2: a quote is opened but never closed");
  CHECK_THROWS_AS(parse_csv("\"a\"b\n"), Error);
}
