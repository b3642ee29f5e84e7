#include "sdbench/engine/worker/network_work.h"

#include <cmath>
#include <mutex>
#include <utility>

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/core/Generator.h>

#include "sdbench/base/config/network_config.h"
#include "sdbench/base/config/run_config.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/numbers/even_part.h"
#include "sdbench/base/plan/parallel_cells.h"
#include "sdbench/base/system/steady_clock.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/engine/nn/autocast_scope.h"
#include "sdbench/engine/nn/batch_norm.h"
#include "sdbench/engine/training/golden_logits.h"

namespace sdbench {
namespace {

constexpr double kMomentum = 0.9;

double learning_rate(const Cell& cell, std::int64_t epoch) {
  return epoch_learning_rate(whole_batch(cell), epoch, cell.epochs);
}

/// Distance between the seeds of two runs. Odd, because a CPU uses only a seed's low 32 bits.
constexpr std::uint64_t kSeedsApart = 0x9E3779B9;

/// Seeds dropout by the run's number, so that a repeated cell drops the same values. The devices of
/// a shared batch have different images, so each gets its own seed.
void seed_dropout(const Cell& cell, c10::Device device, std::int64_t run) {
  const std::int64_t share = cell.shared_batch > 0 ? device_number(cell) : 0;
  at::Generator generator = at::globalContext().defaultGenerator(device);
  const std::lock_guard<std::mutex> lock(generator.mutex());
  generator.set_current_seed(cell.seed + static_cast<std::uint64_t>(share) +
                             static_cast<std::uint64_t>(run) * kSeedsApart);
}

} // namespace

Batch made_up_batch(const Cell& cell, const NetworkOptions& options) {
  const NetworkConfig& network = cell.model.network.value();
  const std::int64_t whole = whole_batch(cell);
  const std::int64_t first =
      cell.shared_batch > 0 ? even_part(whole, device_number(cell), device_count(cell)).first : 0;
  const at::Tensor images =
      synthetic_images(network, first + cell.batch, cell.seed, options.weights, at::kCPU)
          .narrow(0, first, cell.batch);
  const at::Tensor labels = at::arange(first, first + cell.batch, at::TensorOptions(at::kLong));
  const bool is_part = cell.batch < whole; // a view would keep the other devices' images
  return {images.to(options.device, options.weights, false, is_part, options.memory_format),
          labels.remainder(network.classes).to(options.device), whole};
}

NetworkWork::NetworkWork(const Cell& cell, const Classifier& network, const NetworkOptions& options,
                         DeviceClock& clock, const Dataset* data)
    : cell_(cell), network_(network), options_(options), clock_(clock), data_(data) {
  if (data_ != nullptr) {
    BatchOptions parts = batch_options();
    if (cell.shared_batch > 0) {
      parts.batch = cell.shared_batch;
      parts.part = device_number(cell);
      parts.parts = device_count(cell);
    }
    loader_.emplace(*data_, Split::kTrain, parts);
  } else {
    batch_ = made_up_batch(cell, options);
  }
  if (cell.task == Task::kTrain && cell.update) {
    optimizer_.emplace(network.parameters(), learning_rate(cell, 0), kMomentum);
  }
  if (cell.task == Task::kTrain && options.autocast == at::kHalf) {
    scaler_.emplace(options.device);
  }
}

BatchOptions NetworkWork::batch_options() const {
  return {.batch = cell_.batch,
          .dtype = options_.weights,
          .device = options_.device,
          .place = cell_.data_on_device ? DataPlace::kDevice : DataPlace::kHost,
          .seed = cell_.seed};
}

RunSample NetworkWork::run_all(const StepListener& listener) {
  if (optimizer_) {
    optimizer_->set_learning_rate(learning_rate(cell_, epoch_));
  }
  RunSample sample = run(batches_of(cell_), listener);
  ++epoch_;
  look_at_results();
  return sample;
}

/// The parts of each iteration, in order.
std::vector<std::string_view> NetworkWork::parts() const {
  return filtered(row_of(cell_.task).parts, [this](std::string_view part) {
    return (part != kInputPart || loader_) && (part != kAllReducePart || others_ != nullptr);
  });
}

void NetworkWork::tell_parts(double after_s, PartListener listener) {
  told_after_s_ = after_s;
  part_listener_ = std::move(listener);
}

/// The listener's calls are included in the times: about a millionth of them.
void NetworkWork::end_part() {
  clock_.mark();
  ++part_;
  if (!part_listener_ || !options_.device.is_cpu() || part_ >= parts_.size()) {
    return;
  }
  if (steady_seconds() - iteration_start_s_ >= told_after_s_) {
    part_listener_(parts_[part_], iteration_);
  }
}

RunSample NetworkWork::run_first_batch(const StepListener& listener) {
  return run(1, listener);
}

RunSample NetworkWork::run(std::int64_t iterations, const StepListener& listener) {
  const bool trains = cell_.task == Task::kTrain;
  if (trains) {
    seed_dropout(cell_, options_.device, optimizer_ ? epoch_ : 0);
  }
  parts_ = parts();
  results_.clear();
  RunSample sample;
  sample.start_s = steady_seconds();
  for (iteration_ = 0; iteration_ < iterations; ++iteration_) {
    clock_.reset();
    clock_.mark();
    iteration_start_s_ = steady_seconds();
    part_ = 0;
    if (loader_) {
      batch_ = loader_->next();
      batch_.images = batch_.images.contiguous(options_.memory_format);
      end_part();
    }
    if (trains) {
      train();
    } else {
      infer();
    }
    clock_.wait();
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      add_seconds(sample, parts_[part], clock_.seconds(part, part + 1));
    }
    sample.step_s.push_back(clock_.seconds(0, parts_.size()));
    listener(iteration_, sample.step_s.back());
  }
  sample.e2e_s = steady_seconds() - sample.start_s;
  return sample;
}

void NetworkWork::infer() {
  const c10::InferenceMode inference;
  const AutocastScope autocast(options_.device.type(), options_.autocast);
  results_.assign({network_(batch_.images, Mode::kInfer)});
  end_part();
}

/// Loss of this device's images. In a shared batch: this device's summand of the whole batch's
/// loss.
at::Tensor NetworkWork::loss_of(const at::Tensor& logits) const {
  if (cell_.loss == kLogitSum) {
    return logits.sum();
  }
  const at::Tensor mean = at::cross_entropy_loss(logits, batch_.labels);
  if (others_ == nullptr) {
    return mean;
  }
  return mean * (static_cast<double>(batch_.labels.size(0)) / static_cast<double>(batch_.whole));
}

void NetworkWork::train() {
  if (others_ != nullptr) {
    others_->prepare();
  }
  {
    const AutocastScope autocast(options_.device.type(), options_.autocast,
                                 AutocastScope::Gradients::kYes);
    const at::Tensor logits = network_(batch_.images, Mode::kTrain);
    results_.push_back(loss_of(logits.to(at::kFloat)));
  }
  at::Tensor& loss = results_.back();
  end_part();
  backward(scaler_ ? scaler_->scaled(loss) : loss);
  end_part();
  if (optimizer_ && scaler_) {
    scaler_->step(*optimizer_);
  } else if (optimizer_) {
    optimizer_->step();
  }
  drop_gradients(network_.parameters());
  loss = loss.detach(); // frees the graph, whose tensors are as large as all activations
  end_part();
}

/// In a shared batch, the part after this device's own gradients is the wait for the others'.
void NetworkWork::backward(const at::Tensor& loss) {
  if (others_ == nullptr) {
    loss.backward();
    return;
  }
  others_->backward(loss, [this] { end_part(); });
}

const NetworkOutput& NetworkWork::look_at_results() {
  const c10::InferenceMode inference;
  output_ = {};
  output_.check = "pass";
  if (cell_.task != Task::kTrain) {
    output_.check = results_.back().isfinite().all().item<bool>() ? "pass" : "non_finite";
    return output_;
  }
  at::Tensor of_all = at::stack(results_);
  if (others_ != nullptr) {
    others_->add_up(of_all);
  }
  const at::Tensor losses = of_all.to(at::kCPU, at::kDouble);
  for (std::int64_t iteration = 0; iteration < losses.size(0); ++iteration) {
    if (!std::isfinite(losses[iteration].item<double>())) {
      output_.check = "non_finite";
      output_.failed = iteration;
      return output_;
    }
  }
  output_.loss_first = losses[0].item<double>();
  output_.loss_last = losses[losses.size(0) - 1].item<double>();
  return output_;
}

NetworkWork::Test NetworkWork::test(const TestListener& listener) {
  const c10::InferenceMode inference;
  const AutocastScope autocast(options_.device.type(), options_.autocast);
  const double start_s = steady_seconds();
  BatchLoader loader(*data_, Split::kTest, batch_options());
  at::Tensor right = at::zeros({}, at::TensorOptions(at::kLong).device(options_.device));
  for (std::int64_t batch = 0; batch < loader.batches_per_epoch(); ++batch) {
    clock_.reset();
    clock_.mark();
    const Batch tested = loader.next();
    const at::Tensor images = tested.images.contiguous(options_.memory_format);
    right += (network_(images, Mode::kInfer).argmax(1) == tested.labels).sum();
    clock_.mark();
    clock_.wait(); // else the host would run a whole pass ahead of its reports
    listener(batch, loader.batches_per_epoch(), clock_.seconds(0, 1));
  }
  const auto count = static_cast<double>(right.item<std::int64_t>()); // waits for the device
  return {count / static_cast<double>(data_->test.count), steady_seconds() - start_s};
}

} // namespace sdbench
