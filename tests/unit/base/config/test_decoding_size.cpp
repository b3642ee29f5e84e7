#include "sdbench/base/config/decoding_size.h"

#include <optional>

#include "catch.h"

using namespace sdbench;

namespace {

constexpr std::int64_t kOne = std::int64_t{1} << 28; // an image of SDXL's at 1024x1024

} // namespace

TEST_CASE("the VAE's largest result has the channels of its second level at the image's size") {
  const VaeConfig vae = find_model_config("sdxl").vae;
  CHECK(decoded_elements(vae, 1024, 1024) == kOne);
  CHECK(decoded_elements(vae, 512, 256) == 256LL * 512 * 256);
}

TEST_CASE("a batch is decoded in parts of about one size that do not pass the limit") {
  const auto at_once = [](std::int64_t batch, std::int64_t elements = kOne) {
    return images_decoded_at_once(elements, batch, kMostDecodedOnGpu);
  };
  CHECK(at_once(1) == 1);
  CHECK(at_once(4) == 4); // 2^30 numbers, the most
  CHECK(at_once(5) == 3); // 3 and 2, not 4 and 1
  CHECK(at_once(8) == 4);
  CHECK(at_once(9) == 3);
  CHECK(at_once(3, 8 * kOne) == 1); // one image alone is more: it is not cut
  CHECK(images_decoded_at_once(kOne, 64, std::nullopt) == 64);
}
