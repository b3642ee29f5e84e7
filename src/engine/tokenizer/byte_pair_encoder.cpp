#include "sdbench/engine/tokenizer/byte_pair_encoder.h"

#include <queue>

#include "sdbench/base/config/vocabulary.h"

namespace sdbench {
namespace {

std::uint64_t pair_key(std::uint32_t left, std::uint32_t right) {
  return std::uint64_t{left} << 32 | right;
}

/// A token of the word while it is being merged. Neighbours are indices; kNone at the ends.
struct Symbol {
  std::uint32_t id;
  std::size_t previous;
  std::size_t next;
  bool alive = true;
};

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

/// A possible merge of the symbol at `left` with the next one. Ids of merges rise with their rank.
struct Candidate {
  std::uint32_t merged_id;
  std::size_t left;
  std::uint64_t
      key; ///< the pair it was made for: differs when a neighbour has been merged meanwhile

  /// std::priority_queue returns the greatest first: here the lowest rank, then the leftmost.
  bool operator<(const Candidate& other) const {
    return merged_id != other.merged_id ? merged_id > other.merged_id : left > other.left;
  }
};

} // namespace

BytePairEncoder::BytePairEncoder(const MergeList& list) {
  const TokenIds tokens = clip_vocabulary(list);
  merged_ids_.reserve(list.merges.size());
  for (std::size_t i = 0; i < list.merges.size(); ++i) {
    const std::uint64_t key =
        pair_key(tokens.at(list.merges[i].left), tokens.at(list.merges[i].right));
    merged_ids_.emplace(key, static_cast<std::uint32_t>(kFirstMergedId + i));
  }
}

const std::uint32_t* BytePairEncoder::find_merge(std::uint32_t left, std::uint32_t right) const {
  const auto found = merged_ids_.find(pair_key(left, right));
  return found == merged_ids_.end() ? nullptr : &found->second;
}

void BytePairEncoder::append_ids(std::string_view word, std::vector<std::int64_t>& ids) const {
  if (word.empty()) {
    return;
  }
  std::vector<Symbol> symbols;
  symbols.reserve(word.size());
  for (const char c : word) {
    const std::size_t index = symbols.size();
    symbols.push_back({byte_ids()[static_cast<unsigned char>(c)], index - 1, index + 1});
  }
  symbols.back().id += kByteCount; // the byte that ends a word has a token of its own
  symbols.back().next = kNone;     // the first one's `previous` has wrapped around to kNone

  std::priority_queue<Candidate> candidates;
  const auto propose = [&](std::size_t left) {
    if (left == kNone || symbols[left].next == kNone) {
      return;
    }
    const std::uint32_t left_id = symbols[left].id;
    const std::uint32_t right_id = symbols[symbols[left].next].id;
    if (const std::uint32_t* merged = find_merge(left_id, right_id)) {
      candidates.push({*merged, left, pair_key(left_id, right_id)});
    }
  };
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    propose(i);
  }
  while (!candidates.empty()) {
    const Candidate best = candidates.top();
    candidates.pop();
    Symbol& left = symbols[best.left];
    if (!left.alive || left.next == kNone || pair_key(left.id, symbols[left.next].id) != best.key) {
      continue; // out of date
    }
    Symbol& right = symbols[left.next];
    left.id = best.merged_id;
    left.next = right.next;
    right.alive = false;
    if (left.next != kNone) {
      symbols[left.next].previous = best.left;
    }
    propose(left.previous);
    propose(best.left);
  }
  for (std::size_t i = 0; i != kNone; i = symbols[i].next) {
    ids.push_back(symbols[i].id);
  }
}

} // namespace sdbench
