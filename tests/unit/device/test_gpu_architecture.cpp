#include "catch.h"

#include "sdbench/device/gpu_architecture.h"

using sdbench::gpu_generation;

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
