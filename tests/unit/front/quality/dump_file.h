#pragma once

#include <cstring>
#include <filesystem>
#include <functional>
#include <vector>

#include "sdbench/base/executor/run_dump.h"
#include "sdbench/base/weights/safetensors_writer.h"

namespace sdbench::test {

/// The contents of a run's dump. Each function gives a number by its place in its tensor.
struct DumpPlan {
  std::int64_t images = 1;
  std::int64_t width = 8;
  std::int64_t height = 8;
  std::int64_t steps = 2;
  std::function<std::uint8_t(std::size_t)> pixel = [](std::size_t i) {
    return static_cast<std::uint8_t>(i * 7 % 256);
  };
  std::function<float(std::int64_t step, std::size_t)> latent = [](std::int64_t, std::size_t) {
    return 1.0F;
  };
  /// For the images after each step but the last. Null if there are no files of them.
  std::function<std::uint8_t(std::int64_t step, std::size_t)> step_pixel = {};
};

/// Writes the images after one step beside the dump.
inline void write_step_file(const std::filesystem::path& dump, const DumpPlan& plan,
                            std::int64_t step) {
  const std::vector<std::int64_t> shape{plan.images, plan.height, plan.width, 3};
  write_safetensors(RunDump::step_file(dump, step), {{RunDump::kPixels, Dtype::kU8, shape}},
                    [&](std::size_t, std::span<std::byte> out) {
                      for (std::size_t i = 0; i < out.size(); ++i) {
                        out[i] = static_cast<std::byte>(plan.step_pixel(step, i));
                      }
                    });
}

inline void write_dump(const std::filesystem::path& file, const DumpPlan& plan) {
  std::vector<TensorDeclaration> tensors;
  for (std::int64_t step = 1; step <= plan.steps; ++step) {
    tensors.push_back(
        {RunDump::step_name(step), Dtype::kF32, {plan.images, 4, plan.height / 8, plan.width / 8}});
  }
  tensors.push_back({RunDump::kPixels, Dtype::kU8, {plan.images, plan.height, plan.width, 3}});
  write_safetensors(file, tensors, [&](std::size_t index, std::span<std::byte> out) {
    if (tensors[index].dtype == Dtype::kU8) {
      for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = static_cast<std::byte>(plan.pixel(i));
      }
      return;
    }
    for (std::size_t i = 0; i < out.size() / sizeof(float); ++i) {
      const float number = plan.latent(static_cast<std::int64_t>(index) + 1, i);
      std::memcpy(out.data() + i * sizeof(float), &number, sizeof(float));
    }
  });
  for (std::int64_t step = 1; plan.step_pixel && step < plan.steps; ++step) {
    write_step_file(file, plan, step);
  }
}

} // namespace sdbench::test
