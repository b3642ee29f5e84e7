#include "catch.h"

#include <string>

#include "sdbench/base/device/gpu_architecture.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("every compute capability has its generation's name") {
  struct Row {
    int major;
    int minor;
    const char* generation;
  };
  const Row rows[] = {{5, 0, "Maxwell"},      {5, 2, "Maxwell"},    {6, 0, "Pascal"},
                      {6, 1, "Pascal"},       {7, 0, "Volta"},      {7, 5, "Turing"},
                      {8, 0, "Ampere"},       {8, 6, "Ampere"},     {8, 7, "Ampere"},
                      {8, 9, "Ada Lovelace"}, {9, 0, "Hopper"},     {10, 0, "Blackwell"},
                      {10, 3, "Blackwell"},   {12, 0, "Blackwell"}, {12, 1, "Blackwell"}};
  for (const Row& row : rows) {
    INFO(row.major << "." << row.minor);
    CHECK(gpu_generation(row.major, row.minor) == row.generation);
  }
}

TEST_CASE("a compute capability that is not known yet is called so") {
  CHECK(gpu_generation(99, 0) == "unknown");
  CHECK(gpu_generation(0, 0) == "unknown");
  CHECK(gpu_generation(-1, 0) == "unknown");
}

namespace {

/// A card as its vendor publishes it.
struct Card {
  const char* name;
  int major;
  int minor;
  const char* generation;
  int tensor_cores;  ///< generation
  const char* dtype; ///< the newest that its tensor cores take
  const char* lacks; ///< one that they do not
  std::int64_t cuda_cores;
  std::int64_t sm_count;
  double clock_mhz;
  double fp32_tflops;
};

// clang-format off
constexpr Card kCards[] = {
    {"NVIDIA GeForce GTX 1050 Ti", 6, 1, "Pascal",       0, "",     "fp16", 768,   6,   1392, 2.14},
    {"NVIDIA GeForce GTX 1660 Ti", 7, 5, "Turing",       0, "",     "fp16", 1536,  24,  1770, 5.44},
    {"NVIDIA GeForce RTX 2060",    7, 5, "Turing",       2, "int8", "bf16", 1920,  30,  1680, 6.45},
    {"NVIDIA GeForce RTX 2080 Ti", 7, 5, "Turing",       2, "int8", "bf16", 4352,  68,  1545, 13.4},
    {"NVIDIA GeForce RTX 3060",    8, 6, "Ampere",       3, "bf16", "fp64", 3584,  28,  1777, 12.7},
    {"NVIDIA GeForce RTX 3090",    8, 6, "Ampere",       3, "tf32", "fp8",  10496, 82,  1695, 35.6},
    {"NVIDIA GeForce RTX 4090",    8, 9, "Ada Lovelace", 4, "fp8",  "fp4",  16384, 128, 2520, 82.6},
    {"NVIDIA GeForce RTX 5090",   12, 0, "Blackwell",    5, "fp4",  "fp64", 21760, 170, 2407, 104.8},
    {"Tesla M60",                  5, 2, "Maxwell",      0, "",     "fp16", 2048,  16,  1178, 4.83},
    {"Tesla P100-SXM2-16GB",       6, 0, "Pascal",       0, "",     "fp16", 3584,  56,  1480, 10.6},
    {"Tesla V100-SXM2-16GB",       7, 0, "Volta",        1, "fp16", "int8", 5120,  80,  1530, 15.7},
    {"Tesla T4",                   7, 5, "Turing",       2, "int4", "bf16", 2560,  40,  1590, 8.1},
    {"NVIDIA A100-SXM4-40GB",      8, 0, "Ampere",       3, "fp64", "fp8",  6912,  108, 1410, 19.5},
    {"NVIDIA L4",                  8, 9, "Ada Lovelace", 4, "fp8",  "fp64", 7424,  58,  2040, 30.3},
    {"NVIDIA A10",                 8, 6, "Ampere",       3, "bf16", "fp8",  9216,  72,  1695, 31.2},
    {"NVIDIA H100 80GB HBM3",      9, 0, "Hopper",       4, "fp8",  "int4", 16896, 132, 1980, 66.9},
    {"NVIDIA H200",                9, 0, "Hopper",       4, "fp64", "fp4",  16896, 132, 1980, 66.9},
    {"NVIDIA B200",               10, 0, "Blackwell",    5, "fp6",  "int4", 18944, 148, 1965, 75},
};
// clang-format on

/// The rate of fp16 matrices that vendors publish, dense and with sums in fp32, at the clock that
/// they name for it. Source: the white papers of Turing, Ampere (GA102), Ada and RTX Blackwell,
/// whose appendices have both sums; the data sheets of the others.
struct Fp16Rate {
  int major;
  int minor;
  const char* name;
  std::int64_t sm_count;
  double clock_mhz;
  double tflops;
};
constexpr Fp16Rate kFp16Rates[] = {
    {6, 0, "Tesla P100", 56, 1480, 21.2},
    {7, 0, "Tesla V100", 80, 1530, 125},
    {7, 5, "Tesla T4", 40, 1590, 65},
    {7, 5, "GeForce GTX 1660 Ti", 24, 1770, 10.9},
    {8, 0, "A100", 108, 1410, 312},
    {8, 6, "A10", 72, 1695, 125},
    {8, 9, "L4", 58, 2040, 121},
    {9, 0, "H100", 132, 1830, 989},
    {7, 5, "Quadro RTX 8000", 72, 1770, 130.5},
    {7, 5, "NVIDIA TITAN RTX", 72, 1770, 130.5},
    {8, 6, "NVIDIA RTX A6000", 84, 1800, 154.8},
    {8, 9, "NVIDIA L40", 142, 2490, 181},
    {8, 9, "NVIDIA L40S", 142, 2520, 366},
    {10, 0, "NVIDIA B200", 148, 1860, 2250},
    {12, 0, "NVIDIA RTX PRO 6000 Blackwell Workstation Edition", 188, 2617, 503.8},
    {7, 5, "NVIDIA GeForce RTX 2080 Ti", 68, 1545, 53.8},
    {8, 6, "NVIDIA GeForce RTX 3090", 82, 1695, 71},
    {8, 9, "NVIDIA GeForce RTX 4090", 128, 2520, 165.2},
    {12, 0, "NVIDIA GeForce RTX 5090", 170, 2407, 209.5},
};

} // namespace

TEST_CASE("every card of the lists has its generation, its tensor cores and its fp32 rate") {
  for (const Card& card : kCards) {
    INFO(card.name);
    const auto architecture = gpu_architecture(card.major, card.minor, card.name);
    REQUIRE(architecture.has_value());
    CHECK(architecture->generation == card.generation);
    CHECK(architecture->tensor_core_generation == card.tensor_cores);
    CHECK_THAT(std::string(architecture->tensor_dtypes), ContainsSubstring(card.dtype));
    CHECK_THAT(std::string(architecture->tensor_dtypes), !ContainsSubstring(card.lacks));
    CHECK(architecture->tensor_dtypes.empty() == (card.tensor_cores == 0));
    CHECK(card.cuda_cores / architecture->fp32_lanes_per_sm == card.sm_count);
    CHECK(nominal_fp32_flops(*architecture, card.sm_count, card.clock_mhz * 1e6) ==
          Approx(card.fp32_tflops * 1e12).epsilon(0.01));
  }
}

TEST_CASE(
    "the fp16 rate is the published one of tensor cores, or of the lanes where there are none") {
  for (const Fp16Rate& card : kFp16Rates) {
    INFO(card.name);
    const auto architecture = gpu_architecture(card.major, card.minor, card.name);
    REQUIRE(architecture.has_value());
    CHECK(nominal_fp16_flops(*architecture, card.sm_count, card.clock_mhz * 1e6) ==
          Approx(card.tflops * 1e12).epsilon(0.01));
  }
  const auto pascal = gpu_architecture(6, 1);
  CHECK(64 * pascal->fp16_flop_per_sm_clock == 2 * pascal->fp32_lanes_per_sm);
  CHECK(gpu_architecture(5, 2)->fp16_flop_per_sm_clock == 0);
}

TEST_CASE("the small Turing chips are known by their names, and no other card is taken for one") {
  for (const char* name : {"NVIDIA GeForce GTX 1650", "GeForce GTX 1660 SUPER", "Quadro T1000",
                           "NVIDIA T600 Laptop GPU", "NVIDIA GeForce MX450"}) {
    INFO(name);
    CHECK(gpu_architecture(7, 5, name)->tensor_core_generation == 0);
  }
  for (const char* name : {"Tesla T4", "NVIDIA GeForce RTX 2070", "Quadro RTX 8000", "TITAN RTX"}) {
    INFO(name);
    CHECK(gpu_architecture(7, 5, name)->tensor_core_generation == 2);
  }
  CHECK(gpu_architecture(8, 6, "NVIDIA T1000")->tensor_core_generation == 3);
}

TEST_CASE("a minor version that is newer than the table takes the row below it") {
  CHECK(gpu_architecture(12, 1)->minor == 0);
  CHECK(gpu_architecture(8, 8)->minor == 7);
  CHECK_FALSE(gpu_architecture(13, 0).has_value());
}
