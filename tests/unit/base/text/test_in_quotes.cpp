#include "catch.h"

#include "sdbench/base/text/in_quotes.h"

using namespace sdbench;

TEST_CASE("foreign text is shown on one line, valid and short") {
  CHECK(in_quotes("") == R"("")");
  CHECK(in_quotes("naïve 猫") == R"("naïve 猫")");
  CHECK(in_quotes(std::string_view("a\nb\0\"\x1b", 6)) == R"("a\nb\u0000\"\u001b")");
  CHECK(in_quotes("caf\xE9!") == "\"caf\uFFFD!\"");
  CHECK(in_quotes(std::string(160, 'x')) == '"' + std::string(160, 'x') + '"');
  CHECK(in_quotes(std::string(161, 'x')) == '"' + std::string(160, 'x') + "...\"");
}
