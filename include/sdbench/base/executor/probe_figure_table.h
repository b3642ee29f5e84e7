#pragma once

#include <string_view>

namespace sdbench {

/// One figure of a probe: what a device can do, whatever runs on it.
struct ProbeFigure {
  std::string_view name; ///< name in messages and in JSON
  std::string_view unit;
  std::string_view words; ///< for people
};

/// All figures, in the order in which they are measured and shown. A device has only some of them.
inline constexpr ProbeFigure kProbeFigures[] = {
    {"product_fp32", "TFLOP/s", "matrix product, fp32"},
    {"product_tf32", "TFLOP/s", "matrix product, TF32"},
    {"product_bf16", "TFLOP/s", "matrix product, bf16"},
    {"product_fp16", "TFLOP/s", "matrix product, fp16"},
    {"product_fp8", "TFLOP/s", "matrix product, fp8"},
    {"product_fp32_one_core", "TFLOP/s", "matrix product, fp32, one core"},
    {"product_bf16_one_core", "TFLOP/s", "matrix product, bf16, one core"},
    {"convolution_fp32", "TFLOP/s", "3x3 convolution, fp32"},
    {"convolution_bf16", "TFLOP/s", "3x3 convolution, bf16"},
    {"convolution_fp16", "TFLOP/s", "3x3 convolution, fp16"},
    {"attention_fp32", "TFLOP/s", "attention, fp32"},
    {"attention_bf16", "TFLOP/s", "attention, bf16"},
    {"attention_fp16", "TFLOP/s", "attention, fp16"},
    {"copy", "GB/s", "memory, copy"},
    {"triad", "GB/s", "memory, triad"},
    {"to_device_pinned", "GB/s", "host to device, pinned"},
    {"to_device_pageable", "GB/s", "host to device, pageable"},
    {"to_host_pinned", "GB/s", "device to host, pinned"},
    {"to_host_pageable", "GB/s", "device to host, pageable"},
    {"launch", "us", "launch, until done"},
};

/// The figure with that name; nullptr if there is no such figure.
[[nodiscard]] constexpr const ProbeFigure* find_probe_figure(std::string_view name) {
  for (const ProbeFigure& figure : kProbeFigures) {
    if (figure.name == name) {
      return &figure;
    }
  }
  return nullptr;
}

} // namespace sdbench
