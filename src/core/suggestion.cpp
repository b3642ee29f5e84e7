#include "sdbench/core/suggestion.h"

#include <algorithm>

#include "sdbench/core/nearest.h"

namespace sdbench {
namespace {

/// Words of other programs, and what they are called here.
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
    {"gpu", "cuda"},
    {"half", "fp16"},
    {"float16", "fp16"},
    {"bfloat16", "bf16"},
    {"float", "fp32"},
    {"float32", "fp32"},
    {"full", "fp32"},
};

std::string name_of_other(std::string_view word, std::span<const std::string> known) {
  for (const OtherWord& other : kOtherWords) {
    if (other.theirs == word && std::ranges::find(known, other.ours) != known.end()) {
      return std::string(other.ours);
    }
  }
  return {};
}

/// "--batch-size" begins with "--batch".
bool begins_with_name(std::string_view word, const std::string& name) {
  return word.starts_with(name) && word.substr(name.size()).starts_with('-');
}

} // namespace

std::string likely_name(std::string_view word, std::span<const std::string> known) {
  // Names are short, and so are slips: nobody means "steps" with a kilobyte of text.
  constexpr std::size_t kLongestWord = 64;
  if (word.size() > kLongestWord) {
    return {};
  }
  if (std::string name = name_of_other(word, known); !name.empty()) {
    return name;
  }
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& name : known) {
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

} // namespace sdbench
