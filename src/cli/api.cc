#include "cli/api.h"

#include <algorithm>

#include "base/text.h"

namespace stoker::cli {
namespace {

constexpr Duration kConnectMost = seconds(5);
constexpr Duration kAnswerMost = seconds(60);
constexpr std::size_t kQuotedMax = 300;  // of an answer that is no JSON

std::string_view host_of(std::string_view address) {
  return address.substr(address.find("://") + 3);
}

// The server's text, which AWS's protocols call `message` or `Message`.
std::string text_of_error(const net::Response& response) {
  const auto body = json::parse(response.body);
  if (body) {
    for (const char* name : {"message", "Message"})
      if (const std::string_view text = json::get_string(*body, name); !text.empty())
        return std::string(text);
  }
  std::string text = to_valid_utf8(std::string_view(response.body).substr(0, kQuotedMax));
  return "HTTP status " + std::to_string(response.status) + (text.empty() ? "" : ": " + text);
}

// "com.amazonaws...#Name" or "Name", as one of kErrorNames.
std::string_view name_of_error(const net::Response& response) {
  const auto body = json::parse(response.body);
  if (!body) return {};
  std::string_view type = json::get_string(*body, "__type");
  type = type.substr(type.rfind('#') + 1);
  const auto known = std::ranges::find(kErrorNames, type);
  return known == kErrorNames.end() ? std::string_view{} : *known;
}

std::string no_server(std::string_view address, std::string_view why) {
  std::string text = "no stoker server at " + std::string(address);
  if (address == kDefaultAddress) return text + "; start one with: stoker serve";
  return text + " (" + std::string(why) +
         ")\nstart one with 'stoker serve', or name another with --server or STOKER_SERVER";
}

}  // namespace

Result<std::string> server_address(const Context& context, std::string_view option) {
  std::string_view chosen = option;
  std::string_view from = "--server";
  for (const std::string_view name : {"AWS_ENDPOINT_URL_BATCH", "AWS_ENDPOINT_URL", "STOKER_SERVER"}) {
    if (!chosen.empty()) break;
    chosen = trim(context.variable(name));
    from = name;
  }
  if (chosen.empty()) return std::string(kDefaultAddress);
  while (chosen.ends_with('/')) chosen.remove_suffix(1);
  std::string address(chosen);
  if (chosen.starts_with("unix:")) return address;
  if (chosen.find("://") == std::string_view::npos) address = "http://" + address;
  const std::string_view host = host_of(address);
  if ((!address.starts_with("http://") && !address.starts_with("https://")) || host.empty() ||
      host.ends_with(':') || host.find_first_of("/? ") != std::string_view::npos)
    return fail(Code::InvalidArgument,
                std::string(from) + ": '" + std::string(chosen) +
                    "' is no address of a server; write it like http://127.0.0.1:7790");
  return address;
}

Result<Api> Api::connect(const Context& context, std::string_view server_option) {
  std::string address = TRY(server_address(context, server_option));
  net::ClientOptions options{.base = address, .connect_timeout = kConnectMost, .timeout = kAnswerMost};
  if (const auto file = context.variable("AWS_CA_BUNDLE"); !file.empty()) options.ca_file = std::string(file);
  return Api(context, std::move(address), net::Client::create(std::move(options)));
}

Result<json::Value> Api::exchange(net::Request request, std::string_view service) {
  if (context_->sign && !address_.starts_with("unix:")) {
    request.headers.push_back({"Host", std::string(host_of(address_))});
    context_->sign(request, service);
  }
  auto response = client_->send(request);
  if (!response) {
    if (response.error().code != Code::Unavailable) return std::unexpected(std::move(response).error());
    return fail(Code::Unavailable, no_server(address_, response.error().message));
  }
  if (response->status >= 500) return fail(Code::Internal, "the server failed: " + text_of_error(*response));
  if (response->status >= 300)
    return std::unexpected(Error{Code::Conflict, text_of_error(*response), name_of_error(*response)});
  auto body = json::parse(response->body, {.bytes_max = 256u << 20});
  if (!body || !body->is_object())
    return fail(Code::Unavailable, "what answers at " + address_ + " is no stoker server");
  return std::move(*body);
}

Result<json::Value> Api::batch(std::string_view operation, const json::Value& input) {
  net::Request request{.method = "POST", .target = "/v1/" + to_lower(operation), .body = json::write(input)};
  request.headers.push_back({"Content-Type", "application/json"});
  return exchange(std::move(request), "batch");
}

Result<json::Value> Api::logs(std::string_view operation, const json::Value& input) {
  net::Request request{.method = "POST", .target = "/", .body = json::write(input)};
  request.headers.push_back({"Content-Type", "application/x-amz-json-1.1"});
  request.headers.push_back({"X-Amz-Target", "Logs_20140328." + std::string(operation)});
  return exchange(std::move(request), "logs");
}

Result<json::Value> Api::states(std::string_view operation, const json::Value& input) {
  net::Request request{.method = "POST", .target = "/", .body = json::write(input)};
  request.headers.push_back({"Content-Type", "application/x-amz-json-1.0"});
  request.headers.push_back({"X-Amz-Target", "AWSStepFunctions." + std::string(operation)});
  return exchange(std::move(request), "states");
}

Result<json::Value> Api::own(std::string_view operation, const json::Value& input) {
  net::Request request{
      .method = "POST", .target = "/stoker/v1/" + to_lower(operation), .body = json::write(input)};
  request.headers.push_back({"Content-Type", "application/json"});
  return exchange(std::move(request), "stoker");
}

}  // namespace stoker::cli
