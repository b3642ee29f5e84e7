#include "sdbench/base/plan/memory_advice.h"

#include <span>
#include <string_view>
#include <vector>

#include "sdbench/base/config/run_options.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {
namespace {

/// An option that saves memory, and its words in the advice.
struct Saving {
  std::string_view option;
  std::string_view words;
};

constexpr Saving kSmaller[] = {{"size", "--size"}, {"batch", "--batch"}, {"images", "--images"}};
constexpr Saving kOther[] = {{"dtype", "--dtype bf16 or fp16"},
                             {"attention", "another --attention than math"},
                             {"offload", "--offload stages"},
                             {"vae-tiling", "--vae-tiling"}};

std::vector<std::string> words_of(Task task, std::span<const Saving> savings) {
  std::vector<std::string> words;
  for (const Saving& saving : savings) {
    if (has_option(task, *find_run_option(saving.option))) {
      words.emplace_back(saving.words);
    }
  }
  return words;
}

} // namespace

std::string memory_advice(Task task) {
  std::vector<std::string> smaller = words_of(task, kSmaller);
  smaller.insert(smaller.begin(), "model");
  const std::vector<std::string> other = words_of(task, kOther);
  return "use a smaller " + listed(smaller, "or") + (other.size() == 1 ? ", or " : ", ") +
         listed(other, "or");
}

} // namespace sdbench
