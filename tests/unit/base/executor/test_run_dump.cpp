#include "sdbench/base/executor/run_dump.h"

#include <cstring>
#include <numeric>
#include <vector>

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/weights/safetensors_writer.h"

using namespace sdbench;

namespace {

/// Two images of 2x1 pixels; each number is its place in its tensor.
void write_counting_dump(const std::filesystem::path& path,
                         const std::vector<TensorDeclaration>& tensors) {
  write_safetensors(path, tensors, [&](std::size_t index, std::span<std::byte> out) {
    if (tensors[index].dtype == Dtype::kF32) {
      std::vector<float> numbers(out.size() / sizeof(float));
      std::iota(numbers.begin(), numbers.end(), static_cast<float>(100 * index));
      std::memcpy(out.data(), numbers.data(), out.size());
    } else {
      for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = static_cast<std::byte>(i);
      }
    }
  });
}

const TensorDeclaration kTwoPixels{"pixels", Dtype::kU8, {2, 1, 2, 3}};

} // namespace

TEST_CASE("a run's dump gives each image's pixels and latents after each step") {
  const test::ScratchFolder folder;
  const auto file = folder.path() / "run.safetensors";
  write_counting_dump(
      file,
      {{"step_1", Dtype::kF32, {2, 4, 1, 1}}, {"step_2", Dtype::kF32, {2, 4, 1, 1}}, kTwoPixels});
  const RunDump dump(file);
  CHECK(dump.images() == 2);
  CHECK(dump.width() == 2);
  CHECK(dump.height() == 1);
  CHECK(dump.steps() == 2);
  CHECK(dump.pixels(1).size() == 6);
  CHECK(dump.pixels(1)[0] == 6);
  CHECK(dump.latents(1, 1)[0] == 4);
  CHECK(dump.latents(2, 0)[3] == 103);
  CHECK(dump.latents(2, 1).size() == 4);
}

TEST_CASE("a file of another form is no run's dump") {
  const test::ScratchFolder folder;
  const auto file = folder.path() / "run.safetensors";
  const std::vector<std::vector<TensorDeclaration>> wrong = {
      {kTwoPixels},
      {{"step_1", Dtype::kF32, {2, 4, 1, 1}}},
      {{"step_2", Dtype::kF32, {2, 4, 1, 1}}, kTwoPixels},
      {{"step_1", Dtype::kF32, {1, 4, 1, 1}}, kTwoPixels},
      {{"step_1", Dtype::kF16, {2, 4, 1, 1}}, kTwoPixels},
      {{"step_1", Dtype::kF32, {2, 4, 1, 1}}, {"pixels", Dtype::kU8, {2, 1, 3, 2}}},
  };
  for (const auto& tensors : wrong) {
    write_counting_dump(file, tensors);
    CHECK_THROWS_AS(RunDump(file), Error);
  }
}
