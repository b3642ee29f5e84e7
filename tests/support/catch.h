#pragma once
// One include for Catch2 2.13 (Debian 12) and 3 (newer systems). Tests use version 3's names.

// libtorch's logging has a macro CHECK, too: it comes first, so that Catch2's counts.
#if __has_include(<c10/util/Logging.h>)
#include <c10/util/Logging.h>
#endif

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
