// libFuzzer target: any bytes as a prompt, and any bytes as a vocabulary file.
// The first byte chooses; share/sdbench is found as by every program of the build tree (or
// SDBENCH_SHARE).
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include <sys/mman.h>
#include <unistd.h>

#include "sdbench/base/config/merge_list.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/engine/tokenizer/byte_pair_encoder.h"
#include "sdbench/engine/tokenizer/clip_tokenizer.h"

namespace {

using namespace sdbench;

ClipTokenizer make_tokenizer(std::int64_t pad_token_id, bool normalized) {
  TokenizerConfig config;
  config.pad_token_id = pad_token_id;
  config.bos_normalized = config.eos_normalized = config.pad_normalized = normalized;
  return ClipTokenizer(config);
}

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

/// Every id stands in the vocabulary, and the padded form has its fixed shape.
void encode_anything(const ClipTokenizer& tokenizer, std::string_view text) {
  for (const std::int64_t id : tokenizer.encode(text)) {
    require(id >= 0 && id < 49408);
  }
  const auto padded = tokenizer.encode_padded(text);
  require(padded.size() == 77 && padded.front() == 49406);
}

/// A file in memory that takes any content again and again.
std::filesystem::path memory_file(std::string_view content) {
  static const int descriptor = ::memfd_create("vocabulary", 0);
  require(::ftruncate(descriptor, 0) == 0);
  require(::pwrite(descriptor, content.data(), content.size(), 0) ==
          static_cast<ssize_t>(content.size()));
  return "/proc/self/fd/" + std::to_string(descriptor);
}

/// A vocabulary file is read or refused with an Error of one line; anything else escapes and fails
/// the run.
void read_anything(std::string_view content, MergeList (*read)(const std::filesystem::path&)) {
  try {
    const BytePairEncoder encoder(read(memory_file(content)));
  } catch (const Error& error) {
    require(std::string_view(error.what()).find('\n') == std::string_view::npos);
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ClipTokenizer first = make_tokenizer(49407, false);
  static const ClipTokenizer second = make_tokenizer(0, true);
  if (size == 0) {
    return 0;
  }
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 8) {
  case 0:
    read_anything(rest, read_merges_txt);
    break;
  case 1:
    read_anything(rest, read_tokenizer_json);
    break;
  default:
    encode_anything(data[0] % 2 == 0 ? first : second, rest);
  }
  return 0;
}
