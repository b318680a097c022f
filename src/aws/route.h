#pragma once
// From an HTTP request to an operation and its checked input.
#include <expected>

#include "aws/answer.h"
#include "aws/shapes.h"
#include "aws/shapes_table.h"
#include "json/json.h"
#include "net/http.h"

namespace stoker::aws {

// Whether a request is for this face at all: it names an operation by a header, has one of our paths, or is
// signed or a form as other AWS services take. Everything else (the page, the metrics) belongs to other
// faces.
bool is_ours(const net::Request& request);

// Which operation the request names, by path and method or by X-Amz-Target. Unknown ones are a fault that
// SDKs understand: UnknownOperationException.
std::expected<const Operation*, Fault> find_operation(const net::Request& request);

// One object from body, path and query, checked against the shape of the operation. An empty body is "{}".
std::expected<json::Value, Fault> read_input(const Operation& operation, const net::Request& request);

// Bodies nested deeper are refused before they are checked.
inline constexpr std::size_t kBodyDepthMax = 64;
// Values of one query member; the models allow at most 50.
inline constexpr std::size_t kQueryValuesMax = 256;

}  // namespace stoker::aws
