#include "catch.h"

#include "sdbench/core/in_quotes.h"

using namespace sdbench;

TEST_CASE("foreign text is shown on one line, valid and short") {
  CHECK(in_quotes("") == "\"\"");
  CHECK(in_quotes("naïve 猫") == "\"naïve 猫\"");
  CHECK(in_quotes(std::string_view("a\nb\0c\x1b\x7f", 7)) == "\"a?b?c??\"");
  CHECK(in_quotes("\xFF\u0085\u2028") == "\"\uFFFD??\"");
  CHECK(in_quotes(std::string(60, 'x')) == '"' + std::string(60, 'x') + '"');
  CHECK(in_quotes(std::string(61, 'x')) == '"' + std::string(60, 'x') + "…\"");
}
