#include "sdbench/engine/pipeline/graphed_call.h"

#include <algorithm>
#include <exception>
#include <utility>

#include <ATen/ATen.h>

#include "sdbench/base/errors/message_of.h"

namespace sdbench {
namespace {

GraphedCall::Tensors copies_of(const GraphedCall::Tensors& tensors) {
  GraphedCall::Tensors copies;
  for (const at::Tensor& tensor : tensors) {
    copies.push_back(tensor.clone()); // clone() keeps the memory format
  }
  return copies;
}

void copy_into(const GraphedCall::Tensors& places, const GraphedCall::Tensors& values) {
  if (!places.empty()) {
    at::_foreach_copy_(places, values); // one launch for many small tensors
  }
}

bool are_same(const GraphedCall::Tensors& a, const GraphedCall::Tensors& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const at::Tensor& x, const at::Tensor& y) { return x.is_same(y); });
}

} // namespace

at::Tensor GraphedCall::operator()(const Tensors& kept, const Tensors& changing, const Work& work) {
  expect(kept, changing);
  if (!obstacle_.empty()) {
    return work(kept, changing);
  }
  put_in_place(kept, changing);
  if (!graph_ && warm_ups_ >= wanted_warm_ups_) {
    record(work);
    if (graph_) { // its upload may have replayed it, and the replay may have written here
      copy_into(changing_, changing);
    }
  }
  if (!obstacle_.empty()) {
    return work(kept, changing);
  }
  if (graph_) {
    graph_->replay();
  } else {
    warm_up(work);
  }
  return output_;
}

void GraphedCall::end_run(const Work& work) {
  if (!graph_ && obstacle_.empty() && !changing_.empty()) {
    try {
      while (warm_ups_ < wanted_warm_ups_) {
        warm_up(work);
      }
      record(work);
    } catch (const std::exception& error) { // a warm-up failed, but the run needed none
      give_up(error);
    }
  }
  seen_.clear();
}

std::string GraphedCall::why_not_recorded() const {
  return graph_ || !obstacle_.empty() ? obstacle_
                                      : "the run was cut short before its graph was recorded";
}

void GraphedCall::expect(const Tensors& kept, const Tensors& changing) {
  if (std::vector<Kind> kinds = kinds_of(kept, changing); kinds != kinds_) {
    begin_anew(std::move(kinds));
  }
}

void GraphedCall::prepare(const Tensors& kept, const Tensors& changing, const Work& work) {
  expect(kept, changing);
  if (!graph_ && obstacle_.empty()) {
    put_in_place(kept, changing);
  }
  end_run(work);
}

bool GraphedCall::replays(const Tensors& kept, const Tensors& changing) const {
  return graph_ != nullptr && kinds_of(kept, changing) == kinds_;
}

std::vector<GraphedCall::Kind> GraphedCall::kinds_of(const Tensors& kept, const Tensors& changing) {
  std::vector<Kind> kinds;
  for (const Tensors* tensors : {&kept, &changing}) {
    for (const at::Tensor& tensor : *tensors) {
      kinds.push_back({tensor.sizes().vec(), tensor.scalar_type()});
    }
  }
  return kinds;
}

void GraphedCall::begin_anew(std::vector<Kind> kinds) {
  graph_.reset(); // before the tensors that it reads and writes
  for (Tensors* tensors : {&kept_, &changing_, &seen_}) {
    tensors->clear();
  }
  output_.reset();
  warm_ups_ = 0;
  obstacle_.clear();
  upload_obstacle_.clear();
  kinds_ = std::move(kinds);
}

void GraphedCall::put_in_place(const Tensors& kept, const Tensors& changing) {
  if (changing_.empty()) {
    kept_ = copies_of(kept);
    changing_ = copies_of(changing);
  } else {
    if (!are_same(kept, seen_)) {
      copy_into(kept_, kept);
    }
    copy_into(changing_, changing);
  }
  seen_ = kept;
}

void GraphedCall::warm_up(const Work& work) {
  maker_->warm_up([&] { output_ = work(kept_, changing_); });
  ++warm_ups_;
}

void GraphedCall::record(const Work& work) {
  output_.reset(); // frees the warm-ups' output
  try {
    graph_ = maker_->capture([this, work] { output_ = work(kept_, changing_); });
  } catch (const std::exception& error) {
    give_up(error);
    return;
  }
  try {
    graph_->upload(); // else the first replay does, which may be within a timed run
  } catch (const std::exception& error) {
    upload_obstacle_ = first_line_of(error);
  }
}

/// Gives up graphs for inputs of these kinds.
void GraphedCall::give_up(const std::exception& error) {
  std::vector<Kind> kinds = std::move(kinds_);
  begin_anew(std::move(kinds));
  obstacle_ = first_line_of(error);
}

} // namespace sdbench
