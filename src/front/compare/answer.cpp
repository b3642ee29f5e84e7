#include "sdbench/front/compare/answer.h"

#include <algorithm>
#include <map>
#include <vector>

#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/compare/baseline.h"
#include "sdbench/front/compare/pooled_figure.h"
#include "sdbench/front/compare/verdict.h"

namespace sdbench {
namespace {

const std::string& name_of_pool(const Comparison& comparison, const Pool& pool) {
  return comparison.lines[pool.line].name;
}

const std::string& machine_of(const Comparison& comparison, const Pool& pool) {
  return comparison.lines[pool.line].machine;
}

/// Why the verdict is unclear, and what would make it clear.
std::string unclear_words(const Comparison& comparison, const Pool& ours, const Pool& base) {
  const auto a = ours.figure->interval();
  const auto b = base.figure->interval();
  if (!a || !b) {
    return name_of_pool(comparison, a ? base : ours) +
           (comparison.pools_cards
                ? " has no usable 95 % interval between cards (one card, or wider than the mean); "
                  "more cards give one"
                : " has no usable 95 % interval (too few runs, or wider than the mean); more "
                  "timed runs or rows give one");
  }
  const bool overlap = a->low <= b->high && b->low <= a->high;
  return overlap ? std::string("the 95 % intervals overlap; ") +
                       (comparison.pools_cards ? "more cards" : "more rows (--restarts)") +
                       " narrow them"
                 : "the gap is below " + percent_words(comparison.threshold);
}

/// The scope of a side's interval ("one start"). The interval does not include changes between
/// starts or sessions then. Empty if the scope is wider.
std::string scope_words(const PooledFigure& figure) {
  return !figure.covers_starts() ? "one start" : figure.sessions == 1 ? "one session" : "";
}

/// ", within one start", ", within one start of A and one session of B", ", between cards"
std::string within_words(const Comparison& comparison, const Pool& ours, const Pool& base) {
  if (comparison.pools_cards) {
    const bool by_cards = ours.over == PoolOver::kCards && base.over == PoolOver::kCards;
    return by_cards ? ", between cards" : ", between hosts";
  }
  const std::string scope = scope_words(*ours.figure);
  const std::string base_scope = scope_words(*base.figure);
  if (scope == base_scope) {
    return scope.empty() ? "" : ", within " + scope;
  }
  std::string words = scope.empty() ? "" : scope + " of " + name_of_pool(comparison, ours);
  words += base_scope.empty() ? ""
                              : (words.empty() ? "" : " and ") + base_scope + " of " +
                                    name_of_pool(comparison, base);
  return ", within " + words;
}

/// ", beside other programs on A": marks a verdict that uses rows of a busy machine.
std::string busy_words(const Comparison& comparison, const Pool& ours, const Pool& base) {
  const bool ours_is = ours.busy_rows > 0;
  const bool base_is = base.busy_rows > 0;
  if (!ours_is && !base_is) {
    return "";
  }
  return ", beside other programs" +
         (ours_is && base_is ? "" : " on " + name_of_pool(comparison, ours_is ? ours : base));
}

Verdict verdict_of_pools(const Comparison& comparison, const Pool& ours, const Pool& base) {
  return verdict_of(comparison.metric, *ours.figure, *base.figure, comparison.threshold);
}

/// The first words of the answer if neither is surely better, such as "unclear: "; else empty.
std::string doubt_words(const Comparison& comparison, const Pool& ours, const Pool& base) {
  switch (verdict_of_pools(comparison, ours, base)) {
  case Verdict::kSame:
    return "the same within " + percent_words(comparison.threshold) + ": ";
  case Verdict::kUnclear:
    return "unclear: ";
  case Verdict::kFaster:
  case Verdict::kSlower:
    break;
  }
  return "";
}

/// "1.25 times as fast as B (1.23 to 1.27)", and why that is unclear if it is.
std::string standing_words(const Comparison& comparison, const Pool& ours, const Pool& base) {
  constexpr int kDigits = 3;
  const Ratio ratio = relative_to(comparison.metric, *ours.figure, *base.figure);
  std::string words = significant_text(ratio.value, kDigits) +
                      (comparison.metric.is_speed() ? " times as fast as " : " times that of ") +
                      name_of_pool(comparison, base);
  if (ratio.interval) {
    words += " (" + significant_text(ratio.interval->low, kDigits) + " to " +
             significant_text(ratio.interval->high, kDigits) +
             within_words(comparison, ours, base) + ")";
  }
  words += busy_words(comparison, ours, base);
  return verdict_of_pools(comparison, ours, base) == Verdict::kUnclear
             ? words + ": " + unclear_words(comparison, ours, base)
             : words;
}

/// "2 faster, 1 unclear"
std::string tally_words(const Comparison& comparison, const std::vector<const Pool*>& pools) {
  std::map<Verdict, std::size_t> counts;
  for (const Pool* pool : pools) {
    ++counts[pool->verdict];
  }
  const std::string words = joined(mapped(counts, [&](const auto& of_verdict) {
    const auto& [verdict, count] = of_verdict;
    return std::to_string(count) + " " + std::string(word_of(verdict, comparison.metric));
  }));
  const auto busy = std::ranges::count_if(pools, [&](const Pool* pool) {
    return !busy_words(comparison, *pool, comparison.pools[*pool->base]).empty();
  });
  return busy == 0 ? words : words + " (" + std::to_string(busy) + " beside other programs)";
}

std::string beside_baseline(const Comparison& comparison, const std::vector<const Pool*>& others,
                            bool has_baseline) {
  if (!has_baseline) {
    return "the baseline has no figure here";
  }
  if (others.empty()) {
    return "nothing to compare with the baseline here";
  }
  if (others.size() == 1) {
    const Pool& base = comparison.pools[*others.front()->base];
    const std::string doubt = doubt_words(comparison, *others.front(), base);
    return (doubt.empty() ? std::string(word_of(others.front()->verdict, comparison.metric)) + ": "
                          : "") +
           pair_words(comparison, *others.front(), base);
  }
  return "beside the baseline: " + tally_words(comparison, others);
}

} // namespace

std::string pair_words(const Comparison& comparison, const Pool& ours, const Pool& base) {
  return doubt_words(comparison, ours, base) + name_of_pool(comparison, ours) + " is " +
         standing_words(comparison, ours, base);
}

std::string answer_words(const Comparison& comparison, const ComparedColumn& column) {
  std::vector<const Pool*> measured; // in the order of the column
  std::vector<const Pool*> others;   // those with a baseline
  bool has_baseline = false;
  for (const std::size_t place : column.pools) {
    const Pool& pool = comparison.pools[place];
    if (pool.figure) {
      measured.push_back(&pool);
      has_baseline = has_baseline || pool.is_baseline;
      if (!pool.is_baseline && pool.base && comparison.pools[*pool.base].figure) {
        others.push_back(&pool);
      }
    }
  }
  if (measured.empty()) {
    return "no row has this figure";
  }
  if (comparison.baseline != kBestBaseline) {
    return beside_baseline(comparison, others, has_baseline);
  }
  const std::string word = comparison.metric.is_speed() ? "fastest: " : "best: ";
  const std::string& first = name_of_pool(comparison, *measured[0]);
  if (measured.size() == 1) {
    return "measured by " + first + " alone";
  }
  const std::string doubt = doubt_words(comparison, *measured[0], *measured[1]);
  const std::string words = (doubt.empty() ? word : doubt) + first + ", " +
                            standing_words(comparison, *measured[0], *measured[1]);
  // If the runner-up is the same machine in another way, also name the next machine.
  const auto next = std::ranges::find_if(measured, [&](const Pool* pool) {
    return machine_of(comparison, *pool) != machine_of(comparison, *measured[0]);
  });
  return next == measured.end() || *next == measured[1]
             ? words
             : words + "; of other machines next, " +
                   doubt_words(comparison, *measured[0], **next) +
                   standing_words(comparison, *measured[0], **next);
}

} // namespace sdbench
