#include "aws/sigv4.h"

// The plain SHA-256 calls, which OpenSSL 3 would rather see replaced: its new ones look up the algorithm on
// every call, which costs ten times as much as hashing the few bytes of a key.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/sha.h>

#include "base/assert.h"
#include "base/text.h"

namespace stoker::aws {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";
constexpr std::string_view kScopeEnd = "aws4_request";
constexpr std::size_t kStampSize = 16;  // 20150830T123600Z
constexpr std::size_t kDateSize = 8;
constexpr std::size_t kSignedHeadersMax = 64;

std::string_view as_text(const unsigned char* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

using Digest = std::array<unsigned char, SHA256_DIGEST_LENGTH>;

std::string_view as_text(const Digest& digest) {
  return as_text(digest.data(), digest.size());
}

Digest sha256(std::string_view first, std::string_view second = {}) {
  Digest out;
  SHA256_CTX context;
  SHA256_Init(&context);
  SHA256_Update(&context, first.data(), first.size());
  SHA256_Update(&context, second.data(), second.size());
  SHA256_Final(out.data(), &context);
  return out;
}

// RFC 2104.
Digest hmac(std::string_view key, std::string_view text) {
  Digest short_key;
  if (key.size() > SHA256_CBLOCK) {
    short_key = sha256(key);
    key = as_text(short_key);
  }
  std::array<char, SHA256_CBLOCK> inner, outer;
  for (std::size_t i = 0; i < inner.size(); ++i) {
    const char c = i < key.size() ? key[i] : '\0';
    inner[i] = static_cast<char>(c ^ 0x36);
    outer[i] = static_cast<char>(c ^ 0x5c);
  }
  const Digest hash = sha256({inner.data(), inner.size()}, text);
  return sha256({outer.data(), outer.size()}, as_text(hash));
}

std::string stamp_of(Instant at) {
  std::string out;
  for (const char c : iso_time(at.ms)) {
    if (c != '-' && c != ':') out += c;
  }
  return out;
}

// Dot segments resolved and repeated slashes removed, as AWS asks for all services but S3.
std::string normal_path(std::string_view path) {
  std::vector<std::string_view> kept;
  for (const std::string_view segment : split(path, '/')) {
    if (segment.empty() || segment == ".") continue;
    if (segment != "..") {
      kept.push_back(segment);
    } else if (!kept.empty()) {
      kept.pop_back();
    }
  }
  std::string out;
  for (const std::string_view segment : kept) out.append("/").append(segment);
  if (out.empty() || path.ends_with('/')) out += '/';
  return out;
}

std::string encoded_again(std::string_view text) {
  return percent_encode(percent_decode(text).value_or(std::string(text)));
}

std::string canonical_query(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string_view pair : split(query, '&')) {
    if (pair.empty()) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    pairs.emplace_back(encoded_again(pair.substr(0, equals)),
                       encoded_again(pair.substr(std::min(equals + 1, pair.size()))));
  }
  std::ranges::sort(pairs);
  std::string out;
  for (const auto& [key, value] : pairs) {
    if (!out.empty()) out += '&';
    out.append(key).append("=").append(value);
  }
  return out;
}

// Appends a header value without outer blanks and with runs of blanks inside made one.
void append_header_value(std::string& out, std::string_view value) {
  value = trim(value);
  bool blank = false;
  for (const char c : value) {
    const bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!is_blank) {
      if (blank) out += ' ';
      out += c;
    }
    blank = is_blank;
  }
}

std::string scope_text(std::string_view date, const Scope& scope) {
  return std::string(date) + '/' + scope.region + '/' + scope.service + '/' + std::string(kScopeEnd);
}

std::string signature_of(std::string_view secret, std::string_view stamp, const Scope& scope,
                         std::string_view canonical) {
  const std::string_view date = stamp.substr(0, kDateSize);
  std::string to_sign(kAlgorithm);
  to_sign.append("\n").append(stamp).append("\n").append(scope_text(date, scope)).append("\n");
  to_sign += sha256_hex(canonical);
  Digest key = hmac("AWS4" + std::string(secret), date);
  key = hmac(as_text(key), scope.region);
  key = hmac(as_text(key), scope.service);
  key = hmac(as_text(key), kScopeEnd);
  return to_hex(as_text(hmac(as_text(key), to_sign)));
}

// What the Authorization header says.
struct Claim {
  std::string_view access_key;
  std::string_view date;
  Scope scope;
  std::vector<std::string> signed_headers;
  std::string_view signature;
};

Fault incomplete(std::string message) {
  return {"IncompleteSignatureException", 400, std::move(message)};
}
Fault invalid(std::string message) {
  return {"InvalidSignatureException", 403, std::move(message)};
}

std::expected<Claim, Fault> read_claim(std::string_view text) {
  text.remove_prefix(kAlgorithm.size());
  std::string_view credential, headers, signature;
  for (const std::string_view part : split(text, ',')) {
    const std::string_view field = trim(part);
    const std::size_t equals = std::min(field.find('='), field.size());
    const std::string_view name = field.substr(0, equals);
    const std::string_view value = field.substr(std::min(equals + 1, field.size()));
    if (name == "Credential") credential = value;
    if (name == "SignedHeaders") headers = value;
    if (name == "Signature") signature = value;
  }
  std::string missing;
  if (credential.empty()) missing += "Authorization header requires 'Credential' parameter. ";
  if (signature.empty()) missing += "Authorization header requires 'Signature' parameter. ";
  if (headers.empty()) missing += "Authorization header requires 'SignedHeaders' parameter. ";
  if (!missing.empty()) return std::unexpected(incomplete(std::string(trim(missing))));

  const auto parts = split(credential, '/');
  if (parts.size() != 5 || parts[4] != kScopeEnd || std::ranges::any_of(parts, &std::string_view::empty)) {
    return std::unexpected(
        incomplete("Credential must have exactly 5 slash-delimited elements, e.g. "
                   "keyid/date/region/service/aws4_request"));
  }
  Claim claim{.access_key = parts[0],
              .date = parts[1],
              .scope = {std::string(parts[2]), std::string(parts[3])},
              .signed_headers = {},
              .signature = signature};
  for (const std::string_view name : split(headers, ';')) claim.signed_headers.push_back(to_lower(name));
  if (claim.signed_headers.size() > kSignedHeadersMax)
    return std::unexpected(incomplete("Too many signed headers"));
  return claim;
}

// The time in X-Amz-Date, in milliseconds.
std::optional<Instant> read_stamp(std::string_view stamp) {
  if (stamp.size() != kStampSize || stamp[8] != 'T' || stamp[15] != 'Z') return std::nullopt;
  for (std::size_t i = 0; i < 15; ++i) {
    if (i != 8 && (stamp[i] < '0' || stamp[i] > '9')) return std::nullopt;
  }
  const auto number = [&](std::size_t at, std::size_t size) { return *parse_int(stamp.substr(at, size)); };
  const std::int64_t month = number(4, 2), day = number(6, 2);
  if (month < 1 || month > 12 || day < 1 || day > 31) return std::nullopt;
  // Days since 1970 of a civil date, with the year starting in March.
  const std::int64_t year = number(0, 4) - (month <= 2 ? 1 : 0);
  const std::int64_t era = year / 400, year_of_era = year - era * 400;
  const std::int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const std::int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  const std::int64_t days_since = era * 146097 + day_of_era - 719468;
  return Instant{} + days(days_since) + hours(number(9, 2)) + minutes(number(11, 2)) + seconds(number(13, 2));
}

std::expected<void, Fault> check_time(std::string_view stamp, Instant now) {
  const auto at = read_stamp(stamp);
  if (!at)
    return std::unexpected(incomplete("Date must be in ISO-8601 'basic format' in the header X-Amz-Date"));
  const std::string text(stamp), now_text = stamp_of(now);
  if (*at < now - kClockSkewMax) {
    return std::unexpected(invalid("Signature expired: " + text + " is now earlier than " +
                                   stamp_of(now - kClockSkewMax) + " (" + now_text + " - 5 min.)"));
  }
  if (*at > now + kClockSkewMax) {
    return std::unexpected(invalid("Signature not yet current: " + text + " is still later than " +
                                   stamp_of(now + kClockSkewMax) + " (" + now_text + " + 5 min.)"));
  }
  return {};
}

// host and every x-amz-* header must be under the signature, or they could be changed on the way.
std::expected<void, Fault> check_signed_headers(const net::Request& request, const Claim& claim) {
  const auto is_signed = [&](const std::string& name) {
    return std::ranges::find(claim.signed_headers, name) != claim.signed_headers.end();
  };
  if (!is_signed("host")) {
    return std::unexpected(
        invalid("'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization."));
  }
  for (const net::Header& field : request.headers) {
    constexpr std::string_view kPrefix = "x-amz-";
    if (field.name.size() < kPrefix.size() ||
        !equal_ignoring_case(std::string_view(field.name).substr(0, kPrefix.size()), kPrefix)) {
      continue;
    }
    const std::string name = to_lower(field.name);
    if (!is_signed(name))
      return std::unexpected(
          invalid("'" + to_valid_utf8(name) + "' must be a 'SignedHeader' in the AWS Authorization."));
  }
  return {};
}

bool same_in_constant_time(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  return to_hex(as_text(sha256(bytes)));
}

std::string canonical_request(const net::Request& request, const std::vector<std::string>& signed_headers,
                              std::string_view body_hash, bool encode_path_again) {
  const std::string_view target = request.target;
  const std::string_view path = target.substr(0, target.find('?'));
  std::string out = request.method + '\n';
  out += encode_path_again ? percent_encode(normal_path(path), true) : std::string(path);
  out += '\n';
  if (path.size() < target.size()) out += canonical_query(target.substr(path.size() + 1));
  out += '\n';
  for (const std::string& name : signed_headers) {
    out.append(name).append(":");
    bool first = true;
    for (const net::Header& field : request.headers) {
      if (!equal_ignoring_case(field.name, name)) continue;
      if (!first) out += ',';
      append_header_value(out, field.value);
      first = false;
    }
    out += '\n';
  }
  out += '\n';
  out.append(join(signed_headers, ";")).append("\n").append(body_hash);
  return out;
}

std::expected<Caller, Fault> verify(const net::Request& request, const AccessKeys& keys, Instant now) {
  const std::string_view authorization = header(request, "authorization");
  if (authorization.empty()) {
    const bool in_query = request.target.find("X-Amz-Signature=") != std::string::npos;
    return std::unexpected(Fault{"MissingAuthenticationTokenException", 403,
                                 in_query ? "Signatures in the query are not supported; sign with a header"
                                          : "Missing Authentication Token"});
  }
  if (!authorization.starts_with(kAlgorithm)) {
    return std::unexpected(incomplete("Authorization must use " + std::string(kAlgorithm)));
  }
  auto claim = read_claim(authorization);
  if (!claim) return std::unexpected(std::move(claim.error()));

  const std::string_view stamp = header(request, "x-amz-date");
  if (auto timely = check_time(stamp, now); !timely) return std::unexpected(std::move(timely.error()));
  if (claim->date != stamp.substr(0, kDateSize)) {
    return std::unexpected(
        invalid("Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date "
                "from HTTP"));
  }
  const std::string* secret = keys.secret_of(claim->access_key);
  if (secret == nullptr) {
    return std::unexpected(
        Fault{"UnrecognizedClientException", 403, "The security token included in the request is invalid."});
  }
  if (auto covered = check_signed_headers(request, *claim); !covered) {
    return std::unexpected(std::move(covered.error()));
  }
  const std::string body_hash = sha256_hex(request.body);
  const std::string_view sent_hash = header(request, "x-amz-content-sha256");
  if (!sent_hash.empty() && !same_in_constant_time(sent_hash, body_hash)) {
    return std::unexpected(invalid("The value of X-Amz-Content-Sha256 is not the hash of the body"));
  }
  const std::string expected = signature_of(*secret, stamp, claim->scope,
                                            canonical_request(request, claim->signed_headers, body_hash));
  if (!same_in_constant_time(expected, claim->signature)) {
    return std::unexpected(
        invalid("The request signature we calculated does not match the signature you provided. "
                "Check your AWS Secret Access Key and signing method. Consult the service "
                "documentation for details."));
  }
  return Caller{std::string(claim->access_key), std::move(claim->scope)};
}

void sign(net::Request& request, const Credentials& credentials, const Scope& scope, Instant now,
          SignOptions options) {
  const std::string stamp = stamp_of(now);
  const std::string body_hash = sha256_hex(request.body);
  request.headers.push_back({"X-Amz-Date", stamp});
  if (!credentials.session_token.empty()) {
    request.headers.push_back({"X-Amz-Security-Token", credentials.session_token});
  }
  if (options.with_body_hash) request.headers.push_back({"X-Amz-Content-Sha256", body_hash});
  std::vector<std::string> names;
  for (const net::Header& field : request.headers) names.push_back(to_lower(field.name));
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const std::string signature =
      signature_of(credentials.secret_key, stamp, scope,
                   canonical_request(request, names, body_hash, options.encode_path_again));
  request.headers.push_back(
      {"Authorization", std::string(kAlgorithm) + " Credential=" + credentials.access_key + '/' +
                            scope_text(std::string_view(stamp).substr(0, kDateSize), scope) +
                            ", SignedHeaders=" + join(names, ";") + ", Signature=" + signature});
}

}  // namespace stoker::aws
