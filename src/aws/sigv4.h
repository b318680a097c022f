#pragma once
// AWS Signature Version 4, both ways: signing requests of ours and checking those of our callers, by the same
// code. No clock: the time is an argument.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
#include <expected>
#include <map>
#include <string>
#include <string_view>

#include "aws/answer.h"
#include "base/result.h"
#include "base/time.h"
#include "net/http.h"

namespace stoker::aws {

// How far a signature's time may be from ours.
inline constexpr Duration kClockSkewMax = minutes(5);

struct Credentials {
  std::string access_key;
  std::string secret_key;
  std::string session_token;  // "" for none
};

struct Scope {
  std::string region;
  std::string service;
  bool operator==(const Scope&) const = default;
};

// The keys that may call us.
class AccessKeys {
 public:
  // Lines "KEY_ID SECRET", or the format of ~/.aws/credentials ([profile], aws_access_key_id = ..,
  // aws_secret_access_key = ..). '#' and ';' start comment lines. InvalidArgument names the line, never its
  // content.
  static Result<AccessKeys> parse(std::string_view text);
  // The same from a file. Refuses one that others than its owner can read, and an empty one.
  static Result<AccessKeys> load(const std::string& file);

  [[nodiscard]] const std::string* secret_of(std::string_view access_key) const;
  [[nodiscard]] bool empty() const { return keys_.empty(); }

 private:
  std::map<std::string, std::string, std::less<>> keys_;
};

struct Caller {
  std::string access_key;
  Scope scope;
};

// Checks the Authorization header of a request. Required: host and every x-amz-* header signed, X-Amz-Date
// within kClockSkewMax, the scope's date that of X-Amz-Date, the body that of X-Amz-Content-Sha256 where that
// header is sent (UNSIGNED-PAYLOAD is refused). The faults have the names and texts that SDKs know; comparing
// takes constant time. Signatures in the query are not accepted. The caller checks that the scope's service
// fits the operation.
std::expected<Caller, Fault> verify(const net::Request& request, const AccessKeys& keys, Instant now);

// Adds X-Amz-Date, X-Amz-Security-Token where there is a token, and Authorization over all headers of the
// request, which must have Host already. `with_body_hash` also adds X-Amz-Content-Sha256.
struct SignOptions {
  bool with_body_hash = false;
  // S3 signs the path as it is sent; all other services encode it once more.
  bool encode_path_again = true;
};
void sign(net::Request& request, const Credentials& credentials, const Scope& scope, Instant now,
          SignOptions options = {});

// The parts, for tests against published examples.
std::string canonical_request(const net::Request& request, const std::vector<std::string>& signed_headers,
                              std::string_view body_hash, bool encode_path_again = true);
std::string sha256_hex(std::string_view bytes);

}  // namespace stoker::aws
