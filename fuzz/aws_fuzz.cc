// Requests as text: a request line, header lines, an empty line, a body. Whatever comes, the answer is an
// operation with a valid input or a fault, and its answer is well-formed.
#include "aws/answer.h"
#include "aws/pattern.h"
#include "aws/route.h"
#include "aws/sigv4.h"
#include "aws/testing/fake_server.h"
#include "aws/validate.h"
#include "base/assert.h"
#include "base/text.h"
#include "fuzz.h"

namespace {

using namespace stoker;
using namespace stoker::aws;

net::Request read_request(std::string_view bytes) {
  net::Request request;
  const std::size_t end = std::min(bytes.find("\n\n"), bytes.size());
  request.body = bytes.substr(std::min(end + 2, bytes.size()));
  bool first = true;
  for (const std::string_view line : split(bytes.substr(0, end), '\n')) {
    const std::size_t cut = std::min(line.find(first ? ' ' : ':'), line.size());
    const std::string_view rest = line.substr(std::min(cut + 1, line.size()));
    if (first) {
      request.method = line.substr(0, cut);
      request.target = rest;
    } else {
      request.headers.push_back({std::string(line.substr(0, cut)), std::string(trim(rest))});
    }
    first = false;
  }
  return request;
}

void check_fault(Dialect dialect, const Fault& fault) {
  const net::Response response = answer(dialect, fault, "0");
  ASSERT(response.status >= 400 && response.status < 600);
  ASSERT(!response.body.empty());
  ASSERT(is_valid_utf8(response.body), response.body);
  if (response.body.front() == '{') ASSERT(json::parse(response.body).has_value(), response.body);
}

void check_parsers(const net::Request& request, std::string_view bytes) {
  static const AccessKeys keys = *AccessKeys::parse("AKIDEXAMPLE secret");
  constexpr Instant kNow{1440938160000};
  if (const auto caller = verify(request, keys, kNow); !caller)
    check_fault(dialect_of(request), caller.error());
  (void)is_ours(request);
  (void)AccessKeys::parse(bytes.substr(0, 1000));
  (void)Pattern::compile(bytes.substr(0, 100));
  const auto operation = find_operation(request);
  if (!operation) return check_fault(dialect_of(request), operation.error());
  auto input = read_input(**operation, request);
  if (!input) return check_fault(dialect_of((*operation)->service), input.error());
  ASSERT(input->is_object());
  // What was accepted is accepted again, unchanged.
  json::Value again = *input;
  ASSERT(validate((*operation)->input, again).has_value());
  ASSERT(again == *input);
}

// A server that lives on from request to request; a new one when it has grown.
void check_server(const net::Request& request) {
  constexpr int kRequestsEach = 5000;
  static std::unique_ptr<aws::testing::FakeServer> server;
  static int requests = 0;
  if (server == nullptr || ++requests % kRequestsEach == 0) {
    server = std::make_unique<aws::testing::FakeServer>();
    server->connect_node("n1", {.cpus_milli = 4000, .memory_mib = 4000, .gpus = 0});
  }
  if (requests % 50 == 0) server->start_all();
  if (requests % 100 == 0) server->finish_all(requests % 3 == 0 ? 1 : 0, "");
  const net::Response response = server->handle(request);
  ASSERT(response.status == 200 || (response.status >= 400 && response.status < 500), response.body);
  ASSERT(!response.body.empty() && is_valid_utf8(response.body), response.body);
  if (response.body.front() == '<') return;
  const auto body = json::parse(response.body);
  ASSERT(body.has_value() && body->is_object(), response.body);
  if (response.status != 200) ASSERT(json::find(*body, "message") != nullptr, response.body);
}

}  // namespace

void fuzz_one(std::string_view bytes) {
  const net::Request request = read_request(bytes);
  check_parsers(request, bytes);
  check_server(request);
}
