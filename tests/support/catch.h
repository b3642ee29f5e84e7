#pragma once
// One include for Catch2 2.13 (Debian 12) and 3 (newer systems).
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx; // tests say Approx(x) with either version
#else
#include <catch2/catch.hpp>
#endif
