#pragma once
// One include for Catch2 2.13 (Debian 12) and 3 (newer systems). Tests use version 3's names.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx; // tests say Approx(x) with either version
#else
#include <catch2/catch.hpp>
namespace Catch::Matchers {
// NOLINTNEXTLINE(readability-identifier-naming): version 3's name
inline auto ContainsSubstring(const std::string& part) {
  return Contains(part);
}
} // namespace Catch::Matchers
#endif
