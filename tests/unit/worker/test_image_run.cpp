#include "catch.h"

#include <limits>

#include <ATen/ATen.h>

#include "sdbench/worker/image_files.h"
#include "sdbench/worker/image_run.h"

using namespace sdbench;

TEST_CASE("an image that is not finite or of one colour is found, in any place of the batch") {
  const at::Tensor latents = at::zeros({2, 4, 2, 2});
  const at::Tensor pixels =
      at::linspace(0, 1, std::int64_t{2} * 3 * 16 * 16).reshape({2, 3, 16, 16});
  CHECK(check_output(latents, pixels) == "pass");

  at::Tensor broken = latents.clone();
  broken[1][3][1][1] = std::numeric_limits<float>::quiet_NaN();
  CHECK(check_output(broken, pixels) == "nan");
  broken[1][3][1][1] = std::numeric_limits<float>::infinity();
  CHECK(check_output(broken, pixels) == "nan");
  at::Tensor holed = pixels.clone();
  holed[0][0][0][0] = std::numeric_limits<float>::quiet_NaN();
  CHECK(check_output(latents, holed) == "nan");

  at::Tensor flat = pixels.clone();
  flat[1][0].fill_(0.5); // three channels, each of one value: one colour
  flat[1][1].fill_(0.1);
  flat[1][2].fill_(0.9);
  CHECK(check_output(latents, flat) == "constant");
  flat[1][2][3][3] = 0.2;
  CHECK(check_output(latents, flat) == "pass");
}

TEST_CASE("an image's file name has no letter that a shell or a file system minds") {
  Cell cell;
  cell.model.name = "../my model;$(x)\xff";
  cell.width = 72;
  cell.height = 104;
  cell.steps = 3;
  cell.device = "cuda:1";
  CHECK(image_file_name(cell, 7).ends_with("-seed7-cuda1.png"));
  cell.device = "cuda";
  CHECK(image_file_name(cell, 18446744073709551615u) ==
        "_.._my_model___x__-72x104-3steps-seed18446744073709551615.png");
}
