#pragma once

#include <chrono>
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

/// Options for computing a network.
struct NetworkOptions {
  c10::Device device = c10::Device(c10::kCPU);
  c10::ScalarType weights = c10::ScalarType::Float; ///< and images, unless autocast decides
  std::optional<c10::ScalarType> autocast;
  at::MemoryFormat memory_format = at::MemoryFormat::Contiguous;
};

/// Results of a run besides its times.
struct NetworkOutput {
  std::string check;                  ///< "pass" or "non_finite"; empty: nothing was computed
  std::optional<std::int64_t> failed; ///< first iteration that is not finite, from 0
  std::optional<double> loss_first;   ///< only for training
  std::optional<double> loss_last;
};

/// The batch for iterations without a data set: noise, with each class in turn. Of a shared batch,
/// only this device's part.
[[nodiscard]] Batch made_up_batch(const Cell& cell, const NetworkOptions& options);

/// The iterations of a network. Each computes a batch: always the same one, on the device from the
/// start, or in epochs those of a data set. Each iteration ends with a wait for the device, so that
/// its time is known, as in published figures. A run's losses do not depend on the number of
/// warm-ups, because dropout is seeded at the start of each run: by its number if weights are
/// updated, else equally for all runs.
class NetworkWork final : public TimedWork {
public:
  /// `data`: for epochs, must outlive this; else null.
  NetworkWork(const Cell& cell, const Classifier& network, const NetworkOptions& options,
              DeviceClock& clock, const Dataset* data);

  /// From now on this device trains with others. `others` must outlive this. Its batches are parts
  /// of the shared ones, and its losses summands of the total loss.
  void train_with(DataParallel& others) { others_ = &others; }

  /// Gets the part of a run, as named in its task's row, and the iteration in which it begins, from
  /// 0.
  using PartListener = std::function<void(std::string_view part, std::int64_t iteration)>;
  /// From now on, once an iteration on a CPU has taken `after_s`, `listener` hears of each further
  /// part. Not on a GPU, because nothing waits for it between parts.
  void tell_parts(double after_s, PartListener listener);

  [[nodiscard]] std::int64_t steps_of_batch() const override { return 1; }
  RunSample run_all(const StepListener& listener) override;
  RunSample run_first_batch(const StepListener& listener) override;

  /// Results of the latest run that was complete, or that look_at_results() followed.
  [[nodiscard]] const NetworkOutput& output() const { return output_; }
  /// Reads the results after a run, outside its times. A complete run calls it itself.
  const NetworkOutput& look_at_results();

  /// Fraction of the test images that the network classifies correctly, and the seconds for it.
  struct Test {
    double accuracy = 0;
    double seconds = 0;
  };
  /// Called after each batch: its number, the number of batches, and its seconds.
  using TestListener = std::function<void(std::int64_t, std::int64_t, double)>;
  [[nodiscard]] Test test(const TestListener& listener);

private:
  RunSample run(std::int64_t iterations, const StepListener& listener);
  [[nodiscard]] std::vector<std::string_view> parts() const;
  [[nodiscard]] BatchOptions batch_options() const;
  [[nodiscard]] at::Tensor in_format(const at::Tensor& images) const;
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
  std::int64_t epoch_ = 0;            ///< the next run's
  std::optional<Sgd> optimizer_;
  std::optional<LossScaler> scaler_;
  /// Results of the current run, on the device: each iteration's loss, or the last logits.
  std::vector<at::Tensor> results_;
  NetworkOutput output_;
  std::vector<std::string_view> parts_; ///< marked in each iteration of the current run
  std::int64_t iteration_ = 0;
  std::size_t part_ = 0; ///< within the iteration, from 0
  std::chrono::steady_clock::time_point iteration_start_;
  double told_after_s_ = 0;
  PartListener part_listener_; ///< empty: no reports
};

} // namespace sdbench
