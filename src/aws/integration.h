#pragma once
// How the integrations of Step Functions spell the shapes of other APIs: members begin with a capital letter,
// keys of maps stay (amazon-states-language.md 6).
#include <string_view>

#include "aws/shapes.h"
#include "base/result.h"
#include "json/json.h"

namespace stoker::aws {

// Texts of JSON that may be given as JSON: the aws-sdk integrations write it out.
enum class JsonTexts : std::uint8_t { MustBeStrings, MayBeJson };

// A task's parameters as the input of an operation. Null members are left out. InvalidArgument in the words
// of AWS: "The value for the field 'X' must be a STRING".
Result<json::Value> from_integration(ShapeId shape, const json::Value& value, JsonTexts texts);
// The output of an operation as a task's result: instants are ISO 8601.
json::Value to_integration(ShapeId shape, const json::Value& value);

// The operation that "aws-sdk:SERVICE" calls by that name ("describeJobs"); null when there is none.
const Operation* operation_of_api(Service service, std::string_view api);

}  // namespace stoker::aws
