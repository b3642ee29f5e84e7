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

/// How a network computes.
struct NetworkOptions {
  c10::Device device = c10::Device(c10::kCPU);
  c10::ScalarType weights = c10::ScalarType::Float; ///< and images, where not autocast decides
  std::optional<c10::ScalarType> autocast;
  at::MemoryFormat memory_format = at::MemoryFormat::Contiguous;
};

/// Results of a run besides its times.
struct NetworkOutput {
  std::string check;                  ///< "pass" or "non_finite"; empty: nothing was computed
  std::optional<std::int64_t> failed; ///< the first iteration that is not finite, from 0
  std::optional<double> loss_first;   ///< of training
  std::optional<double> loss_last;
};

/// Noise, and each class in turn: what iterations without a data set compute. Of a shared batch the
/// device's part, and nothing of the others.
[[nodiscard]] Batch made_up_batch(const Cell& cell, const NetworkOptions& options);

/// The iterations of a network. Each is a batch: the same one, on the device from the start, or in
/// epochs those of a data set. Each ends with a wait for the device, so that its time is known, as
/// published figures have it. A run has its losses whatever warm-ups there were: dropout is seeded
/// at its start, by its number where weights are updated, and else for all runs alike.
class NetworkWork final : public TimedWork {
public:
  /// `data`: of epochs, and must live as long; else null.
  NetworkWork(const Cell& cell, const Classifier& network, const NetworkOptions& options,
              DeviceClock& clock, const Dataset* data);

  /// From now on this device trains with others, which must live as long: its batches are parts of
  /// theirs, and its losses summands of the loss of all.
  void train_with(DataParallel& others) { others_ = &others; }

  /// The part of a run, as its task's row names it, and the iteration that it begins in, from 0.
  using PartListener = std::function<void(std::string_view part, std::int64_t iteration)>;
  /// From now on `listener` hears of each part that an iteration on a CPU goes on with once
  /// `after_s` of it are over. A GPU is not waited for between parts.
  void tell_parts(double after_s, PartListener listener);

  [[nodiscard]] std::int64_t steps_of_batch() const override { return 1; }
  RunSample run_all(const StepListener& listener) override;
  RunSample run_first_batch(const StepListener& listener) override;

  /// Results of the latest run that was complete or was followed by look_at_results().
  [[nodiscard]] const NetworkOutput& output() const { return output_; }
  /// Reads the results after the run, outside its times. A complete run calls it itself.
  const NetworkOutput& look_at_results();

  /// The share of the data's test images that the network classifies rightly, and the seconds that
  /// it took.
  struct Test {
    double accuracy = 0;
    double seconds = 0;
  };
  /// `listener` hears of each batch once it is answered: its number, how many there are, and its
  /// seconds.
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
  DataParallel* others_ = nullptr;    ///< null: this device trains alone
  Batch batch_;                       ///< of iterations without a data set
  std::optional<BatchLoader> loader_; ///< of epochs
  std::int64_t epoch_ = 0;            ///< that is the next run
  std::optional<Sgd> optimizer_;
  std::optional<LossScaler> scaler_;
  /// Results of the present run, on the device: each iteration's loss, or the last answers.
  std::vector<at::Tensor> results_;
  NetworkOutput output_;
  std::vector<std::string_view> parts_; ///< that each iteration of the present run marks
  std::int64_t iteration_ = 0;
  std::size_t part_ = 0; ///< of the iteration, from 0
  std::chrono::steady_clock::time_point iteration_start_;
  double told_after_s_ = 0;
  PartListener part_listener_; ///< empty: nobody is told
};

} // namespace sdbench
