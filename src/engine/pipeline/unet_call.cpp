#include "sdbench/engine/pipeline/unet_call.h"
#include "sdbench/engine/nn/attention.h"
#include "sdbench/engine/nn/transformer_2d.h"

#include <type_traits>
#include <utility>

#include <ATen/ATen.h>

namespace sdbench {
namespace {

/// Hands every tensor of a value to `visit`, const or not, always in the same order.
template <class Visit>
struct EachTensor {
  const Visit& visit;

  template <class Value>
  void operator()(Value& value) const {
    using Plain = std::remove_const_t<Value>;
    if constexpr (std::is_same_v<Plain, at::Tensor>) {
      visit(value);
    } else if constexpr (std::is_same_v<Plain, KeysAndValues>) {
      all(value.keys, value.values);
    } else if constexpr (std::is_same_v<Plain, AddedConditioning>) {
      all(value.text_embeds, value.time_ids);
    } else if constexpr (std::is_same_v<Plain, UNetPrompt>) {
      all(value.text, value.added, value.guidance);
    } else if constexpr (std::is_same_v<Plain, UNetMoment>) {
      all(value.sample, value.time);
    } else if constexpr (requires { value.mid; }) { // UNetText, UNetTime
      all(value.down, value.mid, value.up);
    } else if constexpr (requires { value.valueless_by_exception(); }) {
      std::visit(*this, value);
    } else if constexpr (requires { value.has_value(); }) {
      if (value) {
        (*this)(*value);
      }
    } else {
      for (auto& part : value) {
        (*this)(part);
      }
    }
  }

private:
  template <class... Values>
  void all(Values&... values) const {
    ((*this)(values), ...);
  }
};

template <class Value>
GraphedCall::Tensors tensors_of(const Value& value) {
  GraphedCall::Tensors tensors;
  const auto take = [&](const at::Tensor& tensor) { tensors.push_back(tensor); };
  EachTensor<decltype(take)>{take}(value);
  return tensors;
}

/// `value` with other tensors: what tensors_of() would answer.
template <class Value>
Value with_tensors(Value value, const GraphedCall::Tensors& tensors) {
  auto next = tensors.begin();
  const auto put = [&](at::Tensor& tensor) { tensor = *next++; };
  EachTensor<decltype(put)>{put}(value);
  return value;
}

const UNetText& text_of(const UNetPrompt& prompt, const UNet2dCondition& unet, UNetText& made) {
  if (const auto* states = std::get_if<at::Tensor>(&prompt.text)) {
    made = unet.text(*states, TextForm::kStates);
    return made;
  }
  return std::get<UNetText>(prompt.text);
}

} // namespace

at::Tensor UNetCall::operator()(const UNetPrompt& prompt, const UNetMoment& moment) const {
  UNetText made_text;
  const UNetText& text = text_of(prompt, unet_, made_text);
  const at::Tensor input = twice_ ? at::cat({moment.sample, moment.sample}) : moment.sample;
  if (const auto* timestep = std::get_if<at::Tensor>(&moment.time)) {
    return unet_(input, unet_.times(*timestep, time_rows_, prompt.added, prompt.guidance).front(),
                 text);
  }
  return unet_(input, std::get<UNetTime>(moment.time), text);
}

at::Tensor UNetCall::operator()(const UNetPrompt& prompt, const UNetMoment& moment,
                                GraphedCall& graphed) const {
  return graphed(tensors_of(prompt), tensors_of(moment), work(prompt, moment));
}

void UNetCall::end_run(const UNetPrompt& prompt, const UNetMoment& moment,
                       GraphedCall& graphed) const {
  graphed.end_run(work(prompt, moment));
}

GraphedCall::Work UNetCall::work(const UNetPrompt& prompt, const UNetMoment& moment) const {
  // By value: whoever records it may keep it longer than the step that it came with.
  return [call = *this, prompt, moment](const GraphedCall::Tensors& kept,
                                        const GraphedCall::Tensors& changing) {
    return call(with_tensors(prompt, kept), with_tensors(moment, changing));
  };
}

} // namespace sdbench
