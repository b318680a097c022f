#include "tasks/http_task.h"

#include <algorithm>

#include "base/text.h"
#include "rt/clock.h"
#include "tasks/answer.h"
#include "tasks/idempotency.h"
#include "tasks/parameters.h"
#include "tasks/url.h"

namespace stoker::tasks {
namespace {

constexpr std::string_view kMethods[] = {"GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"};

// Headers that say how a message is sent, not what is in it.
bool is_ours(std::string_view name) {
  static constexpr std::string_view kNames[] = {"host",      "connection",        "content-length", "expect",
                                                "te",        "trailer",           "upgrade",        "via",
                                                "forwarded", "transfer-encoding", "keep-alive"};
  const std::string lower = to_lower(name);
  return std::ranges::find(kNames, lower) != std::end(kNames) || lower.starts_with("proxy-") ||
         lower.starts_with("x-forwarded-") || lower.starts_with("x-amz");
}

bool has_header(const net::Request& request, std::string_view name) {
  return !request.header(name).empty();
}

// Instead of any of that name.
void set_header(net::Request& request, const net::Header& header) {
  std::erase_if(request.headers,
                [&](const net::Header& other) { return equal_ignoring_case(other.name, header.name); });
  request.headers.push_back(header);
}

struct Prepared {
  Url url;
  net::Request request;
  const Connection* connection = nullptr;
  std::string connection_name;
};

std::string_view status_text(int status) {
  struct Known {
    int status;
    std::string_view text;
  };
  static constexpr Known kKnown[] = {{200, "OK"},
                                     {201, "Created"},
                                     {202, "Accepted"},
                                     {204, "No Content"},
                                     {206, "Partial Content"},
                                     {301, "Moved Permanently"},
                                     {302, "Found"},
                                     {304, "Not Modified"},
                                     {307, "Temporary Redirect"},
                                     {308, "Permanent Redirect"},
                                     {400, "Bad Request"},
                                     {401, "Unauthorized"},
                                     {403, "Forbidden"},
                                     {404, "Not Found"},
                                     {405, "Method Not Allowed"},
                                     {408, "Request Timeout"},
                                     {409, "Conflict"},
                                     {422, "Unprocessable Entity"},
                                     {429, "Too Many Requests"},
                                     {500, "Internal Server Error"},
                                     {501, "Not Implemented"},
                                     {502, "Bad Gateway"},
                                     {503, "Service Unavailable"},
                                     {504, "Gateway Timeout"}};
  const auto found = std::ranges::find(kKnown, status, &Known::status);
  return found == std::end(kKnown) ? std::string_view() : found->text;
}

class Preparation {
 public:
  Preparation(const TaskRequest& task, const HttpOptions& options)
      : task_(task), options_(options), parameters_(*task.parameters) {}

  std::expected<Prepared, TaskFailure> prepare() {
    const std::string endpoint = parameters_.text("ApiEndpoint", Parameters::Need::Required);
    out_.request.method = parameters_.text("Method", Parameters::Need::Required);
    if (parameters_.ok() && std::ranges::find(kMethods, out_.request.method) == std::end(kMethods))
      invalid("Method");
    auto url = parse_url(endpoint);
    if (url) {
      out_.url = *std::move(url);
    } else if (parameters_.ok()) {
      invalid("ApiEndpoint");
    }
    if (parameters_.ok() && !out_.url.tls && !options_.plain) invalid("ApiEndpoint");
    find_connection();
    read_headers();
    read_query();
    read_body();
    parameters_.refuse_others();
    if (!parameters_.ok()) return std::unexpected(parameters_.failure());
    if (!is_allowed(options_.hosts, out_.url.host, port()))
      return std::unexpected(TaskFailure{.error = "States.Permissions",
                                         .cause = "This server may not call " + host_and_port(out_.url) +
                                                  ": its administrator has not allowed that host"});
    if (unknown_connection_)
      return std::unexpected(
          TaskFailure{.error = "States.Permissions",
                      .cause = "This server has no connection '" + *unknown_connection_ + "'"});
    finish();
    return std::move(out_);
  }

 private:
  void invalid(std::string_view name) {
    parameters_.fault("The value of the field '" + std::string(name) + "' has an invalid format");
  }
  [[nodiscard]] std::string port() const {
    if (!out_.url.port.empty()) return out_.url.port;
    return out_.url.tls ? "443" : "80";
  }

  void read_headers() {
    const json::Value* headers = parameters_.object("Headers");
    if (headers == nullptr) return;
    for (const auto& [key, value] : headers->get_object()) {
      const std::string name(key);
      const bool token = !name.empty() && std::ranges::all_of(name, [](char c) {
        return c > ' ' && c < 127 &&
               std::string_view("()<>@,;:\\\"/[]?={}").find(c) == std::string_view::npos;
      });
      const bool scalar = value.is_string() || value.is_number() || value.is_bool();
      if (!token || is_ours(name) || !(scalar || value.is_array())) return invalid("Headers");
      const std::string text = value.is_array() ? join_items(value.get_array()) : plain(value);
      if (std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\t'; }))
        return invalid("Headers");
      out_.request.headers.push_back({name, text});
    }
  }

  static std::string plain(const json::Value& value) {
    return value.is_string() ? std::string(json::text(value)) : json::write(value);
  }
  static std::string join_items(const json::Array& items) {
    std::vector<std::string> out;
    for (const json::Value& item : items) out.push_back(plain(item));
    return join(out, ",");
  }

  void read_query() {
    out_.request.target = out_.url.target;
    const auto add = [&](const std::string& more) {
      if (more.empty()) return;
      out_.request.target += out_.request.target.find('?') == std::string::npos ? "?" : "&";
      out_.request.target += more;
    };
    if (const json::Value* query = parameters_.object("QueryParameters"))
      add(url_encode(*query, ArrayFormat::Repeat));
    if (out_.connection == nullptr) return;
    for (const auto& [name, value] : out_.connection->parts.query)
      add(percent_encode(name) + "=" + percent_encode(value));
  }

  void read_body() {
    const json::Value* body = parameters_.any("RequestBody");
    json::Value with_more;
    if (out_.connection != nullptr && !out_.connection->parts.body.empty()) {
      // Into an object only: anything else has no place for them.
      with_more = body == nullptr ? json::Value(json::Object()) : *body;
      if (with_more.is_object())
        for (const auto& [name, value] : out_.connection->parts.body) with_more.get_object()[name] = value;
      body = &with_more;
    }
    std::string encoding;
    std::optional<ArrayFormat> format = ArrayFormat::Indices;
    if (const json::Value* transform = parameters_.object("Transform")) {
      encoding = json::get_string(*transform, "RequestBodyEncoding");
      if (const json::Value* more = json::find(*transform, "RequestEncodingOptions"))
        format = read_array_format(json::get_string(*more, "ArrayFormat"));
      if (!format || !(encoding.empty() || encoding == "NONE" || encoding == "URL_ENCODED"))
        return invalid("Transform");
    }
    if (body == nullptr) return;
    if (encoding == "URL_ENCODED") {
      if (!body->is_object()) return invalid("RequestBody");
      out_.request.body = url_encode(*body, *format);
    } else {
      out_.request.body = plain(*body);
    }
    if (!has_header(out_.request, "content-type"))
      out_.request.headers.push_back({"Content-Type", encoding == "URL_ENCODED"
                                                          ? "application/x-www-form-urlencoded"
                                                          : "application/json"});
  }

  void find_connection() {
    for (const std::string_view name : {"Authentication", "InvocationConfig"}) {
      const json::Value* object = parameters_.object(name);
      if (object == nullptr) continue;
      const std::string_view arn = json::get_string(*object, "ConnectionArn");
      out_.connection = tasks::find_connection(options_.connections, arn);
      out_.connection_name = arn;
      if (out_.connection == nullptr) unknown_connection_ = std::string(arn);
    }
  }

  void finish() {
    if (out_.connection != nullptr)
      for (const net::Header& header : out_.connection->parts.headers) set_header(out_.request, header);
    out_.request.headers.push_back({"Host", host_and_port(out_.url)});
    if (!has_header(out_.request, "user-agent")) out_.request.headers.push_back({"User-Agent", "stoker"});
    if (!has_header(out_.request, "idempotency-key"))
      out_.request.headers.push_back(idempotency_key(task_.token));
  }

  const TaskRequest& task_;
  const HttpOptions& options_;
  Parameters parameters_;
  Prepared out_;
  std::optional<std::string> unknown_connection_;
};

// ---- OAuth: RFC 6749, 4.4 ----

constexpr Duration kTokenLife = minutes(5);     // when the server does not say
constexpr Duration kTokenMargin = seconds(30);  // before its end it is not used any more

net::Request token_request(const OAuth& oauth, const Url& url) {
  net::Request request{.method = oauth.method, .target = url.target};
  json::Object form;
  if (oauth.method != "GET") form["grant_type"] = "client_credentials";
  for (const auto& [name, value] : oauth.more.body) form[name] = value;
  for (const auto& [name, value] : oauth.more.query) {
    request.target += request.target.find('?') == std::string::npos ? "?" : "&";
    request.target += percent_encode(name) + "=" + percent_encode(value);
  }
  request.headers = {
      {"Host", host_and_port(url)},
      {"User-Agent", "stoker"},
      {"Accept", "application/json"},
      {"Authorization", "Basic " + base64_encode(oauth.client_id + ":" + oauth.client_secret)}};
  if (oauth.method != "GET") {
    request.headers.push_back({"Content-Type", "application/x-www-form-urlencoded"});
    request.body = url_encode(json::Value(std::move(form)), ArrayFormat::Indices);
  }
  for (const net::Header& header : oauth.more.headers) set_header(request, header);
  return request;
}

// The token of the connection: the one that is there, or a new one. The text of a failure has no secret.
std::expected<std::string, std::string> token_of(const Prepared& prepared, const HttpOptions& options,
                                                 Caller& caller) {
  const OAuth& oauth = *prepared.connection->oauth;
  if (auto known = options.tokens->get(prepared.connection_name, rt::now())) return *std::move(known);
  const Url url = parse_url(oauth.endpoint).value_or(Url{});
  const std::string port = !url.port.empty() ? url.port : url.tls ? "443" : "80";
  if ((!url.tls && !options.plain) || !is_allowed(options.hosts, url.host, port))
    return std::unexpected("this server may not call " + host_and_port(url) +
                           ": its administrator has not allowed that host");
  const net::Request request = token_request(oauth, url);
  const auto response =
      caller.send({.base = origin_of(url), .timeout = options.timeout, .repeatable = true, .request = [&] {
                     return request;
                   }});
  if (!response) return std::unexpected(host_and_port(url) + " gave no answer");
  const auto answer = json::parse(response->body);
  std::string token(answer ? json::get_string(*answer, "access_token") : std::string_view());
  const bool clean = std::ranges::all_of(token, [](char c) { return c > ' ' && c < 127; });
  if (response->status != 200 || token.empty() || !clean)
    return std::unexpected(host_and_port(url) + " gave no token but status " +
                           std::to_string(response->status));
  const std::int64_t life = json::get_int(*answer, "expires_in", kTokenLife.ms / 1000);
  constexpr std::int64_t kLifeMax = 365 * 24 * 3600;
  options.tokens->put(prepared.connection_name, token,
                      rt::now() + seconds(std::clamp<std::int64_t>(life, 0, kLifeMax)) - kTokenMargin);
  return token;
}

json::Value output_of(const net::Response& response) {
  json::Object headers;
  for (const net::Header& header : response.headers) {
    json::Value& values = headers[to_lower(to_valid_utf8(header.name))];
    if (!values.is_array()) values = json::Array();
    values.get_array().emplace_back(to_valid_utf8(header.value));
  }
  const bool is_json = to_lower(response.header("content-type")).find("json") != std::string::npos;
  json::Object out;
  out["Headers"] = std::move(headers);
  out["ResponseBody"] = is_json ? payload_of(response.body) : json::Value(to_valid_utf8(response.body));
  out["StatusCode"] = response.status;
  out["StatusText"] = status_text(response.status);
  return out;
}

}  // namespace

bool is_allowed(const std::vector<std::string>& hosts, std::string_view host, std::string_view port) {
  return std::ranges::any_of(hosts, [&](const std::string& entry) {
    std::string_view name = entry;
    const std::size_t colon = name.rfind(':');
    const bool has_port = colon != std::string_view::npos && name.find(']', colon) == std::string_view::npos;
    if (has_port && name.substr(colon + 1) != port) return false;
    if (!has_port && port != "443" && port != "80") return false;
    if (has_port) name = name.substr(0, colon);
    const std::string lower = to_lower(name);
    if (lower.starts_with("*.")) return host.size() > lower.size() - 1 && host.ends_with(lower.substr(1));
    return host == lower;
  });
}

TaskResult invoke_http(const TaskRequest& request, const Options& options, Caller& caller) {
  auto prepared = Preparation(request, options.http).prepare();
  if (!prepared) return std::unexpected(std::move(prepared).error());
  const std::string& method = prepared->request.method;
  const auto send = [&] {
    return caller.send({.base = origin_of(prepared->url),
                        .timeout = options.http.timeout,
                        .repeatable = method != "POST" && method != "PATCH",
                        .retry_busy = false,
                        .request = [&] { return prepared->request; }});
  };
  const bool oauth = prepared->connection != nullptr && prepared->connection->oauth;
  Result<net::Response> response = fail(Code::Internal, "not sent");
  for (int tries = 1; tries <= (oauth ? 2 : 1); ++tries) {
    std::string token;
    if (oauth) {
      auto given = token_of(*prepared, options.http, caller);
      if (!given)
        return std::unexpected(
            TaskFailure{.error = "States.Http.Socket",
                        .cause = "The connection could not be authorized: " + given.error()});
      token = *std::move(given);
      set_header(prepared->request, {"Authorization", "Bearer " + token});
    }
    response = send();
    // A token that is not taken may have been withdrawn: another one, once.
    if (!response || (response->status != 401 && response->status != 407)) break;
    if (oauth) options.http.tokens->drop(prepared->connection_name, token);
  }
  if (!response && response.error().code == Code::LimitExceeded) return std::unexpected(too_large("http"));
  if (!response)
    return std::unexpected(TaskFailure{.error = "States.Http.Socket", .cause = response.error().message});
  if (response->status < 200 || response->status >= 300) {
    const std::string body = to_valid_utf8(response->body);
    return std::unexpected(
        TaskFailure{.error = "States.Http.StatusCode." + std::to_string(response->status),
                    .cause = body.empty() ? std::string(status_text(response->status)) : body});
  }
  return output_of(*response);
}

}  // namespace stoker::tasks
