#include "tasks/http_task.h"

#include "tasks/fake_endpoint.h"
#include "tasks/url.h"

namespace stoker::tasks {
namespace {

const std::string kInvoke = "arn:aws:states:::http:invoke";

class HttpTaskTest : public testing::Test {
 protected:
  // The parameters of a call of this endpoint, with more members.
  std::string call(std::string_view method, std::string_view more = "") {
    return R"({"ApiEndpoint":")" + endpoint_.url() + R"(/v1/items?x=1","Method":")" + std::string(method) +
           "\"" + std::string(more) + "}";
  }

  FakeEndpoint endpoint_;
  Harness harness_{{.http = {.hosts = {endpoint_.address()}, .plain = true, .connections = connections()}}};

  // "shop" brings a header of each kind and more; "bank" wants a token, which the same endpoint gives.
  Connections connections() {
    return read_connections(
               R"([{"Name":"shop","AuthorizationType":"API_KEY","AuthParameters":{
        "ApiKeyAuthParameters":{"ApiKeyName":"Authorization","ApiKeyValue":"Bearer s3cret"},
        "InvocationHttpParameters":{"HeaderParameters":[{"Key":"X-Shop","Value":"yes","IsValueSecret":false}],
          "QueryStringParameters":[{"Key":"k e","Value":"v&"}],"BodyParameters":[{"Key":"store","Value":"9"}]}}},
      {"Name":"bank","AuthorizationType":"OAUTH_CLIENT_CREDENTIALS","AuthParameters":{"OAuthParameters":{
        "AuthorizationEndpoint":")" +
               endpoint_.url() +
               R"(/token?a=1","HttpMethod":"POST","ClientParameters":{"ClientID":"me","ClientSecret":"h1dden"},
        "OAuthHttpParameters":{"BodyParameters":[{"Key":"scope","Value":"all of it"}]}}}}])")
        .value();
  }
};

TEST_F(HttpTaskTest, CallsAnApi) {
  endpoint_.answer(
      {.status = 201,
       .headers = {{"Content-Type", "application/json; charset=utf-8"}, {"X-Two", "a"}, {"X-Two", "b"}},
       .body = R"({"id":5})"});
  const TaskResult result =
      harness_.run(kInvoke, call("POST", R"(,"Headers":{"X-Trace":"t 1","X-Many":["a",2]},
      "QueryParameters":{"q":"a b&c","n":[1,2]},"RequestBody":{"name":"ü"},
      "Authentication":{"ConnectionArn":"arn:aws:events:us-east-1:1:connection/shop/77"})"));
  EXPECT_EQ(endpoint_.requests().at(0).header("x-shop"), "yes");
  ASSERT_TRUE(result) << result.error().cause;
  EXPECT_EQ(result->at("StatusCode"), 201);
  EXPECT_EQ(result->at("StatusText"), "Created");
  EXPECT_EQ(json::write(result->at("ResponseBody")), R"({"id":5})");
  EXPECT_EQ(json::write(result->at("Headers").at("x-two")), R"(["a","b"])");

  const net::Request request = endpoint_.requests().at(0);
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.target, "/v1/items?x=1&q=a%20b%26c&n=1&n=2&k%20e=v%26");
  EXPECT_EQ(request.body, R"({"name":"ü","store":"9"})");
  EXPECT_EQ(request.header("content-type"), "application/json");
  EXPECT_EQ(request.header("x-trace"), "t 1");
  EXPECT_EQ(request.header("x-many"), "a,2");
  EXPECT_EQ(request.header("authorization"), "Bearer s3cret");
  EXPECT_EQ(request.header("host"), endpoint_.address());
  EXPECT_EQ(request.header("user-agent"), "stoker");
}

TEST_F(HttpTaskTest, SendsForms) {
  EXPECT_TRUE(harness_.run(kInvoke, call("PUT", R"(,"RequestBody":{"a":[1,"x y"],"b":{"c":true}},
      "Transform":{"RequestBodyEncoding":"URL_ENCODED","RequestEncodingOptions":{"ArrayFormat":"BRACKETS"}})")));
  EXPECT_EQ(endpoint_.requests().at(0).body, "a%5B%5D=1&a%5B%5D=x%20y&b%5Bc%5D=true");
  EXPECT_EQ(endpoint_.requests().at(0).header("content-type"), "application/x-www-form-urlencoded");
}

TEST_F(HttpTaskTest, WhatIsNoJsonIsAText) {
  endpoint_.answer({.headers = {{"Content-Type", "text/plain"}}, .body = "{}"});
  const TaskResult result = harness_.run(kInvoke, call("GET"));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->at("ResponseBody"), "{}");
}

TEST_F(HttpTaskTest, AStatusThatIsNoSuccessIsTheError) {
  endpoint_.answer({.status = 404, .body = R"({"message":"none"})"});
  EXPECT_EQ(harness_.text(kInvoke, call("GET")), R"(States.Http.StatusCode.404: {"message":"none"})");
}

TEST_F(HttpTaskTest, RedirectsAreNotFollowed) {
  endpoint_.answer({.status = 302, .headers = {{"Location", endpoint_.url() + "/elsewhere"}}});
  EXPECT_EQ(harness_.text(kInvoke, call("GET")), "States.Http.StatusCode.302: Found");
  EXPECT_EQ(endpoint_.requests().size(), 1U);
}

TEST_F(HttpTaskTest, AnAnswerThatIsTooLargeIsAnErrorOfItsOwn) {
  endpoint_.answer({.body = std::string(kAnswerBytesMax + 1, '1')});
  EXPECT_TRUE(
      harness_.text(kInvoke, call("GET")).starts_with("States.DataLimitExceeded: The state/task 'http' "));
}

TEST_F(HttpTaskTest, OnlyAllowedHostsAreCalled) {
  for (const std::string_view url : {"http://127.0.0.1:1/", "https://example.com/", "http://localhost/",
                                     "http://169.254.169.254/latest"}) {
    const std::string text =
        harness_.text(kInvoke, R"({"ApiEndpoint":")" + std::string(url) + R"(","Method":"GET"})");
    EXPECT_TRUE(text.starts_with("States.Permissions: This server may not call ")) << text;
  }
  EXPECT_TRUE(endpoint_.requests().empty());
}

TEST_F(HttpTaskTest, ConnectionsMustBeThere) {
  EXPECT_EQ(harness_.text(kInvoke, call("GET", R"(,"InvocationConfig":{"ConnectionArn":"other"})")),
            "States.Permissions: This server has no connection 'other'");
}

TEST_F(HttpTaskTest, ATokenIsFetchedKeptAndRenewedWhenItIsNotTaken) {
  const std::string named = R"(,"InvocationConfig":{"ConnectionArn":"arn:aws:events:r:1:connection/bank/7"})";
  endpoint_.answer({.headers = {{"Content-Type", "application/json"}},
                    .body = R"({"access_token":"t1","expires_in":600})"});
  endpoint_.answer({.body = "first"});
  endpoint_.answer({.body = "second"});
  endpoint_.answer({.status = 401});
  endpoint_.answer({.body = R"({"access_token":"t2"})"});
  endpoint_.answer({.body = "third"});
  for (const std::string text : {"first", "second", "third"}) {
    const TaskResult result = harness_.run(kInvoke, call("GET", named));
    ASSERT_TRUE(result) << result.error().cause;
    EXPECT_EQ(json::text(result->at("ResponseBody")), text);
  }
  const auto requests = endpoint_.requests();
  ASSERT_EQ(requests.size(), 6U);
  EXPECT_EQ(requests[0].target, "/token?a=1");
  EXPECT_EQ(requests[0].body, "grant_type=client_credentials&scope=all%20of%20it");
  EXPECT_EQ(requests[0].header("authorization"), "Basic bWU6aDFkZGVu");
  EXPECT_EQ(requests[1].header("authorization"), "Bearer t1");
  EXPECT_EQ(requests[2].header("authorization"), "Bearer t1");
  EXPECT_EQ(requests[3].header("authorization"), "Bearer t1");
  EXPECT_EQ(requests[4].target, "/token?a=1");
  EXPECT_EQ(requests[5].header("authorization"), "Bearer t2");
}

TEST_F(HttpTaskTest, WithoutATokenNothingIsCalledAndNothingIsTold) {
  endpoint_.answer({.status = 403, .body = "h1dden"});
  const std::string text =
      harness_.text(kInvoke, call("GET", R"(,"InvocationConfig":{"ConnectionArn":"bank"})"));
  EXPECT_EQ(text, "States.Http.Socket: The connection could not be authorized: " + endpoint_.address() +
                      " gave no token but status 403");
  EXPECT_EQ(endpoint_.requests().size(), 1U);
}

TEST_F(HttpTaskTest, ParametersAreChecked) {
  const auto faults = [&](const std::string& parameters) {
    const TaskResult result = harness_.run(kInvoke, parameters);
    if (result || !result.error().wrong_parameters) return std::string("none");
    const std::string& cause = result.error().cause;
    return cause.substr(cause.rfind('['));
  };
  const auto invalid = [](std::string_view name) {
    return "[The value of the field '" + std::string(name) + "' has an invalid format]";
  };
  EXPECT_EQ(faults("{}"),
            "[The field 'ApiEndpoint' is required but was missing, The field 'Method' is required but "
            "was missing]");
  EXPECT_EQ(faults(call("TRACE")), invalid("Method"));
  EXPECT_EQ(faults(R"({"ApiEndpoint":"file:///etc/passwd","Method":"GET"})"), invalid("ApiEndpoint"));
  EXPECT_EQ(faults(call("GET", R"(,"Headers":"x")")), invalid("Headers"));
  EXPECT_EQ(faults(call("GET", R"(,"Headers":{"Host":"x"})")), invalid("Headers"));
  EXPECT_EQ(faults(call("GET", R"(,"Headers":{"X-Forwarded-For":"x"})")), invalid("Headers"));
  EXPECT_EQ(faults(call("GET", R"(,"Headers":{"A":"x\r\nB: y"})")), invalid("Headers"));
  EXPECT_EQ(faults(call("GET", R"(,"Headers":{"A B":"x"})")), invalid("Headers"));
  EXPECT_EQ(faults(call("GET", R"(,"Transform":{"RequestBodyEncoding":"GZIP"})")), invalid("Transform"));
  EXPECT_EQ(faults(call("POST", R"(,"RequestBody":"x","Transform":{"RequestBodyEncoding":"URL_ENCODED"})")),
            invalid("RequestBody"));
  EXPECT_EQ(faults(call("GET", R"(,"Verify":false)")),
            "[The field 'Verify' is not supported by Step Functions]");
  EXPECT_TRUE(endpoint_.requests().empty());
}

TEST(HttpTask, PlainHttpHasToBeAllowed) {
  Harness harness({.http = {.hosts = {"*.example.com"}}});
  const TaskResult result =
      harness.run(kInvoke, R"({"ApiEndpoint":"http://api.example.com/","Method":"GET"})");
  ASSERT_FALSE(result);
  EXPECT_TRUE(result.error().wrong_parameters);
}

TEST(HttpTask, NobodyThereIsASocketError) {
  Harness harness({.http = {.hosts = {"127.0.0.1:1"}, .plain = true}});
  EXPECT_TRUE(harness.text(kInvoke, R"({"ApiEndpoint":"http://127.0.0.1:1/","Method":"POST"})")
                  .starts_with("States.Http.Socket: "));
}

TEST(HttpTask, HostsAreAllowedByName) {
  const std::vector<std::string> hosts = {"api.example.com", "10.0.0.1:8443", "*.Internal", "[::1]:80"};
  EXPECT_TRUE(is_allowed(hosts, "api.example.com", "443"));
  EXPECT_TRUE(is_allowed(hosts, "api.example.com", "80"));
  EXPECT_FALSE(is_allowed(hosts, "api.example.com", "8080"));
  EXPECT_FALSE(is_allowed(hosts, "example.com", "443"));
  EXPECT_FALSE(is_allowed(hosts, "xapi.example.com", "443"));
  EXPECT_TRUE(is_allowed(hosts, "10.0.0.1", "8443"));
  EXPECT_FALSE(is_allowed(hosts, "10.0.0.1", "443"));
  EXPECT_TRUE(is_allowed(hosts, "a.b.internal", "443"));
  EXPECT_FALSE(is_allowed(hosts, "internal", "443"));
  EXPECT_FALSE(is_allowed(hosts, ".internal", "443"));
  EXPECT_TRUE(is_allowed(hosts, "[::1]", "80"));
  EXPECT_FALSE(is_allowed({}, "api.example.com", "443"));
}

TEST(HttpTask, FormsHaveArraysInFiveWays) {
  const json::Value value = json::parse(R"({"a":["x",1],"b":"y"})").value();
  EXPECT_EQ(url_encode(value, ArrayFormat::Indices), "a%5B0%5D=x&a%5B1%5D=1&b=y");
  EXPECT_EQ(url_encode(value, ArrayFormat::Brackets), "a%5B%5D=x&a%5B%5D=1&b=y");
  EXPECT_EQ(url_encode(value, ArrayFormat::Repeat), "a=x&a=1&b=y");
  EXPECT_EQ(url_encode(value, ArrayFormat::Commas), "a=x%2C1&b=y");
  EXPECT_EQ(url_encode(value, ArrayFormat::None), "a=%5B%22x%22%2C1%5D&b=y");
  EXPECT_EQ(read_array_format("OTHER"), std::nullopt);
}

TEST(Url, IsReadStrictly) {
  const auto parts = [](std::string_view text) {
    const auto url = parse_url(text);
    return url ? origin_of(*url) + " " + url->target : std::string("none");
  };
  EXPECT_EQ(parts("https://Example.COM"), "https://example.com /");
  EXPECT_EQ(parts("https://example.com?a=1#f"), "https://example.com /?a=1");
  EXPECT_EQ(parts("http://example.com:8080/a/b%20c?d"), "http://example.com:8080 /a/b%20c?d");
  EXPECT_EQ(parts("http://[::1]:80/x"), "http://[::1]:80 /x");
  EXPECT_EQ(parts("http://[::1]"), "http://[::1] /");
  for (const std::string_view text :
       {"", "example.com", "ftp://example.com", "https://", "https:///x", "http://user@example.com/",
        "http://example.com:/", "http://example.com:0/", "http://example.com:99999/",
        "http://example.com:8x/", "http://a b/", "http://a/\n", "http://a:1:2/", "http://example.com\\@evil/",
        "http://ex%61mple.com/", "http://[::1/", "http://::1]/", "http://[::1]x/"})
    EXPECT_EQ(parts(text), "none") << text;
}

}  // namespace
}  // namespace stoker::tasks
