#include "sdbench/base/files/sha256.h"

#include <array>
#include <fstream>
#include <ios>
#include <memory>
#include <vector>

#include <openssl/evp.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/escape.h"

namespace sdbench {
namespace {

void require(int is_done) {
  if (is_done != 1) {
    throw Error("SHA-256 must be provided by this machine's OpenSSL, but EVP_Digest refuses it; "
                "check its configuration (openssl dgst -sha256)");
  }
}

std::string hex_of(const std::array<unsigned char, EVP_MAX_MD_SIZE>& digest, unsigned size) {
  return hex_text({reinterpret_cast<const char*>(digest.data()), size});
}

} // namespace

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  require(EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr));
  return hex_of(digest, size);
}

std::string sha256_hex_of(const std::filesystem::path& file) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        &EVP_MD_CTX_free);
  require(context != nullptr ? EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) : 0);
  constexpr std::size_t kBlock = std::size_t{1} << 22;
  std::vector<char> block(kBlock);
  std::ifstream bytes(file, std::ios::binary);
  while (bytes) {
    bytes.read(block.data(), static_cast<std::streamsize>(block.size()));
    require(
        EVP_DigestUpdate(context.get(), block.data(), static_cast<std::size_t>(bytes.gcount())));
  }
  if (!bytes.eof()) {
    throw Error("cannot read " + file.string());
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  require(EVP_DigestFinal_ex(context.get(), digest.data(), &size));
  return hex_of(digest, size);
}

} // namespace sdbench
