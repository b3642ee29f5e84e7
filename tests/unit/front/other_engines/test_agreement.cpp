#include "sdbench/front/other_engines/agreement.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/weights/golden_bounds.h"
#include "sdbench/base/weights/safetensors_writer.h"

using namespace sdbench;
using namespace sdbench::test;

namespace {

/// A file with one tensor of fp32, in one dimension.
void write(const std::filesystem::path& file, const std::vector<float>& numbers,
           const std::string& name = "latents") {
  write_safetensors(file, {{name, Dtype::kF32, {static_cast<std::int64_t>(numbers.size())}}},
                    [&](std::size_t, std::span<std::byte> bytes) {
                      std::memcpy(bytes.data(), numbers.data(), bytes.size());
                    });
}

} // namespace

TEST_CASE("equal latents do not differ, and others by the size of their difference") {
  const ScratchFolder folder;
  write(folder.path() / "plain", {3, 4});
  write(folder.path() / "same", {3, 4});
  write(folder.path() / "other", {3, 4.5});
  CHECK(latents_difference(folder.path() / "same", folder.path() / "plain") == 0);
  CHECK(latents_difference(folder.path() / "other", folder.path() / "plain") == Approx(0.1));
}

TEST_CASE("latents of another shape, or that are not finite, differ without bound") {
  const ScratchFolder folder;
  write(folder.path() / "plain", {3, 4});
  write(folder.path() / "longer", {3, 4, 5});
  write(folder.path() / "nan", {3, NAN});
  CHECK(std::isinf(latents_difference(folder.path() / "longer", folder.path() / "plain")));
  CHECK(std::isinf(latents_difference(folder.path() / "nan", folder.path() / "plain")));
}

TEST_CASE("a file without latents is an error that names it") {
  const ScratchFolder folder;
  write(folder.path() / "plain", {3, 4});
  write(folder.path() / "noise", {3, 4}, "noise");
  CHECK_THROWS_WITH(latents_difference(folder.path() / "noise", folder.path() / "plain"),
                    Catch::Contains("noise must hold the tensor \"latents\""));
}

TEST_CASE("the largest difference from golden latents counts, by their largest value") {
  const ScratchFolder folder;
  write(folder.path() / "golden", {3, -4});
  const GoldenFile golden(folder.path() / "golden");
  write(folder.path() / "other", {3, -3});
  write(folder.path() / "longer", {3, -4, 5});
  write(folder.path() / "nan", {NAN, -4});
  CHECK(golden_difference(folder.path() / "golden", golden) == 0);
  CHECK(golden_difference(folder.path() / "other", golden) == Approx(0.25));
  CHECK(std::isinf(golden_difference(folder.path() / "longer", golden)));
  CHECK(std::isinf(golden_difference(folder.path() / "nan", golden)));
}

TEST_CASE("golden logits are those of the first images, however many there are") {
  const ScratchFolder folder;
  const auto write_logits = [&](const char* name, const std::vector<float>& numbers,
                                std::int64_t classes) {
    const auto images = static_cast<std::int64_t>(numbers.size()) / classes;
    write_safetensors(folder.path() / name, {{"logits", Dtype::kF32, {images, classes}}},
                      [&](std::size_t, std::span<std::byte> bytes) {
                        std::memcpy(bytes.data(), numbers.data(), bytes.size());
                      });
  };
  write_logits("golden", {3, -4, 1, 2}, 2);
  const GoldenFile golden(folder.path() / "golden");
  write_logits("same", {3, -4, 1, 2, 7, 8}, 2);
  write_logits("other", {3, -3, 1, 2, 7, 8}, 2);
  write_logits("few", {3, -4}, 2);
  write_logits("wide", {3, -4, 1, 2, 7, 8}, 1);
  CHECK(golden_logits_difference(folder.path() / "same", golden) == 0);
  CHECK(golden_logits_difference(folder.path() / "other", golden) == Approx(0.25));
  CHECK(std::isinf(golden_logits_difference(folder.path() / "few", golden)));
  CHECK(std::isinf(golden_logits_difference(folder.path() / "wide", golden)));
}

TEST_CASE("golden bounds grow with fewer bits, and a GPU's fp32 has a wider one") {
  const ProductRounding on_cpu{.on_cpu = true};
  const GoldenBounds fp32 = golden_bounds(Dtype::kF32, Dtype::kF32, on_cpu);
  const GoldenBounds mixed = golden_bounds(Dtype::kF16, Dtype::kF32, on_cpu);
  CHECK(mixed.latents > fp32.latents);
  CHECK(mixed.pixels == fp32.pixels);
  CHECK(golden_bounds(Dtype::kF32, Dtype::kF32, {}).latents > fp32.latents);
  CHECK(golden_bounds(Dtype::kF32, Dtype::kF32, {.has_tf32 = true}).latents == mixed.latents);
  CHECK(golden_bounds(Dtype::kBF16, Dtype::kBF16, on_cpu).latents > mixed.latents);
  const ProductRounding fp16_sums{.fp16_accumulation = true};
  CHECK(golden_bounds(Dtype::kF16, Dtype::kF16, fp16_sums).latents > mixed.latents);
  CHECK(golden_bounds(Dtype::kBF16, Dtype::kBF16, fp16_sums).latents ==
        golden_bounds(Dtype::kBF16, Dtype::kBF16, {}).latents);
}

TEST_CASE("fewer bits may differ by more, and TF32 by as much as fp16") {
  const double fp32 = agreement_bound(Dtype::kF32, false);
  const double fp16 = agreement_bound(Dtype::kF16, false);
  CHECK(fp32 < fp16);
  CHECK(fp16 < agreement_bound(Dtype::kBF16, false));
  CHECK(agreement_bound(Dtype::kF32, true) == fp16);
  CHECK(agreement_bound(Dtype::kBF16, false) < 1); // unrelated latents differ by 1.4
}
