#include "tasks/connections.h"

#include <algorithm>

#include <fcntl.h>
#include <sys/stat.h>

#include "base/text.h"
#include "json/json.h"
#include "rt/file.h"
#include "tasks/url.h"

namespace stoker::tasks {
namespace {

constexpr std::size_t kFileBytesMax = 1u << 20;

// Reads one connection; the first fault is kept.
class Reader {
 public:
  Reader(std::string name, const json::Value& value) : name_(std::move(name)), value_(value) {}

  Result<Connection> read() {
    const std::string type = text(value_, "AuthorizationType");
    const json::Value& auth = object(value_, "AuthParameters");
    Connection out;
    if (find(auth, "InvocationHttpParameters")) out.parts = parts(object(auth, "InvocationHttpParameters"));
    if (type == "API_KEY") {
      const json::Value& key = object(auth, "ApiKeyAuthParameters");
      add_header(out.parts, text(key, "ApiKeyName"), text(key, "ApiKeyValue"));
    } else if (type == "BASIC") {
      const json::Value& basic = object(auth, "BasicAuthParameters");
      add_header(out.parts, "Authorization",
                 "Basic " + base64_encode(text(basic, "Username") + ":" + text(basic, "Password")));
    } else if (type == "OAUTH_CLIENT_CREDENTIALS") {
      out.oauth = oauth(object(auth, "OAuthParameters"));
    } else {
      fault("AuthorizationType is API_KEY, BASIC or OAUTH_CLIENT_CREDENTIALS");
    }
    if (!fault_.empty()) return fail(Code::InvalidArgument, "connection \"" + name_ + "\": " + fault_);
    return out;
  }

 private:
  void fault(std::string what) {
    if (fault_.empty()) fault_ = std::move(what);
  }
  static bool find(const json::Value& of, std::string_view member) {
    return json::find(of, member) != nullptr;
  }
  std::string text(const json::Value& of, std::string_view member) {
    const json::Value* found = json::find(of, member);
    if (found == nullptr || !found->is_string()) {
      fault(std::string(member) + " must be a text");
      return {};
    }
    return std::string(json::text(*found));
  }
  const json::Value& object(const json::Value& of, std::string_view member) {
    static const json::Value kNone = json::Object();
    const json::Value* found = json::find(of, member);
    if (found != nullptr && found->is_object()) return *found;
    fault(std::string(member) + " must be an object");
    return kNone;
  }
  void add_header(HttpParts& to, std::string name, std::string value) {
    const auto bad = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 127; };
    const bool token =
        !name.empty() && std::ranges::all_of(name, [](char c) { return c > ' ' && c < 127 && c != ':'; });
    if (!token || std::ranges::any_of(value, bad))
      return fault("a header has characters that no header may have");
    to.headers.push_back({std::move(name), std::move(value)});
  }
  Pairs pairs(const json::Value& of, std::string_view member) {
    Pairs out;
    for (const json::Value& one : json::get_array(of, member))
      out.emplace_back(text(one, "Key"), text(one, "Value"));
    return out;
  }
  HttpParts parts(const json::Value& of) {
    HttpParts out;
    for (auto& [name, value] : pairs(of, "HeaderParameters"))
      add_header(out, std::move(name), std::move(value));
    out.query = pairs(of, "QueryStringParameters");
    out.body = pairs(of, "BodyParameters");
    return out;
  }
  OAuth oauth(const json::Value& of) {
    OAuth out{.endpoint = text(of, "AuthorizationEndpoint")};
    if (find(of, "HttpMethod")) out.method = text(of, "HttpMethod");
    if (out.method != "GET" && out.method != "POST" && out.method != "PUT")
      fault("HttpMethod is GET, POST or PUT");
    if (!parse_url(out.endpoint)) fault("AuthorizationEndpoint must be a URL");
    const json::Value& client = object(of, "ClientParameters");
    out.client_id = text(client, "ClientID");
    out.client_secret = text(client, "ClientSecret");
    if (find(of, "OAuthHttpParameters")) out.more = parts(object(of, "OAuthHttpParameters"));
    return out;
  }

  std::string name_;
  const json::Value& value_;
  std::string fault_;
};

}  // namespace

Result<Connections> read_connections(std::string_view text) {
  // The error of the parser has a place, no text.
  const json::Value value = TRY(json::parse(text, {.bytes_max = kFileBytesMax}));
  const json::Value* list = value.is_array() ? &value : json::find(value, "Connections");
  if (list == nullptr || !list->is_array())
    return fail(Code::InvalidArgument,
                "must be a list of connections, or an object with one as \"Connections\"");
  Connections out;
  for (const json::Value& one : list->get_array()) {
    const std::string name(json::get_string(one, "Name"));
    if (name.empty() || name.find('/') != std::string::npos)
      return fail(Code::InvalidArgument, "each connection needs a Name, without a slash");
    if (!out.emplace(name, TRY(Reader(name, one).read())).second)
      return fail(Code::InvalidArgument, "connection \"" + name + "\" stands twice");
  }
  return out;
}

Result<Connections> load_connections(const std::string& file) {
  const rt::UniqueFd open = TRY(rt::open_file(file, O_RDONLY | O_CLOEXEC));
  struct stat about{};
  if (fstat(open.get(), &about) != 0) return fail_errno("reading " + file);
  if ((about.st_mode & 077) != 0)
    return fail(Code::InvalidArgument, file + " has secrets and may be read by others: chmod 600 " + file);
  const std::string text = TRY(rt::read_file(file, kFileBytesMax));
  auto read = read_connections(text);
  if (!read) return std::unexpected(std::move(read).error().within(file));
  return read;
}

const Connection* find_connection(const Connections& connections, std::string_view named) {
  const auto parts = split(named, '/');
  const auto found = connections.find(named.starts_with("arn:") && parts.size() > 1 ? parts[1] : named);
  return found == connections.end() ? nullptr : &found->second;
}

std::optional<std::string> TokenCache::get(const std::string& connection, Instant now) {
  const std::lock_guard lock(mutex_);
  const auto found = tokens_.find(connection);
  if (found == tokens_.end() || found->second.until <= now) return std::nullopt;
  return found->second.text;
}

void TokenCache::put(const std::string& connection, std::string token, Instant until) {
  const std::lock_guard lock(mutex_);
  tokens_[connection] = {.text = std::move(token), .until = until};
}

void TokenCache::drop(const std::string& connection, const std::string& token) {
  const std::lock_guard lock(mutex_);
  const auto found = tokens_.find(connection);
  if (found != tokens_.end() && found->second.text == token) tokens_.erase(found);
}

}  // namespace stoker::tasks
