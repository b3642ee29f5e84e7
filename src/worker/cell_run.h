#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/executor/executor.h"
#include "sdbench/pipeline/stable_diffusion.h"
#include "sdbench/timing/device_clock.h"
#include "sdbench/worker/dtype_choice.h"
#include "sdbench/worker/image_run.h"

namespace sdbench {

/// One cell from request to result. Each stage throws what goes wrong; what was reached by then is
/// in result() and stage().
class CellRun {
public:
  CellRun(const Cell& cell, ExecutorObserver& observer, const std::atomic<bool>* stop)
      : cell_(cell), observer_(observer), stop_(stop) {}

  /// All stages in order.
  void run();

  [[nodiscard]] const std::string& stage() const { return stage_; }
  /// Empty until the model is loaded.
  [[nodiscard]] std::optional<CellResult> result() const;

private:
  void enter(const char* stage);
  void prepare();
  void load(Precision unet_dtype);
  void make_first_image();
  void warm_up();
  void measure();
  void check_golden();
  void save();

  [[nodiscard]] RunSample run_images(std::int64_t run);
  [[nodiscard]] ImageRun::StepListener step_listener(std::int64_t run, std::int64_t batches);
  [[nodiscard]] bool must_probe() const;

  const Cell& cell_;
  ExecutorObserver& observer_;
  const std::atomic<bool>* stop_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();

  std::string stage_ = "start";
  bool loaded_ = false;
  bool has_bf16_ = false;
  CellResult result_;
  c10::Device device_ = c10::Device(c10::kCPU);
  at::Tensor noise_; ///< of --init-latents
  PipelineOptions options_;
  std::optional<StableDiffusion> pipeline_;
  std::unique_ptr<DeviceClock> clock_;
  std::optional<ImageRun> images_;
  RunOutput output_; ///< of the latest run
};

} // namespace sdbench
