#include "sdbench/engine/worker/network_work.h"

#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <c10/core/CPUAllocator.h>

#include "catch.h"
#include "devices_in_threads.h"
#include "scratch_folder.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/run_config.h"
#include "sdbench/base/dataset/synthetic_dataset.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/numbers/even_part.h"
#include "sdbench/base/plan/parallel_cells.h"
#include "sdbench/base/types/status.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/engine/nn/batch_norm.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/synthetic_source.h"
#include "sdbench/engine/training/golden_logits.h"
#include "sdbench/engine/worker/exception_outcome.h"
#include "worker_threads.h"

using namespace sdbench;

namespace {

/// Synthetic weights, with the values of one tensor replaced.
class SpoiltSource final : public LayerSource {
public:
  explicit SpoiltSource(std::string spoilt) : spoilt_(std::move(spoilt)) {}
  at::Tensor take(const std::string& name, at::IntArrayRef shape) override {
    at::Tensor tensor = source_.take(name, shape);
    if (name == spoilt_) {
      tensor.fill_(std::numeric_limits<double>::quiet_NaN());
    }
    return tensor;
  }

private:
  std::string spoilt_;
  SyntheticSource source_{0, "network", at::kFloat, at::kCPU};
};

/// Has memory for so many tensors, then none, and says so as c10's own allocator does.
class SpentMemory final : public c10::Allocator {
public:
  explicit SpentMemory(std::int64_t tensors) : left_(tensors) { c10::SetCPUAllocator(this); }
  ~SpentMemory() override { c10::SetCPUAllocator(real_); }
  SpentMemory(const SpentMemory&) = delete;
  SpentMemory& operator=(const SpentMemory&) = delete;

  [[nodiscard]] std::int64_t left() const { return left_; }
  c10::DataPtr allocate(std::size_t bytes) override {
    TORCH_CHECK(left_-- > 0, "DefaultCPUAllocator: can't allocate memory: you tried to allocate ",
                bytes, " bytes.");
    return real_->allocate(bytes);
  }
  [[nodiscard]] c10::DeleterFnPtr raw_deleter() const override { return real_->raw_deleter(); }
  void copy_data(void* to, const void* from, std::size_t count) const override {
    real_->copy_data(to, from, count);
  }

private:
  c10::Allocator* real_ = c10::GetCPUAllocator();
  std::atomic<std::int64_t> left_;
};

Cell cell_of(Task task) {
  Cell cell;
  cell.model = find_model_config("tiny-resnet");
  cell.task = task;
  cell.width = cell.height = cell.model.network->image_size;
  cell.steps = 1;
  cell.batch = 8;
  cell.images = 24;
  return cell;
}

Classifier network_of(const Cell& cell, const std::string& spoilt = "") {
  test::keep_threads();
  SpoiltSource source(spoilt);
  return make_classifier(cell.model.network.value(), Weights(source),
                         cell.task == Task::kTrain ? Gradients::kYes : Gradients::kNo);
}

void nobody(std::int64_t, double) {}

double sum_of_weights(const Classifier& network) {
  double sum = 0;
  for (const NamedTensor& parameter : network.parameters()) {
    sum += parameter.tensor.detach().abs().sum().item<double>();
  }
  return sum;
}

} // namespace

TEST_CASE("a run is its iterations, each with a time, made of its parts") {
  const Cell cell = cell_of(Task::kTrain);
  const Classifier network = network_of(cell);
  const auto clock = make_device_clock(at::kCPU);
  NetworkWork work(cell, network, {}, *clock, nullptr);
  std::vector<std::int64_t> heard;
  const RunSample sample = work.run_all([&](std::int64_t step, double) { heard.push_back(step); });
  CHECK(heard == std::vector<std::int64_t>{0, 1, 2});
  CHECK(sample.step_s.size() == 3);
  CHECK(sample.parts.size() == 3);
  CHECK(seconds_of(sample, "backward") > 0.0);
  CHECK_FALSE(seconds_of(sample, "input"));
  CHECK(work.run_first_batch(nobody).step_s.size() == 1);
}

TEST_CASE("an iteration that lasts long says with which part it goes on, on a CPU") {
  const Cell cell = cell_of(Task::kTrain);
  const Classifier network = network_of(cell);
  const auto clock = make_device_clock(at::kCPU);
  NetworkWork work(cell, network, {}, *clock, nullptr);
  using Told = std::vector<std::pair<std::string, std::int64_t>>;
  Told told;
  const auto hear = [&](std::string_view part, std::int64_t iteration) {
    told.emplace_back(part, iteration);
  };
  work.tell_parts(3600, hear);
  static_cast<void>(work.run_all(nobody));
  CHECK(told.empty());
  work.tell_parts(0, hear);
  static_cast<void>(work.run_all(nobody));
  CHECK(told == Told{{"backward", 0},
                     {"update", 0},
                     {"backward", 1},
                     {"update", 1},
                     {"backward", 2},
                     {"update", 2}});
}

TEST_CASE("without the optimiser's step training leaves the weights as they are") {
  Cell cell = cell_of(Task::kTrain);
  const Classifier network = network_of(cell);
  const auto clock = make_device_clock(at::kCPU);
  const double before = sum_of_weights(network);
  static_cast<void>(NetworkWork(cell, network, {}, *clock, nullptr).run_all(nobody));
  CHECK(sum_of_weights(network) == before);
  cell.update = true;
  static_cast<void>(NetworkWork(cell, network, {}, *clock, nullptr).run_all(nobody));
  CHECK(sum_of_weights(network) != before);
}

TEST_CASE("training leaves no gradients behind, so that none are summed up") {
  const Cell cell = cell_of(Task::kTrain);
  const Classifier network = network_of(cell);
  const auto clock = make_device_clock(at::kCPU);
  static_cast<void>(NetworkWork(cell, network, {}, *clock, nullptr).run_all(nobody));
  CHECK_FALSE(network.parameters().front().tensor.grad().defined());
}

TEST_CASE("the loss is cross entropy, or the sum of the answers") {
  Cell cell = cell_of(Task::kTrain);
  const auto clock = make_device_clock(at::kCPU);
  const Classifier network = network_of(cell);
  const at::Tensor images =
      synthetic_images(*cell.model.network, cell.batch, 0, at::kFloat, at::kCPU);
  const auto first_loss = [&] {
    NetworkWork work(cell, network, {}, *clock, nullptr);
    static_cast<void>(work.run_all(nobody));
    return work.output().loss_first.value();
  };
  const at::Tensor logits = network(images, Mode::kTrain).detach();
  CHECK(
      first_loss() ==
      Approx(at::cross_entropy_loss(logits, at::arange(cell.batch)).item<double>()).epsilon(1e-5));
  cell.loss = kLogitSum;
  CHECK(first_loss() == Approx(logits.sum().item<double>()).epsilon(1e-5));
}

TEST_CASE("a loss that is not finite is told with its iteration") {
  const Cell cell = cell_of(Task::kTrain);
  const Classifier network = network_of(cell, "fc.bias");
  const auto clock = make_device_clock(at::kCPU);
  NetworkWork work(cell, network, {}, *clock, nullptr);
  CHECK(work.output().check.empty());
  static_cast<void>(work.run_all(nobody));
  CHECK(work.output().check == "non_finite");
  CHECK(work.output().failed == 0);
}

TEST_CASE("memory may end anywhere in an iteration, also in the backward pass or the step alone") {
  Cell cell = cell_of(Task::kTrain);
  cell.update = true;
  const auto clock = make_device_clock(at::kCPU);
  const auto outcome_with = [&](std::int64_t tensors) {
    const Classifier network = network_of(cell);
    NetworkWork work(cell, network, {}, *clock, nullptr);
    const SpentMemory memory(tensors);
    try {
      static_cast<void>(work.run_first_batch(nobody));
    } catch (...) {
      return outcome_of_current_exception(cell.task).status;
    }
    return Status::kOk;
  };
  const std::int64_t forward = [&] {
    constexpr std::int64_t kMany = 1'000'000;
    const Classifier network = network_of(cell);
    const at::Tensor images =
        synthetic_images(*cell.model.network, cell.batch, 0, at::kFloat, at::kCPU);
    const SpentMemory memory(kMany);
    static_cast<void>(network(images, Mode::kTrain));
    return kMany - memory.left();
  }();
  constexpr std::int64_t kStride = 5;
  std::int64_t tensors = 0;
  for (Status status = outcome_with(0); status != Status::kOk; status = outcome_with(tensors)) {
    CAPTURE(tensors);
    REQUIRE(status == Status::kOomHost);
    tensors += kStride;
  }
  CHECK(tensors > 2 * forward); // most of these ends came behind the forward pass
}

TEST_CASE("answers that are not finite are seen, and good ones pass") {
  const Cell cell = cell_of(Task::kInfer);
  const auto clock = make_device_clock(at::kCPU);
  const Classifier bad = network_of(cell, "fc.bias");
  NetworkWork of_bad(cell, bad, {}, *clock, nullptr);
  static_cast<void>(of_bad.run_all(nobody));
  CHECK(of_bad.output().check == "non_finite");
  const Classifier good = network_of(cell);
  NetworkWork of_good(cell, good, {}, *clock, nullptr);
  static_cast<void>(of_good.run_all(nobody));
  CHECK(of_good.output().check == "pass");
}

TEST_CASE("an epoch has all images, and what was not learnt is guessed") {
  Cell cell = cell_of(Task::kTrain);
  cell.epochs = 2;
  cell.batch = 16;
  cell.images = 100;
  const Classifier network = network_of(cell);
  const auto clock = make_device_clock(at::kCPU);
  const Dataset data = synthetic_dataset(100);
  NetworkWork work(cell, network, {}, *clock, &data);
  CHECK(work.run_all(nobody).step_s.size() == 7);
  CHECK(seconds_of(work.run_all(nobody), "input"));
  std::vector<std::int64_t> heard;
  const NetworkWork::Test test =
      work.test([&](std::int64_t batch, std::int64_t batches, double seconds) {
        CHECK(batches == 2); // a fifth of the images, in batches of 16
        CHECK(seconds > 0);
        heard.push_back(batch);
      });
  CHECK(heard == std::vector<std::int64_t>{0, 1});
  CHECK(test.accuracy >= 0);
  CHECK(test.accuracy < 0.5); // no step was made
  CHECK(test.seconds > 0);
}

namespace {

/// The losses of an epoch of `cell`, by one device that computes `parts` parts of each batch.
std::vector<double> losses_in_parts(const Cell& cell, const Dataset& data, std::int64_t parts) {
  const Classifier network = network_of(cell);
  const double rate = 0.1 * static_cast<double>(cell.batch) / 128;
  Sgd optimizer(network.parameters(), rate, 0.9);
  BatchLoader loader(data, Split::kTrain, {.batch = cell.batch, .seed = cell.seed});
  std::vector<double> losses;
  for (std::int64_t i = 0; i < loader.batches_per_epoch(); ++i) {
    const Batch batch = loader.next();
    const std::int64_t count = batch.labels.size(0);
    losses.push_back(0);
    for (std::int64_t number = 0; number < parts; ++number) {
      const EvenPart part = even_part(count, number, parts);
      const at::Tensor logits =
          network(batch.images.narrow(0, part.first, part.count), Mode::kTrain);
      const at::Tensor loss =
          at::cross_entropy_loss(logits, batch.labels.narrow(0, part.first, part.count)) *
          (static_cast<double>(part.count) / static_cast<double>(count));
      loss.backward();
      losses.back() += loss.item<double>();
    }
    optimizer.step();
    drop_gradients(network.parameters());
  }
  return losses;
}

} // namespace

TEST_CASE("a device that shares a made-up batch holds its own part of it, and no other image") {
  Cell cell = cell_of(Task::kTrain);
  cell.batch = 8;
  cell.images = 8;
  for (const at::MemoryFormat format :
       {at::MemoryFormat::Contiguous, at::MemoryFormat::ChannelsLast}) {
    const Batch whole = made_up_batch(cell, {.autocast = {}, .memory_format = format});
    std::int64_t first = 0;
    for (const Cell& one : device_cells(whole_of(cell, {"cpu:0", "cpu:1", "cpu:2"}, kShareBatch))) {
      const Batch part = made_up_batch(one, {.autocast = {}, .memory_format = format});
      CHECK(part.whole == 8);
      CHECK(part.images.equal(whole.images.narrow(0, first, one.batch)));
      CHECK(part.labels.equal(whole.labels.narrow(0, first, one.batch)));
      CHECK(part.images.is_contiguous(format));
      CHECK(part.images.storage().nbytes() == part.images.nbytes());
      first += one.batch;
    }
    CHECK(first == 8);
  }
}

TEST_CASE("devices that share each batch of an epoch have the losses of all its images") {
  Cell cell = cell_of(Task::kTrain);
  cell.epochs = 1;
  cell.update = true;
  cell.batch = 16;
  cell.images = 101; // the last batch has 5
  cell.seed = 3;
  const Dataset data = synthetic_dataset(101);
  const std::vector<Cell> cells = device_cells(whole_of(cell, {"cpu:0", "cpu:1"}, kShareBatch));
  const test::ScratchFolder folder;
  std::vector<NetworkOutput> outputs(2);
  std::vector<RunSample> samples(2);
  test::on_devices(2, folder.path(), [&](const DevicePlace& place) {
    const auto number = static_cast<std::size_t>(place.number);
    const Classifier network = network_of(cell);
    std::vector<at::Tensor> parameters;
    for (const NamedTensor& parameter : network.parameters()) {
      parameters.push_back(parameter.tensor);
    }
    const auto clock = make_device_clock(at::kCPU);
    DataParallel others(place, parameters);
    NetworkWork work(cells[number], network, {}, *clock, &data);
    work.train_with(others);
    samples[number] = work.run_all(nobody);
    outputs[number] = work.output();
  });
  const std::vector<double> expected = losses_in_parts(cell, data, 2);
  REQUIRE(expected.size() == 7);
  for (std::size_t device = 0; device < 2; ++device) {
    CHECK(outputs[device].check == "pass");
    CHECK(outputs[device].loss_first.value() == Approx(expected.front()).epsilon(1e-5));
    CHECK(outputs[device].loss_last.value() == Approx(expected.back()).epsilon(1e-5));
    CHECK(samples[device].step_s.size() == 7);
    CHECK(seconds_of(samples[device], "all_reduce") >= 0.0);
    CHECK(seconds_of(samples[device], "input") >= 0.0);
  }
}
