#include "sdbench/base/numbers/number_text.h"

#include <clocale>
#include <limits>

#include "catch.h"

using namespace sdbench;

TEST_CASE("number_text is the shortest text that reads back as the same double") {
  CHECK(number_text(0.1) == "0.1");
  CHECK(number_text(1) == "1");
  CHECK(number_text(-2.5) == "-2.5");
  CHECK(number_text(1e300) == "1e+300");
  for (const double value : {1.0 / 3, 5e-324, 1.7976931348623157e308, 123456789.123456789}) {
    CHECK(parse_number(number_text(value)) == value);
  }
}

TEST_CASE("number_text has no figure for NaN and infinity") {
  CHECK(number_text(std::numeric_limits<double>::quiet_NaN()).empty());
  CHECK(number_text(std::numeric_limits<double>::infinity()).empty());
}

TEST_CASE("numbers do not follow the locale") {
  // Not every machine has this locale; where it is missing the check is a repetition.
  std::setlocale(LC_ALL, "de_DE.UTF-8");
  CHECK(number_text(1.5) == "1.5");
  CHECK(significant_text(1.5, 2) == "1.5");
  CHECK(parse_number("1.5") == 1.5);
  std::setlocale(LC_ALL, "C");
}

TEST_CASE("significant_text keeps the digits that matter and never writes an exponent") {
  CHECK(significant_text(24.3149) == "24.3");
  CHECK(significant_text(0.0123456) == "0.0123");
  CHECK(significant_text(1234.5) == "1234");
  CHECK(significant_text(0) == "0.00");
  CHECK(significant_text(3, 4) == "3.000");
}

TEST_CASE("parsers take the whole text or nothing") {
  CHECK(parse_integer("-12") == -12);
  CHECK_FALSE(parse_integer("12x"));
  CHECK_FALSE(parse_integer(""));
  CHECK_FALSE(parse_integer(" 1"));
  CHECK_FALSE(parse_integer("9223372036854775808"));
  CHECK(parse_unsigned("18446744073709551615") == std::numeric_limits<std::uint64_t>::max());
  CHECK_FALSE(parse_unsigned("-1"));
  CHECK_FALSE(parse_number("1,5"));
}
