#include "aws/sigv4.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace stoker::aws {
namespace {

constexpr Instant kVectorTime{1440938160000};  // 2015-08-30T12:36:00Z
const Credentials kVectorKeys{"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", ""};

std::string signature_in(const net::Request& request) {
  const std::string_view text = header(request, "authorization");
  return std::string(text.substr(text.find("Signature=") + 10));
}

struct Vector {
  std::string name;
  net::Request request;
  std::string signature;
};

// From the published test suite of Signature Version 4 (region us-east-1, service "service").
std::vector<Vector> vectors() {
  const net::Header host{"Host", "example.amazonaws.com"};
  return {
      {"get-vanilla",
       {"GET", "/", {host}, ""},
       "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
      {"get-vanilla-query-order-key-case",
       {"GET", "/?Param2=value2&Param1=value1", {host}, ""},
       "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"},
      {"get-vanilla-query-unreserved",
       {"GET",
        "/?-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz=-._~"
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        "abcdefghijklmnopqrstuvwxyz",
        {host},
        ""},
       "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"},
      {"get-relative-relative",
       {"GET", "/example1/example2/../..", {host}, ""},
       "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
      {"get-slashes",
       {"GET", "//example//", {host}, ""},
       "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84"},
      {"get-utf8",
       {"GET", "/\u1234", {host}, ""},
       "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"},
      {"get-header-value-trim",
       {"GET", "/", {host, {"My-Header1", " value1"}, {"My-Header2", " \"a   b   c\""}}, ""},
       "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"},
      {"get-header-value-order",
       {"GET",
        "/",
        {host,
         {"My-Header1", "value4"},
         {"My-Header1", "value1"},
         {"My-Header1", "value3"},
         {"My-Header1", "value2"}},
        ""},
       "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01"},
      {"post-vanilla",
       {"POST", "/", {host}, ""},
       "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"},
      {"post-x-www-form-urlencoded",
       {"POST", "/", {{"Content-Type", "application/x-www-form-urlencoded"}, host}, "Param1=value1"},
       "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"},
  };
}

TEST(Sigv4, PublishedVectorsGiveTheirSignatures) {
  for (Vector vector : vectors()) {
    sign(vector.request, kVectorKeys, {"us-east-1", "service"}, kVectorTime);
    EXPECT_EQ(signature_in(vector.request), vector.signature) << vector.name;
  }
}

TEST(Sigv4, TheDocumentedListUsersExampleGivesItsSignature) {
  net::Request request{
      "GET",
      "/?Action=ListUsers&Version=2010-05-08",
      {{"content-type", "application/x-www-form-urlencoded; charset=utf-8"}, {"host", "iam.amazonaws.com"}},
      ""};
  sign(request, kVectorKeys, {"us-east-1", "iam"}, kVectorTime);
  EXPECT_EQ(signature_in(request), "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7");
  EXPECT_TRUE(header(request, "authorization")
                  .starts_with("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, "
                               "SignedHeaders=content-type;host;x-amz-date, Signature="));
}

class Verify : public testing::Test {
 protected:
  static net::Request signed_request(SignOptions options = {}) {
    net::Request request{"POST",
                         "/v1/submitjob?b=2&a=1",
                         {{"Host", "127.0.0.1:7790"}, {"Content-Type", "application/json"}},
                         R"({"jobName":"x"})"};
    sign(request, {"ME", "secret", "a-token"}, {"eu-west-1", "batch"}, kVectorTime, options);
    return request;
  }
  std::string name_of_fault(const net::Request& request, Instant now = kVectorTime) {
    const auto result = verify(request, keys_, now);
    return result ? "" : result.error().name + ' ' + std::to_string(result.error().status);
  }
  static net::Header& field(net::Request& request, std::string_view name) {
    return *std::ranges::find(request.headers, name, &net::Header::name);
  }
  const AccessKeys keys_ = *AccessKeys::parse("ME secret\n");
};

TEST_F(Verify, ARequestSignedByTheSameKeyIsItsCaller) {
  for (const bool with_body_hash : {false, true}) {
    const auto caller = verify(signed_request({.with_body_hash = with_body_hash}), keys_, kVectorTime);
    ASSERT_TRUE(caller) << caller.error().message;
    EXPECT_EQ(caller->access_key, "ME");
    EXPECT_EQ(caller->scope, (Scope{"eu-west-1", "batch"}));
  }
}

TEST_F(Verify, AnyChangedPartIsNoticed) {
  const std::string kWrong = "InvalidSignatureException 403";
  net::Request request = signed_request();
  request.body += ' ';
  EXPECT_EQ(name_of_fault(request), kWrong);
  request = signed_request();
  request.target = "/v1/submitjob?b=2&a=2";
  EXPECT_EQ(name_of_fault(request), kWrong);
  request = signed_request();
  request.method = "PUT";
  EXPECT_EQ(name_of_fault(request), kWrong);
  request = signed_request();
  field(request, "Host").value = "elsewhere";
  EXPECT_EQ(name_of_fault(request), kWrong);
  request = signed_request();
  std::string& text = field(request, "Authorization").value;
  text.back() = text.back() == '0' ? '1' : '0';
  EXPECT_EQ(name_of_fault(request), kWrong);
  text.pop_back();
  EXPECT_EQ(name_of_fault(request), kWrong);
}

TEST_F(Verify, TheOrderOfTheQueryDoesNotMatter) {
  net::Request request = signed_request();
  request.target = "/v1/submitjob?a=1&b=2";
  EXPECT_EQ(name_of_fault(request), "");
}

TEST_F(Verify, TimesMoreThanFiveMinutesOffAreRefused) {
  EXPECT_EQ(name_of_fault(signed_request(), kVectorTime + minutes(5)), "");
  EXPECT_EQ(name_of_fault(signed_request(), kVectorTime - minutes(5)), "");
  const auto late = verify(signed_request(), keys_, kVectorTime + minutes(5) + seconds(1));
  ASSERT_FALSE(late);
  EXPECT_EQ(
      late.error().message,
      "Signature expired: 20150830T123600Z is now earlier than 20150830T123601Z (20150830T124101Z - 5 min.)");
  const auto early = verify(signed_request(), keys_, kVectorTime - minutes(6));
  ASSERT_FALSE(early);
  EXPECT_TRUE(early.error().message.starts_with("Signature not yet current: ")) << early.error().message;
}

TEST_F(Verify, UnknownKeysAndMissingPartsHaveTheirOwnNames) {
  net::Request request = signed_request();
  const AccessKeys others = *AccessKeys::parse("YOU secret");
  const auto result = verify(request, others, kVectorTime);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().name, "UnrecognizedClientException");
  field(request, "Authorization").value = "AWS4-HMAC-SHA256 Credential=ME/20150830/r/s/aws4_request";
  EXPECT_EQ(name_of_fault(request), "IncompleteSignatureException 400");
  field(request, "Authorization").value = "AWS4-HMAC-SHA256";
  EXPECT_EQ(name_of_fault(request), "IncompleteSignatureException 400");
  field(request, "Authorization").value = "Bearer x";
  EXPECT_EQ(name_of_fault(request), "IncompleteSignatureException 400");
  field(request, "Authorization").name = "Elsewhere";
  EXPECT_EQ(name_of_fault(request), "MissingAuthenticationTokenException 403");
  request.target += "&X-Amz-Signature=00";
  EXPECT_NE(verify(request, keys_, kVectorTime).error().message.find("query"), std::string::npos);
}

TEST_F(Verify, HostAndAmzHeadersMustBeSigned) {
  net::Request request = signed_request();
  request.headers.push_back({"X-Amz-Target", "AWSStepFunctions.StartExecution"});
  EXPECT_EQ(name_of_fault(request), "InvalidSignatureException 403");
  request = signed_request();
  std::string& text = field(request, "Authorization").value;
  text.replace(text.find("host;"), 5, "");
  EXPECT_EQ(name_of_fault(request), "InvalidSignatureException 403");
}

TEST_F(Verify, APayloadLeftUnsignedIsRefused) {
  net::Request request{"POST", "/", {{"Host", "h"}, {"X-Amz-Content-Sha256", "UNSIGNED-PAYLOAD"}}, "x"};
  sign(request, {"ME", "secret", ""}, {"r", "batch"}, kVectorTime);
  EXPECT_EQ(name_of_fault(request), "InvalidSignatureException 403");
}

TEST(AccessKeys, BothFormatsAreRead) {
  const auto keys = AccessKeys::parse(
      "# ours\nAK1 s1\nAK2\ts2/+=\n\n[team]\naws_access_key_id = AK3\nregion = eu-west-1\n"
      "aws_secret_access_key= s=3\n");
  ASSERT_TRUE(keys) << keys.error().message;
  EXPECT_EQ(*keys->secret_of("AK1"), "s1");
  EXPECT_EQ(*keys->secret_of("AK2"), "s2/+=");
  EXPECT_EQ(*keys->secret_of("AK3"), "s=3");
  EXPECT_EQ(keys->secret_of("AK4"), nullptr);
}

TEST(AccessKeys, BadLinesAreNamedByNumberOnly) {
  for (const std::string_view text :
       {"AK1", "AK1 a b", "[x]\naws_secret_access_key = s", "aws_access_key_id = a\n[y]"}) {
    const auto keys = AccessKeys::parse(text);
    ASSERT_FALSE(keys) << text;
    EXPECT_TRUE(keys.error().message.starts_with("access keys, line ")) << keys.error().message;
    EXPECT_EQ(keys.error().message.find("AK1"), std::string::npos);
  }
}

TEST(AccessKeys, FilesThatOthersCanReadAreRefused) {
  std::string name = testing::TempDir() + "keysXXXXXX";
  const int fd = mkstemp(name.data());
  ASSERT_GE(fd, 0);
  ASSERT_EQ(write(fd, "A b\n", 4), 4);
  ASSERT_EQ(fchmod(fd, 0640), 0);
  EXPECT_FALSE(AccessKeys::load(name));
  ASSERT_EQ(fchmod(fd, 0600), 0);
  EXPECT_TRUE(AccessKeys::load(name));
  ASSERT_EQ(ftruncate(fd, 0), 0);
  EXPECT_FALSE(AccessKeys::load(name)) << "a file without keys would lock everybody out";
  close(fd);
  unlink(name.c_str());
  EXPECT_EQ(AccessKeys::load(name).error().code, Code::Io);
}

}  // namespace
}  // namespace stoker::aws
