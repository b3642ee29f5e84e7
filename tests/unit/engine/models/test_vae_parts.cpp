#include "sdbench/engine/models/vae_parts.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <ATen/ATen.h>

#include "catch.h"

using namespace sdbench;

TEST_CASE("a batch is decoded part by part, the last of them the rest, in order") {
  const at::Tensor latents = at::rand({5, 4, 2, 3});
  for (const std::int64_t images : {1, 2, 4, 5, 8}) {
    CAPTURE(images);
    std::vector<std::int64_t> parts;
    const at::Tensor decoded = decode_in_parts(latents, images, [&](const at::Tensor& part) {
      parts.push_back(part.size(0));
      return part + 1;
    });
    CHECK(decoded.equal(latents + 1));
    std::vector<std::int64_t> wanted;
    for (std::int64_t left = 5; left > 0; left -= images) {
      wanted.push_back(std::min(left, images));
    }
    CHECK(parts == wanted);
  }
}
