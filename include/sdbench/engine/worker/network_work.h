#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include <ATen/core/Tensor.h>

#include "sdbench/base/dataset/dataset.h"
#include "sdbench/base/executor/cell_timing.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/engine/distributed/data_parallel.h"
#include "sdbench/engine/models/classifier.h"
#include "sdbench/engine/pipeline/device_clock.h"
#include "sdbench/engine/training/batch_loader.h"
#include "sdbench/engine/training/loss_scaler.h"
#include "sdbench/engine/training/sgd.h"

namespace sdbench {

/// Options for computing an image classifier (a "network").
struct NetworkOptions {
  c10::Device device = c10::Device(c10::kCPU);
  /// Dtype of weights, and of images before autocast.
  c10::ScalarType weights = c10::ScalarType::Float;
  std::optional<c10::ScalarType> autocast;
  at::MemoryFormat memory_format = at::MemoryFormat::Contiguous;
};

/// Results of a run besides its times.
struct NetworkOutput {
  std::string check; ///< "pass" or "non_finite"; empty: nothing was computed
  /// Index (from 0) of the first iteration whose loss is not finite.
  std::optional<std::int64_t> failed;
  std::optional<double> loss_first; ///< only for training
  std::optional<double> loss_last;
};

/// The batch for iterations without a data set: images of noise, whose labels are the classes in
/// turn. If devices share a batch, makes only this device's part.
[[nodiscard]] Batch made_up_batch(const Cell& cell, const NetworkOptions& options);

/// Runs and times the iterations of a network. Each iteration computes one batch. In epochs, the
/// batches come from a data set. Otherwise, all iterations use the same batch, which is on the
/// device from the start. Each iteration ends with a wait for the device, as in published
/// benchmarks, so that its time is known. Dropout is seeded at the start of each run: by the run's
/// number if weights are updated, else with the same seed for all runs. So a run's losses do not
/// depend on the number of warm-ups.
class NetworkWork final : public TimedWork {
public:
  /// `data`: the data set for epochs, null without epochs. It must outlive this object.
  NetworkWork(const Cell& cell, const Classifier& network, const NetworkOptions& options,
              DeviceClock& clock, const Dataset* data);

  /// From now on this device trains together with other devices. Its batches are parts of shared
  /// batches, and its losses are summands of the total loss. `others` must outlive this object.
  void train_with(DataParallel& others) { others_ = &others; }

  /// Called when a part of an iteration begins. `part`: the part's name in TaskRow::parts, such as
  /// "backward". `iteration` counts from 0.
  using PartListener = std::function<void(std::string_view part, std::int64_t iteration)>;
  /// On a CPU, from now on calls `listener` for each part that begins `after_s` seconds or more
  /// after the start of its iteration. On a GPU, never calls it, because the host does not wait
  /// between parts.
  void tell_parts(double after_s, PartListener listener);

  [[nodiscard]] std::int64_t steps_of_batch() const override { return 1; }
  RunSample run_all(const StepListener& listener) override;
  RunSample run_first_batch(const StepListener& listener) override;

  /// The results that look_at_results() read last.
  [[nodiscard]] const NetworkOutput& output() const { return output_; }
  /// Reads the latest run's results. run_all() calls this once the run's time is measured.
  const NetworkOutput& look_at_results();

  /// Result of test(): the fraction of test images that the network classifies correctly, and the
  /// test's duration.
  struct Test {
    double accuracy = 0;
    double seconds = 0;
  };
  /// Called after each batch with the batch's number (from 0), the number of batches, and the
  /// batch's seconds.
  using TestListener = std::function<void(std::int64_t, std::int64_t, double)>;
  [[nodiscard]] Test test(const TestListener& listener);

private:
  RunSample run(std::int64_t iterations, const StepListener& listener);
  [[nodiscard]] std::vector<std::string_view> parts() const;
  [[nodiscard]] BatchOptions batch_options() const;
  void end_part();
  void infer();
  [[nodiscard]] at::Tensor loss_of(const at::Tensor& logits) const;
  void train();
  void backward(const at::Tensor& loss);

  const Cell& cell_;
  const Classifier& network_;
  NetworkOptions options_;
  DeviceClock& clock_;
  const Dataset* data_;
  DataParallel* others_ = nullptr;    ///< null if this device trains alone
  Batch batch_;                       ///< for iterations without a data set
  std::optional<BatchLoader> loader_; ///< for epochs
  std::int64_t epoch_ = 0;            ///< number of finished calls of run_all()
  std::optional<Sgd> optimizer_;
  std::optional<LossScaler> scaler_;
  /// Results of the current run, on the device: each iteration's loss, or the last logits.
  std::vector<at::Tensor> results_;
  NetworkOutput output_;
  std::vector<std::string_view> parts_; ///< parts of each iteration of the current run
  std::int64_t iteration_ = 0;
  std::size_t part_ = 0; ///< index in parts_ of the current part
  double iteration_start_s_ = 0;
  double told_after_s_ = 0;
  PartListener part_listener_; ///< empty: no reports
};

} // namespace sdbench
