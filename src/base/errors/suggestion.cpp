#include "sdbench/base/errors/suggestion.h"

#include <algorithm>
#include <utility>

#include "sdbench/base/text/utf8.h"

namespace sdbench {
namespace {

/// Words of other programs, and our words for them.
struct OtherWord {
  std::string_view theirs;
  std::string_view ours;
};
constexpr OtherWord kOtherWords[] = {
    {"-V", "--version"},
    {"version", "--version"},
    {"help", "--help"},
    {"--num-inference-steps", "--steps"},
    {"--cfg-scale", "--guidance"},
    {"--cfg", "--guidance"},
    {"--num-images", "--images"},
    {"--resolution", "--size"},
    {"--precision", "--dtype"},
    {"--ckpt", "--weights"},
    {"--ckpt-path", "--weights"},
    {"--model-path", "--weights"},
    {"--runs", "--repeat"},
    {"--repetitions", "--repeat"},
    {"--min-runs", "--repeat"},
    {"--n-samples", "--images"},
    {"--num-images-per-prompt", "--images"},
    {"--no-half", "--dtype"},
    {"--use-karras", "--karras"},
    {"--enable-vae-tiling", "--vae-tiling"},
    {"--enable-model-cpu-offload", "--offload"},
    {"--medvram", "--offload"},
    {"--lowvram", "--offload"},
    {"--neg-prompt", "--negative-prompt"},
    {"--json", "--format"},
    {"--csv", "--format"},
    {"--bs", "--batch"},
    {"--sampler", "--scheduler"},
    {"--half", "--dtype"},
    {"--fp16", "--dtype"},
    {"--bf16", "--dtype"},
    {"--fp32", "--dtype"},
    {"--cpu", "--device"},
    {"--gpu", "--device"},
    {"--cuda", "--device"},
    {"gpu", "cuda"},
    {"half", "fp16"},
    {"float16", "fp16"},
    {"bfloat16", "bf16"},
    {"float", "fp32"},
    {"float32", "fp32"},
    {"full", "fp32"},
};

/// In our spelling: "--batch_size" and "--Batch-Size" become "--batch-size".
std::string in_our_form(std::string_view word) {
  std::string formed = in_small_letters(std::string(word));
  std::ranges::replace(formed, '_', '-');
  return formed;
}

std::string name_of_other(std::string_view word, std::span<const std::string> known) {
  for (const OtherWord& other : kOtherWords) {
    if (other.theirs == word && std::ranges::find(known, other.ours) != known.end()) {
      return std::string(other.ours);
    }
  }
  return {};
}

/// True if one option switches off what the other may switch on.
bool are_opposite(std::string_view word, std::string_view name) {
  constexpr std::string_view kNo = "--no-";
  return word.starts_with(kNo) != name.starts_with(kNo) && word.starts_with("--") &&
         name.starts_with("--");
}

/// "--batch-size" begins with "--batch".
bool begins_with_name(std::string_view word, const std::string& name) {
  return word.starts_with(name) && word.substr(name.size()).starts_with('-');
}

} // namespace

std::string likely_name(std::string_view word, std::span<const std::string> known) {
  // Names are short, and so are mistakes: a kilobyte of text is no mistyped "steps".
  constexpr std::size_t kLongestWord = 64;
  if (word.size() > kLongestWord) {
    return {};
  }
  if (std::string name = name_of_other(word, known); !name.empty()) { // -V is not a mistyped -v
    return name;
  }
  const std::string formed = in_our_form(word);
  if (std::string name = name_of_other(formed, known); !name.empty()) {
    return name;
  }
  word = formed;
  constexpr std::size_t kShortWord = 3; // two wrong letters of three are no mistake
  const std::size_t most_slips =
      word.size() <= kShortWord ? 1 : std::max<std::size_t>(2, word.size() / 3);
  std::string best;
  std::size_t best_distance = most_slips + 1;
  for (const std::string& name : known) {
    if (are_opposite(word, name)) {
      continue;
    }
    const bool is_prefix =
        (word.size() >= 3 && name.starts_with(word)) || begins_with_name(word, name);
    const std::size_t distance = is_prefix ? 1 : edit_distance(word, name);
    if (distance < best_distance && distance < name.size()) {
      best = name;
      best_distance = distance;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
  const std::string name = likely_name(word, known);
  return name.empty() ? std::string() : "; did you mean " + name + "?";
}

std::size_t edit_distance(std::string_view from, std::string_view to) {
  // Three rows of the usual table are enough: this one, the one above, and for swaps the one above
  // that.
  std::vector<std::size_t> before(to.size() + 1);
  std::vector<std::size_t> above(to.size() + 1);
  std::vector<std::size_t> row(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) {
    row[j] = j;
  }
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::swap(before, above);
    std::swap(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[to.size()];
}

std::vector<std::string> nearest_first(std::string_view name, std::vector<std::string> candidates) {
  // A user's text may be a whole wrong argument. Longer texts are not compared.
  constexpr std::size_t kMaxCompared = 256;
  const std::string_view start = name.substr(0, kMaxCompared);
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](const std::string& left, const std::string& right) {
                     return edit_distance(start, left) < edit_distance(start, right);
                   });
  return candidates;
}

} // namespace sdbench
