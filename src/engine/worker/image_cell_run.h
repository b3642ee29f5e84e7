#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cell_run.h"
#include "sdbench/base/executor/cell_timing.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/engine/pipeline/device_clock.h"
#include "sdbench/engine/pipeline/stable_diffusion.h"
#include "sdbench/engine/worker/image_work.h"
#include "sdbench/engine/worker/kept_model.h"
#include "sdbench/engine/worker/kernels_and_graphs_choice.h"
#include "sdbench/engine/worker/product_rate.h"

namespace sdbench {

/// Runs one cell that makes images.
class ImageCellRun final : public CellRun, private TimedWork {
public:
  /// `model`: the model that an earlier cell left. It is used if it fits this cell, else replaced.
  ImageCellRun(const Cell& cell, ExecutorObserver& observer, KeptModel& model,
               const std::atomic<bool>* stop);

  /// Runs all stages in order.
  void run();
  /// Estimates the cell's time without running it: see Executor::estimate. Call it instead of
  /// run().
  std::optional<double> estimate(ProductRates& rates);

private:
  void prepare();
  [[nodiscard]] c10::ScalarType unet_type() const;
  void load(Precision unet_dtype);
  void leave_graphs_without_room(EngineChoices& choices, const std::vector<std::string>& expected);
  void make_room();
  /// `is_there`: true if the model is already loaded. `expected`: result of attention() before the
  /// kernels are tried.
  void require_memory(bool is_there, const std::vector<std::string>& expected);
  void tell_whether_kernels_are_kept();
  void make_images();
  [[nodiscard]] std::vector<std::string> try_attention();
  void record_model();
  void make_first_image();
  bool settle_graphs();
  void note_graphs_obstacle();
  void check_output();
  void check_golden();
  void save();
  void decode_step_images();

  [[nodiscard]] std::int64_t steps_of_batch() const override { return result_.unet_calls.value(); }
  RunSample run_all(const StepListener& listener) override;
  RunSample run_first_batch(const StepListener& listener) override;
  void tell_of_weights();
  /// For each of the UNet's levels, the name of the kernel that computes its attention.
  [[nodiscard]] std::vector<std::string> attention() const;
  [[nodiscard]] bool must_probe() const;

  KeptModel& model_;
  at::Tensor noise_; ///< from --init-latents
  PipelineOptions options_;
  std::unique_ptr<DeviceClock> clock_;
  std::optional<ImageWork> images_;
  RunOutput output_; ///< of the latest run
};

} // namespace sdbench
