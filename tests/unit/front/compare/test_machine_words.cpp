#include "sdbench/front/compare/machine_words.h"

#include "catch.h"

using namespace sdbench;

namespace {

ProbedRates rates(std::optional<double> product, std::optional<double> copy,
                  const std::string& format = "fp16", const std::string& device = "Test 900 ") {
  return {device, format, product, copy};
}

std::string words(const ProbedRates& a, const ProbedRates& b) {
  return machine_words(a, b, "A", "B");
}

} // namespace

TEST_CASE("a device that computes slower itself is told from slower software") {
  CHECK(
      words(rates(90, 200), rates(100, 200)) ==
      "by their probes, whatever runs on it, the device of A computes 10 % slower than that of B");
  CHECK(words(rates(100, 250), rates(50, 200)) ==
        "by their probes, whatever runs on it, the device of A computes 100 % faster and copies 25 "
        "% faster than that of B");
  CHECK(words(rates(102, 198), rates(100, 200)) ==
        "by their probes both devices compute and copy as fast: another speed comes from software, "
        "settings or what the flags name");
}

TEST_CASE("only rates that probes measured of both in one format are compared") {
  CHECK(words(rates({}, 200), rates(100, 200)).starts_with("by their probes both devices copy as"));
  CHECK(words(rates(100, 200, "tf32"), rates(50, 200)).find(" both devices copy as fast") !=
        std::string::npos);
  CHECK(words(rates(100, {}), rates(100, 200)).find(" both devices compute as fast") !=
        std::string::npos);
  CHECK(words(rates({}, {}), rates(100, 200)).empty());
  CHECK(words(rates(90, 200), rates(100, 200, "fp16", "another card ")).empty());
}
