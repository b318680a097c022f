#pragma once
// The shapes of what other services answer, of the operations that workflows use most: mocks of TestState are
// checked against them. The table is written by tools/generate_response_shapes.
#include <span>
#include <string_view>

#include "aws/shapes.h"

namespace stoker::aws {

struct Response {
  std::string_view service;      // "lambda", as resources have it
  std::string_view sdk_service;  // "lambda" in "aws-sdk:lambda"
  std::string_view api;          // "invoke"
  ShapeId shape;                 // an index into response_shapes()
};

std::span<const Shape> response_shapes();
std::span<const Response> responses();

}  // namespace stoker::aws
