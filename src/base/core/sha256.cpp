#include "sdbench/base/core/sha256.h"

#include <array>

#include <openssl/evp.h>

#include "sdbench/base/core/error.h"

namespace sdbench {

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) {
    throw Error("SHA-256 must be provided by this machine's OpenSSL, but EVP_Digest refuses it; "
                "check its configuration (openssl dgst -sha256)");
  }
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  hex.reserve(std::size_t{2} * size);
  for (unsigned int i = 0; i < size; ++i) {
    hex += kDigits[digest[i] >> 4];
    hex += kDigits[digest[i] & 15];
  }
  return hex;
}

} // namespace sdbench
