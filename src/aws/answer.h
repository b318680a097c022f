#pragma once
// Answers as the SDKs read them: the error table, the headers, the bodies. Operations return values or errors
// and never build an answer themselves.
#include <string>
#include <string_view>

#include "aws/shapes.h"
#include "base/result.h"
#include "json/json.h"
#include "net/http.h"

namespace stoker::aws {

// An error as it goes over the wire.
struct Fault {
  std::string name;  // "ClientException"
  int status = 400;
  std::string message;
  std::string reason = {};  // of a ValidationException; "": none
  bool operator==(const Fault&) const = default;
};

// What an error of ours is called by a service: Batch knows little more than ClientException, the others have
// names for most. `kind` is what was not found, for services that name it ("Execution" gives
// ExecutionDoesNotExist).
Fault fault_of(Service service, const Error& error, std::string_view kind = {});

// How an answer must look to be understood: by the service, or where that is unknown by what the request
// looks like.
enum class Dialect : std::uint8_t {
  RestJson,  // name in a header, message in the body
  Json10,    // __type in the body
  Json11,
  QueryXml,  // services that stoker does not have, but whose clients read only XML
  Ec2Xml,
  RestXml,
};
Dialect dialect_of(Service service);
Dialect dialect_of(const net::Request& request);

// `output` null: "{}". `request_id` is a UUID from the caller.
net::Response answer(Service service, const json::Value& output, std::string_view request_id);
net::Response answer(Dialect dialect, const Fault& fault, std::string_view request_id);
inline net::Response answer(Service service, const Fault& fault, std::string_view request_id) {
  return answer(dialect_of(service), fault, request_id);
}
// For bytes that are no request at all (400), or too large (413, 431).
net::Response malformed(int status, std::string_view why, std::string_view request_id);

// The first header of that name in any case, "" when absent.
std::string_view header(const net::Request& request, std::string_view name);

}  // namespace stoker::aws
