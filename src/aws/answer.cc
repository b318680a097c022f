#include "aws/answer.h"

#include "base/text.h"

namespace stoker::aws {
namespace {

struct Row {
  Code code;
  std::string_view name;
  int status;
};

constexpr Row kBatch[] = {
    {Code::InvalidArgument, "ClientException", 400},
    {Code::NotFound, "ClientException", 400},
    {Code::AlreadyExists, "ClientException", 400},
    {Code::Conflict, "ClientException", 400},
    {Code::NotSupported, "ClientException", 400},
    {Code::LimitExceeded, "ClientException", 400},
    {Code::Unauthorized, "AccessDeniedException", 403},
    {Code::Unavailable, "ServerException", 500},
    {Code::Io, "ServerException", 500},
    {Code::Internal, "ServerException", 500},
};
constexpr Row kLogs[] = {
    {Code::InvalidArgument, "InvalidParameterException", 400},
    {Code::NotFound, "ResourceNotFoundException", 400},
    {Code::AlreadyExists, "ResourceAlreadyExistsException", 400},
    {Code::Conflict, "OperationAbortedException", 400},
    {Code::NotSupported, "InvalidOperationException", 400},
    {Code::LimitExceeded, "LimitExceededException", 400},
    {Code::Unauthorized, "AccessDeniedException", 400},
    {Code::Unavailable, "ServiceUnavailableException", 500},
    {Code::Io, "ServiceUnavailableException", 500},
    {Code::Internal, "ServiceUnavailableException", 500},
};
constexpr Row kStates[] = {
    {Code::InvalidArgument, "ValidationException", 400},
    {Code::NotFound, "ResourceNotFound", 400},
    {Code::AlreadyExists, "ConflictException", 400},
    {Code::Conflict, "ConflictException", 400},
    {Code::NotSupported, "ValidationException", 400},
    {Code::LimitExceeded, "ServiceQuotaExceededException", 400},
    {Code::Unauthorized, "AccessDeniedException", 400},
    {Code::Unavailable, "ServiceUnavailable", 503},
    {Code::Io, "InternalServerError", 500},
    {Code::Internal, "InternalServerError", 500},
};

std::span<const Row> rows(Service service) {
  switch (service) {
    case Service::Batch:
    case Service::Stoker:
      return kBatch;
    case Service::Logs:
      return kLogs;
    case Service::States:
      return kStates;
  }
  return kBatch;
}

std::string_view content_type(Dialect dialect) {
  switch (dialect) {
    case Dialect::RestJson:
      return "application/json";
    case Dialect::Json10:
      return "application/x-amz-json-1.0";
    case Dialect::Json11:
      return "application/x-amz-json-1.1";
    case Dialect::QueryXml:
    case Dialect::Ec2Xml:
      return "text/xml";
    case Dialect::RestXml:
      return "application/xml";
  }
  return "";
}

std::string xml_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      default:
        out += static_cast<std::uint8_t>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

std::string json_body(Dialect dialect, const Fault& fault) {
  std::string body = "{";
  if (dialect != Dialect::RestJson) {
    body += "\"__type\":";
    json::write_string(body, fault.name);
    body += ',';
  }
  body += "\"message\":";
  json::write_string(body, fault.message);
  if (!fault.reason.empty()) {
    body += ",\"reason\":";
    json::write_string(body, fault.reason);
  }
  return body + '}';
}

std::string xml_body(Dialect dialect, const Fault& fault, std::string_view request_id) {
  const std::string code = "<Code>" + xml_escaped(fault.name) + "</Code>";
  const std::string message = "<Message>" + xml_escaped(fault.message) + "</Message>";
  const std::string id(request_id);
  switch (dialect) {
    case Dialect::Ec2Xml:
      return "<Response><Errors><Error>" + code + message + "</Error></Errors><RequestID>" + id +
             "</RequestID></Response>";
    case Dialect::RestXml:
      return "<Error>" + code + message + "<RequestId>" + id + "</RequestId></Error>";
    default:
      return "<ErrorResponse><Error><Type>Sender</Type>" + code + message + "</Error><RequestId>" + id +
             "</RequestId></ErrorResponse>";
  }
}

// The service in "Credential=KEY/DATE/REGION/SERVICE/aws4_request".
std::string_view claimed_service(const net::Request& request) {
  std::string_view text = header(request, "authorization");
  const std::size_t start = text.find("Credential=");
  if (start == std::string_view::npos) return {};
  text = text.substr(start, text.find_first_of(", ", start) - start);
  const auto parts = split(text, '/');
  return parts.size() >= 5 ? parts[parts.size() - 2] : std::string_view{};
}

net::Response response(int status, std::string_view type, std::string_view request_id, std::string body) {
  net::Response out{
      .status = status, .headers = {{"Content-Type", std::string(type)}}, .body = std::move(body)};
  if (!request_id.empty()) out.headers.push_back({"x-amzn-RequestId", std::string(request_id)});
  return out;
}

}  // namespace

Fault fault_of(Service service, const Error& error, std::string_view kind) {
  const auto table = rows(service);
  const auto row = std::ranges::find(table, error.code, &Row::code);
  if (row == table.end()) return {"InternalFailure", 500, error.message};
  if (!error.name.empty()) {
    // "ValidationException/REASON"
    const std::size_t slash = error.name.find('/');
    Fault out{std::string(error.name.substr(0, slash)), row->status, error.message};
    if (slash != std::string_view::npos) out.reason = error.name.substr(slash + 1);
    return out;
  }
  if (service == Service::States && error.code == Code::NotFound && !kind.empty()) {
    return {std::string(kind) + "DoesNotExist", 400, error.message};
  }
  return {std::string(row->name), row->status, error.message};
}

Dialect dialect_of(Service service) {
  switch (service) {
    case Service::Logs:
      return Dialect::Json11;
    case Service::States:
      return Dialect::Json10;
    case Service::Batch:
    case Service::Stoker:
      break;
  }
  return Dialect::RestJson;
}

Dialect dialect_of(const net::Request& request) {
  const std::string_view type = header(request, "content-type");
  if (type.starts_with("application/x-amz-json-1.0")) return Dialect::Json10;
  if (type.starts_with("application/x-amz-json-1.1")) return Dialect::Json11;
  if (!header(request, "x-amz-target").empty()) return Dialect::Json11;
  const std::string_view service = claimed_service(request);
  if (service == "ec2") return Dialect::Ec2Xml;
  if (service == "s3") return Dialect::RestXml;
  if (type.starts_with("application/x-www-form-urlencoded")) return Dialect::QueryXml;
  return Dialect::RestJson;
}

net::Response answer(Service service, const json::Value& output, std::string_view request_id) {
  std::string body;
  if (output.is_null()) {
    body = "{}";
  } else {
    json::write(body, output);
  }
  return response(200, facts(service).content_type, request_id, std::move(body));
}

net::Response answer(Dialect dialect, const Fault& fault, std::string_view request_id) {
  const bool xml = dialect == Dialect::QueryXml || dialect == Dialect::Ec2Xml || dialect == Dialect::RestXml;
  net::Response out = response(fault.status, content_type(dialect), request_id,
                               xml ? xml_body(dialect, fault, request_id) : json_body(dialect, fault));
  // Every SDK that speaks JSON looks at this header first; it costs nothing to send it to all of them.
  if (!xml) out.headers.push_back({"x-amzn-ErrorType", fault.name});
  return out;
}

net::Response malformed(int status, std::string_view why, std::string_view request_id) {
  return answer(Dialect::RestJson, Fault{"ClientException", status, std::string(why)}, request_id);
}

std::string_view header(const net::Request& request, std::string_view name) {
  for (const net::Header& field : request.headers) {
    if (field.name.size() == name.size() && equal_ignoring_case(field.name, name)) return field.value;
  }
  return {};
}

}  // namespace stoker::aws
