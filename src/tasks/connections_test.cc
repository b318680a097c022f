#include "tasks/connections.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "rt/file.h"

namespace stoker::tasks {
namespace {

TEST(Connections, AreReadInTheShapeOfEventBridge) {
  const auto read = read_connections(R"({"Connections":[
    {"Name":"key","AuthorizationType":"API_KEY","AuthParameters":{"ApiKeyAuthParameters":{"ApiKeyName":"X-Key","ApiKeyValue":"v"}}},
    {"Name":"basic","AuthorizationType":"BASIC","AuthParameters":{"BasicAuthParameters":{"Username":"me","Password":"p:w"}}}]})");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->at("key").parts.headers, (std::vector<net::Header>{{"X-Key", "v"}}));
  EXPECT_EQ(read->at("basic").parts.headers, (std::vector<net::Header>{{"Authorization", "Basic bWU6cDp3"}}));
  EXPECT_EQ(find_connection(*read, "arn:aws:events:r:1:connection/key/8f"), &read->at("key"));
  EXPECT_EQ(find_connection(*read, "basic"), &read->at("basic"));
  EXPECT_EQ(find_connection(*read, "arn:aws:events:r:1:connection/none/8f"), nullptr);
  EXPECT_EQ(find_connection(*read, "none"), nullptr);
}

TEST(Connections, FaultsNameThePlaceAndNoSecret) {
  struct Row {
    const char* text;
    const char* fault;
  };
  for (
      const Row& row : std::initializer_list<Row>{
          {"{", "JSON: incomplete JSON at byte 1"},
          {"{}", "must be a list of connections, or an object with one as \"Connections\""},
          {"[{}]", "each connection needs a Name, without a slash"},
          {R"([{"Name":"a/b"}])", "each connection needs a Name, without a slash"},
          {R"([{"Name":"a"}])", "connection \"a\": AuthorizationType must be a text"},
          {R"([{"Name":"a","AuthorizationType":"NONE","AuthParameters":{}}])",
           "connection \"a\": AuthorizationType is API_KEY, BASIC or OAUTH_CLIENT_CREDENTIALS"},
          {R"([{"Name":"a","AuthorizationType":"API_KEY","AuthParameters":{"ApiKeyAuthParameters":{"ApiKeyName":"X"}}}])",
           "connection \"a\": ApiKeyValue must be a text"},
          {R"([{"Name":"a","AuthorizationType":"API_KEY","AuthParameters":{"ApiKeyAuthParameters":{"ApiKeyName":"X","ApiKeyValue":"s\nX-Evil: 1"}}}])",
           "connection \"a\": a header has characters that no header may have"},
          {R"([{"Name":"a","AuthorizationType":"OAUTH_CLIENT_CREDENTIALS","AuthParameters":{"OAuthParameters":{"AuthorizationEndpoint":"ftp://x",
               "ClientParameters":{"ClientID":"i","ClientSecret":"s"}}}}])",
           "connection \"a\": AuthorizationEndpoint must be a URL"}}) {
    const auto read = read_connections(row.text);
    ASSERT_FALSE(read) << row.text;
    EXPECT_EQ(read.error().message, row.fault);
  }
  const std::string one =
      R"({"Name":"a","AuthorizationType":"API_KEY","AuthParameters":{"ApiKeyAuthParameters":{"ApiKeyName":"X","ApiKeyValue":"v"}}})";
  EXPECT_EQ(read_connections("[" + one + "," + one + "]").error().message, "connection \"a\" stands twice");
}

TEST(Connections, TheFileIsForItsOwnerOnly) {
  const std::string folder = rt::make_temporary_directory("/tmp/stoker-connections-").value();
  const std::string file = folder + "/connections.json";
  ASSERT_TRUE(rt::write_file_atomically(file, "[]", {.mode = 0600, .durable = false}));
  EXPECT_TRUE(load_connections(file));
  ASSERT_EQ(chmod(file.c_str(), 0640), 0);
  EXPECT_EQ(load_connections(file).error().message,
            file + " has secrets and may be read by others: chmod 600 " + file);
  EXPECT_FALSE(load_connections(folder + "/none"));
  (void)rt::remove_tree(folder);
}

TEST(TokenCache, TokensLiveUntilTheirEndOrUntilTheyAreRefused) {
  TokenCache cache;
  cache.put("a", "t1", Instant{1000});
  EXPECT_EQ(cache.get("a", Instant{999}), "t1");
  EXPECT_EQ(cache.get("a", Instant{1000}), std::nullopt);
  EXPECT_EQ(cache.get("b", Instant{0}), std::nullopt);
  cache.drop("a", "another");
  EXPECT_EQ(cache.get("a", Instant{0}), "t1");
  cache.drop("a", "t1");
  EXPECT_EQ(cache.get("a", Instant{0}), std::nullopt);
}

}  // namespace
}  // namespace stoker::tasks
