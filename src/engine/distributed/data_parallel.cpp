#include "sdbench/engine/distributed/data_parallel.h"

#include <cstddef>
#include <limits>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include <ATen/ATen.h>
#include <c10/util/Exception.h>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/comm.hpp>
#include <torch/csrc/distributed/c10d/reducer.hpp>

#include "process_group.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {
namespace {

/// Sums a bucket over all devices. The last bucket is full when all gradients are computed.
class BucketSum final : public c10d::CppCommHookInterface<ProcessGroup> {
public:
  BucketSum(ProcessGroup group, const std::function<void()>& last_is_full)
      : CppCommHookInterface(std::move(group)), last_is_full_(last_is_full) {}

  c10::intrusive_ptr<c10::ivalue::Future> runHook(c10d::GradBucket& bucket) override {
    if (bucket.isLast()) {
      last_is_full_();
    }
    std::vector<at::Tensor> buffers{bucket.getBufferRef()};
    return state_->allreduce(buffers)->getFuture();
  }

private:
  const std::function<void()>& last_is_full_;
};

/// Silences the Reducer's warning about gradients whose strides differ from their buckets'. Under
/// channels-last, 1x1 kernels have such gradients, but their strides mean nothing. As the last
/// output of a dead worker, the warning would mislead.
class NoWarnings final : public c10::WarningHandler {
public:
  void process(const c10::Warning& /*warning*/) override {}
};

/// Newer versions of libtorch added arguments to the constructor. All of them get
/// DistributedDataParallel's default values here.
template <class Reducer>
std::unique_ptr<Reducer> make_reducer(const std::vector<at::Tensor>& parameters,
                                      const std::vector<std::vector<std::size_t>>& buckets,
                                      const ProcessGroup& group) {
  using Names = std::unordered_map<std::size_t, std::string>;
  const std::vector<bool> is_sparse(parameters.size(), false);
  const std::int64_t bytes = c10d::kDefaultBucketBytesCap;
  const std::int64_t first_bytes = c10d::kDefaultFirstBucketBytes;
  const bool finds_unused = false;
  const bool gradients_are_views = true; // saves a copy of all gradients
  const auto make = [&](auto... newer) {
    return std::make_unique<Reducer>(parameters, buckets, group, is_sparse, bytes, finds_unused,
                                     gradients_are_views, Names(), first_bytes, newer...);
  };
  using Buckets = std::vector<std::vector<std::size_t>>;
  if constexpr (std::is_constructible_v<Reducer, std::vector<at::Tensor>, Buckets, ProcessGroup,
                                        std::vector<bool>, std::int64_t, bool, bool, Names,
                                        std::int64_t, bool, bool, std::vector<std::int64_t>>) {
    return make(false, false, std::vector<std::int64_t>());
  } else if constexpr (std::is_constructible_v<Reducer, std::vector<at::Tensor>, Buckets,
                                               ProcessGroup, std::vector<bool>, std::int64_t, bool,
                                               bool, Names, std::int64_t, bool, bool>) {
    return make(false, false);
  } else {
    return make();
  }
}

/// One bucket for all. The Reducer makes others once it has seen the order of the gradients.
std::vector<std::vector<std::size_t>> one_bucket(const std::vector<at::Tensor>& parameters) {
  constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max());
  return std::get<0>(c10d::compute_bucket_assignment_by_size(parameters, {kMost}));
}

void take_values_of_first(const ProcessGroup& group, const std::vector<at::Tensor>& parameters) {
  constexpr std::size_t kBytesAtOnce = 250U << 20;
  const auto values =
      mapped(parameters, [](const at::Tensor& parameter) { return parameter.detach(); });
  c10d::broadcast_coalesced(group, values, kBytesAtOnce);
}

} // namespace

struct DataParallel::Parts {
  ProcessGroup group;
  std::function<void()> computed; ///< called by the current backward pass
  std::unique_ptr<c10d::Reducer> reducer;
};

DataParallel::DataParallel(DevicePlace place, const std::vector<at::Tensor>& parameters)
    : parts_(std::make_unique<Parts>()) {
  parts_->group = make_process_group(std::move(place), parameters.front().device());
  take_values_of_first(parts_->group, parameters);
  parts_->reducer = make_reducer<c10d::Reducer>(parameters, one_bucket(parameters), parts_->group);
  parts_->reducer->register_comm_hook(std::make_unique<BucketSum>(parts_->group, parts_->computed));
}

DataParallel::~DataParallel() = default;

void DataParallel::prepare() {
  static_cast<void>(parts_->reducer->rebuild_buckets());
}

void DataParallel::backward(const at::Tensor& loss, const std::function<void()>& computed) {
  parts_->computed = computed;
  NoWarnings silence;
  const c10::WarningUtils::WarningHandlerGuard silent(&silence);
  parts_->reducer->prepare_for_backward({loss});
  loss.backward();
}

void DataParallel::add_up(at::Tensor& values) {
  std::vector<at::Tensor> tensors{values};
  parts_->group->allreduce(tensors)->wait();
}

} // namespace sdbench
