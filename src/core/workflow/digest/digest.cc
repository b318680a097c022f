#include "core/workflow/digest/digest.h"

#include <array>

#include <openssl/evp.h>

#include "base/assert.h"
#include "base/text.h"

namespace stoker {

std::optional<std::string> hex_digest(std::string_view algorithm, std::string_view bytes) {
  const EVP_MD* digest = nullptr;
  if (algorithm == "MD5") digest = EVP_md5();
  if (algorithm == "SHA-1") digest = EVP_sha1();
  if (algorithm == "SHA-256") digest = EVP_sha256();
  if (algorithm == "SHA-384") digest = EVP_sha384();
  if (algorithm == "SHA-512") digest = EVP_sha512();
  if (digest == nullptr) return std::nullopt;
  std::array<unsigned char, EVP_MAX_MD_SIZE> out{};
  unsigned int size = 0;
  const int ok = EVP_Digest(bytes.data(), bytes.size(), out.data(), &size, digest, nullptr);
  ASSERT(ok == 1, "a digest of the library failed");
  return to_hex({reinterpret_cast<const char*>(out.data()), size});
}

}  // namespace stoker
