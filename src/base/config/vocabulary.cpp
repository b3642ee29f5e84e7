#include "sdbench/base/config/vocabulary.h"

#include <string_view>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/utf8.h"

namespace sdbench {
namespace {

constexpr std::string_view kEndOfWord = "</w>";

/// Bytes that GPT-2's byte symbols show unchanged, read as Latin-1.
constexpr bool is_printable(std::uint32_t byte) {
  return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}

constexpr std::array<std::uint32_t, kByteCount> make_byte_ids() {
  std::array<std::uint32_t, kByteCount> ids{};
  std::uint32_t next = 0;
  for (const bool printable : {true, false}) {
    for (std::uint32_t byte = 0; byte < kByteCount; ++byte) {
      if (is_printable(byte) == printable) {
        ids[byte] = next++;
      }
    }
  }
  return ids;
}

constexpr std::array<std::uint32_t, kByteCount> kByteIds = make_byte_ids();

/// The 512 byte tokens, with their names in merges.
TokenIds byte_tokens() {
  TokenIds tokens;
  char32_t next_hidden = 0x100; // bytes without a printable form take U+0100 and up
  for (std::uint32_t byte = 0; byte < kByteCount; ++byte) {
    std::string symbol;
    append_utf8(symbol, is_printable(byte) ? static_cast<char32_t>(byte) : next_hidden++);
    tokens[symbol] = kByteIds[byte];
    tokens[symbol + std::string(kEndOfWord)] = kByteCount + kByteIds[byte];
  }
  return tokens;
}

} // namespace

const std::array<std::uint32_t, kByteCount>& byte_ids() {
  return kByteIds;
}

TokenIds clip_vocabulary(const MergeList& list) {
  TokenIds tokens = byte_tokens();
  for (std::size_t i = 0; i < list.merges.size(); ++i) {
    const auto& [left, right] = list.merges[i];
    const bool left_is_known = tokens.contains(left);
    if (!left_is_known || !tokens.contains(right)) {
      throw Error(list.place(i) + " must join two tokens of earlier lines, but has " +
                  in_quotes(left_is_known ? right : left) + "; is this CLIP's vocabulary?");
    }
    const auto id = static_cast<std::uint32_t>(kFirstMergedId + i);
    if (!tokens.emplace(left + right, id).second) {
      throw Error(list.place(i) + " must make a new token, but makes " + in_quotes(left + right) +
                  " again; is this CLIP's vocabulary?");
    }
  }
  for (const char* special : {"<|startoftext|>", "<|endoftext|>"}) {
    tokens.emplace(special, static_cast<std::uint32_t>(tokens.size()));
  }
  return tokens;
}

} // namespace sdbench
