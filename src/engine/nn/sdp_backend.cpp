#include "sdbench/engine/nn/sdp_backend.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/detail/CUDAHooksInterface.h>

#include "sdbench/engine/nn/cudnn_number.h"

namespace sdbench {
namespace {

/// One of libtorch's process-wide switches for a kernel.
struct Switch {
  at::SDPBackend backend;
  std::string_view name;
  bool (at::Context::*is_on)() const;
  void (at::Context::*set)(bool);
};

constexpr std::array kSwitches{
    Switch{at::SDPBackend::math, "math", &at::Context::userEnabledMathSDP,
           &at::Context::setSDPUseMath},
    Switch{at::SDPBackend::flash_attention, "flash", &at::Context::userEnabledFlashSDP,
           &at::Context::setSDPUseFlash},
    Switch{at::SDPBackend::efficient_attention, "efficient",
           &at::Context::userEnabledMemEfficientSDP, &at::Context::setSDPUseMemEfficient},
    Switch{at::SDPBackend::cudnn_attention, "cudnn", &at::Context::userEnabledCuDNNSDP,
           &at::Context::setSDPUseCuDNN},
};

/// Restores the switches at the end of its life.
class KeptSwitches {
public:
  KeptSwitches() {
    for (std::size_t i = 0; i < kSwitches.size(); ++i) {
      before_[i] = (at::globalContext().*kSwitches[i].is_on)();
    }
  }
  KeptSwitches(const KeptSwitches&) = delete;
  KeptSwitches& operator=(const KeptSwitches&) = delete;
  ~KeptSwitches() {
    for (std::size_t i = 0; i < kSwitches.size(); ++i) {
      (at::globalContext().*kSwitches[i].set)(before_[i]);
    }
  }

private:
  std::array<bool, kSwitches.size()> before_{};
};

/// Lets libtorch choose between one fused kernel and math only, and restores order and switches at
/// the end. The fused kernel is put first, because on most GPUs libtorch would try cuDNN's after
/// math, so never. libtorch must have chosen once before: its first choice sets its own order.
class OnlyBackend {
public:
  explicit OnlyBackend(at::SDPBackend backend) {
    at::Context& context = at::globalContext();
    Order first = order_;
    std::stable_partition(first.begin(), first.end(),
                          [&](at::SDPBackend other) { return other == backend; });
    set_order(first);
    for (const Switch& one : kSwitches) {
      (context.*one.set)(one.backend == backend || one.backend == at::SDPBackend::math);
    }
  }
  OnlyBackend(const OnlyBackend&) = delete;
  OnlyBackend& operator=(const OnlyBackend&) = delete;
  ~OnlyBackend() { set_order(order_); }

private:
  using Order = std::array<at::SDPBackend, at::num_sdp_backends>;

  static void set_order(const Order& order) {
    std::vector<std::int64_t> numbers;
    for (const at::SDPBackend backend : order) {
      numbers.push_back(static_cast<std::int64_t>(backend));
    }
    at::globalContext().setSDPPriorityOrder(numbers);
  }

  KeptSwitches switches_;
  Order order_ = at::globalContext().sDPPriorityOrder();
};

using GivenUp = std::map<std::pair<at::SDPBackend, AttentionKind>, std::string>;

/// Kernels that this process no longer uses. Global, like libtorch's switches.
GivenUp& given_up() {
  static GivenUp kernels;
  return kernels;
}

bool is_kept_off(at::SDPBackend backend, const at::Tensor& q, bool causal) {
  const std::int64_t width = q.size(-1);
  const bool takes_heads = backend != at::SDPBackend::cudnn_attention || !q.is_cuda() ||
                           cudnn_takes_heads(width, cudnn_number(at::detail::getCUDAHooks()));
  return !takes_heads || given_up().contains({backend, {width, causal}});
}

/// Switches off the kernels that must not be used for q, for as long as it lives.
class KeptOff {
public:
  KeptOff(const at::Tensor& q, bool causal) {
    for (const Switch& one : kSwitches) {
      if (is_kept_off(one.backend, q, causal)) {
        (at::globalContext().*one.set)(false);
      }
    }
  }

private:
  KeptSwitches switches_;
};

at::SDPBackend choice(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, bool causal) {
  return static_cast<at::SDPBackend>(at::_fused_sdp_choice(q, k, v, {}, 0.0, causal));
}

} // namespace

std::string_view name_of(at::SDPBackend backend) {
  for (const Switch& one : kSwitches) {
    if (one.backend == backend) {
      return one.name;
    }
  }
  return "other";
}

at::SDPBackend sdp_backend(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                           bool causal, std::optional<at::SDPBackend> wanted) {
  const KeptOff kept_off(q, causal);
  const at::SDPBackend chosen = choice(q, k, v, causal);
  if (!wanted || chosen == *wanted || is_kept_off(*wanted, q, causal)) {
    return chosen;
  }
  const OnlyBackend only(*wanted);
  return choice(q, k, v, causal) == *wanted ? *wanted : chosen;
}

at::Tensor sdp(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, bool causal,
               std::optional<at::SDPBackend> wanted) {
  const KeptOff kept_off(q, causal);
  if (wanted && sdp_backend(q, k, v, causal, wanted) == *wanted) {
    const OnlyBackend only(*wanted);
    return at::scaled_dot_product_attention(q, k, v, {}, 0.0, causal);
  }
  return at::scaled_dot_product_attention(q, k, v, {}, 0.0, causal);
}

void give_up(at::SDPBackend backend, const AttentionKind& kind, const std::string& reason) {
  given_up()[{backend, kind}] = reason;
}

std::string reason_given_up(at::SDPBackend backend, const AttentionKind& kind) {
  const auto found = given_up().find({backend, kind});
  return found == given_up().end() ? "" : found->second;
}

bool cudnn_takes_heads(std::int64_t head_width, long cudnn_version) {
  constexpr std::int64_t kWidest = 128;
  constexpr long kSoundVersion = 92200;
  return head_width <= kWidest || cudnn_version >= kSoundVersion;
}

} // namespace sdbench
