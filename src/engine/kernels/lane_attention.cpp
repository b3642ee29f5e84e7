#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "attention_forms.h"
#include "kit.h"
#include "lanes.h"
#include "packing.h"

namespace sdbench::kernels {
namespace {

constexpr std::int64_t kBlock = 128; ///< keys whose scores are in use at a time: 24 KiB
constexpr std::int64_t kDepth = 96;  ///< of the queries' slice in a product: 18 KiB
/// Bytes of the groups of queries that share one pass over the keys: about half of an L2 cache.
constexpr std::int64_t kGroupsBytes = 512 << 10;
constexpr std::int64_t kMostGroups = 16;

/// Queries side by side in lanes.
struct QueryGroup {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t vectors = 0;
};

std::vector<QueryGroup> query_groups(std::int64_t queries) {
  std::vector<QueryGroup> groups;
  for (std::int64_t first = 0; first < queries;) {
    const std::int64_t left = round_up(queries - first, kLanes) / kLanes;
    const std::int64_t vectors = panels_now(left, kMostVectors);
    const std::int64_t count = std::min(vectors * kLanes, queries - first);
    groups.push_back({first, count, vectors});
    first += count;
  }
  return groups;
}

/// Floats of a panel with `depth` rows or columns.
constexpr std::int64_t panel_floats(std::int64_t depth) {
  return panel_bytes(depth) / kDwordBytes;
}

/// One head of one image.
struct Head {
  Head(std::int64_t key_count, std::int64_t head_width)
      : keys(key_count), width(head_width), answer_rows(round_up(width, kRowStep)),
        value_floats(round_up(width, kColumns)),
        panels_floats(round_up(keys, kColumns) * (round_up(width, kColumns) + value_floats)) {}

  /// Offset of its keys from `first` on. Each panel has 16 keys, [width, 16].
  [[nodiscard]] std::int64_t keys_at(std::int64_t first) const {
    return first / kColumns * panel_floats(width);
  }
  /// Offset of its values from `first` on, a multiple of kBlock. They are stored block by block,
  /// each in panels of 16 of the width, [keys of the block, 16], so that values read together lie
  /// together.
  [[nodiscard]] std::int64_t values_at(std::int64_t first) const {
    return keys_at(round_up(keys, kColumns)) + first * value_floats;
  }

  std::int64_t keys;
  std::int64_t width;
  std::int64_t answer_rows;
  std::int64_t value_floats;  ///< of a key
  std::int64_t panels_floats; ///< of all its keys and values
};

/// A group in progress, in a thread's own memory.
class State {
public:
  static std::int64_t floats(const Head& head) {
    return kMostVectors * kLanes * (head.width + head.answer_rows + 3);
  }

  State(const LaneKit& kit, const Head& head, float* memory) : kit_(&kit), head_(&head) {
    const auto take = [&](std::int64_t rows) {
      return std::exchange(memory, memory + rows * kMostVectors * kLanes);
    };
    queries_ = take(head.width);
    answers_ = take(head.answer_rows);
    largest_ = take(1);
    off_ = take(1);
    sum_ = take(1);
  }

  void start(const Rows<float>& queries, std::int64_t vectors) {
    vectors_ = vectors;
    kit_->read(queries, vectors, score_scale(head_->width), queries_);
    const std::int64_t lanes = vectors * kLanes;
    std::fill_n(answers_, head_->answer_rows * lanes, 0.0F);
    std::fill_n(off_, lanes, 0.0F);
    std::fill_n(sum_, lanes, 0.0F);
  }

  /// Attends to the block of keys from `first` on. `block`: scratch, [kBlock, lanes].
  void attend(const float* panels, std::int64_t first, float* block) const {
    const std::int64_t count = std::min(kBlock, head_->keys - first);
    score(panels, first, count, block);
    LaneScores softmax;
    softmax.scores = block;
    softmax.keys = count;
    softmax.vectors = vectors_;
    softmax.largest = largest_;
    softmax.off = off_;
    softmax.sum = sum_;
    softmax.answers = answers_;
    softmax.width = head_->width;
    softmax.most = std::numeric_limits<float>::max() * score_scale(head_->width);
    const bool raised = kit_->raise(softmax);
    if (raised && first == 0) { // the scores have 0 subtracted
      kit_->take_off_and_weigh(softmax);
    } else {
      if (raised) { // again: scores far from `off` have lost bits
        score(panels, first, count, block);
      }
      kit_->weigh(softmax);
    }

    LaneProduct answers;
    answers.a = panels + head_->values_at(first);
    answers.panel_stride = panel_floats(count);
    answers.b = block;
    answers.c = answers_;
    answers.rows = head_->answer_rows;
    answers.depth = count;
    answers.vectors = vectors_;
    answers.accumulate = true;
    kit_->multiply(answers);
  }

  void finish(float* to, std::int64_t stride, std::int64_t count) const {
    kit_->write({answers_, sum_, vectors_, to, stride, count, head_->width});
  }

private:
  /// Computes the scores of `count` keys from `first` on, less `off`, and each query's largest.
  void score(const float* panels, std::int64_t first, std::int64_t count, float* block) const {
    std::fill_n(largest_, vectors_ * kLanes, -std::numeric_limits<float>::infinity());
    LaneProduct scores;
    scores.panel_stride = panel_floats(head_->width);
    scores.c = block;
    scores.rows = round_up(count, kRowStep);
    scores.vectors = vectors_;
    scores.compared = count;
    // A slice of the queries stays in the first cache while each row of keys passes.
    for (std::int64_t from = 0; from < head_->width; from += kDepth) {
      scores.a = panels + head_->keys_at(first) + from * kColumns;
      scores.b = queries_ + from * vectors_ * kLanes;
      scores.depth = std::min(kDepth, head_->width - from);
      scores.accumulate = from > 0;
      if (from + scores.depth == head_->width) { // the last slice: scores are complete
        scores.off = off_;
        scores.largest = largest_;
      }
      kit_->multiply(scores);
    }
  }

  const LaneKit* kit_;
  const Head* head_;
  std::int64_t vectors_ = 0;
  float* queries_; ///< [width, lanes]
  float* answers_; ///< [answer_rows, lanes]
  float* largest_; ///< [lanes]
  float* off_;
  float* sum_;
};

/// The panels of all heads of all images.
at::Tensor packed(const Head& head, const at::Tensor& k, const at::Tensor& v) {
  const std::int64_t heads = k.size(1);
  at::Tensor panels = at::empty({k.size(0) * heads, head.panels_floats}, at::kFloat);
  auto* data = static_cast<float*>(panels.mutable_data_ptr());
  const auto bytes = [](float* at) { return reinterpret_cast<std::byte*>(at); }; // NOLINT
  at::parallel_for(0, panels.size(0), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      float* const to = data + i * head.panels_floats;
      pack_as_columns(rows_of<float>(k, i / heads, i % heads, 0, head.keys), bytes(to));
      for (std::int64_t first = 0; first < head.keys; first += kBlock) {
        const std::int64_t count = std::min(kBlock, head.keys - first);
        pack_as_depth(rows_of<float>(v, i / heads, i % heads, first, count),
                      bytes(to + head.values_at(first)));
      }
    }
  });
  return panels;
}

} // namespace

at::Tensor attend_in_lanes(const Kit& kit, const at::Tensor& given_q, const at::Tensor& given_k,
                           const at::Tensor& given_v) {
  const at::Tensor q = with_dense_rows(given_q);
  const at::Tensor k = with_dense_rows(given_k);
  const at::Tensor v = with_dense_rows(given_v);
  const std::int64_t heads = q.size(1);
  const Head head(k.size(2), q.size(3));
  const at::Tensor panels = packed(head, k, v);
  const auto* panels_data = static_cast<const float*>(panels.const_data_ptr());
  const at::Tensor out = at::empty({q.size(0), q.size(2), heads, head.width}, q.options());
  auto* out_data = static_cast<float*>(out.mutable_data_ptr());

  const std::vector<QueryGroup> groups = query_groups(q.size(2));
  const auto per_head = static_cast<std::int64_t>(groups.size());
  const std::int64_t state_floats = State::floats(head);
  const std::int64_t most =
      std::clamp(kGroupsBytes / (state_floats * kDwordBytes), std::int64_t{1}, kMostGroups);
  at::parallel_for(0, q.size(0) * heads * per_head, 1, [&](std::int64_t begin, std::int64_t end) {
    const at::Tensor memory =
        at::empty({most * state_floats + kBlock * kMostVectors * kLanes}, at::kFloat);
    auto* const block = static_cast<float*>(memory.mutable_data_ptr());
    std::vector<State> states;
    for (std::int64_t i = 0; i < most; ++i) {
      states.emplace_back(*kit.lanes, head,
                          block + kBlock * kMostVectors * kLanes + i * state_floats);
    }
    for (std::int64_t now = 0; begin < end; begin += now) {
      const std::int64_t of_head = begin / per_head; // of all images
      const std::int64_t group = begin % per_head;
      now = std::min({end - begin, per_head - group, most});
      const auto each = [&](const auto& work) {
        for (std::int64_t i = 0; i < now; ++i) {
          work(states[static_cast<std::size_t>(i)], groups[static_cast<std::size_t>(group + i)]);
        }
      };
      each([&](State& state, const QueryGroup& g) {
        state.start(rows_of<float>(q, of_head / heads, of_head % heads, g.first, g.count),
                    g.vectors);
      });
      const float* const here = panels_data + of_head * head.panels_floats;
      for (std::int64_t key = 0; key < head.keys; key += kBlock) {
        each([&](const State& state, const QueryGroup&) { state.attend(here, key, block); });
      }
      each([&](const State& state, const QueryGroup& g) {
        state.finish(out_data +
                         ((of_head / heads * q.size(2) + g.first) * heads + of_head % heads) *
                             head.width,
                     heads * head.width, g.count);
      });
    }
  });
  return out.transpose(1, 2);
}

} // namespace sdbench::kernels
