#pragma once
// The errors of the Step Functions API that rules of the core give, by their names and in AWS's words.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace stoker::core {

std::unexpected<Error> invalid_arn(const std::string& why);
std::unexpected<Error> invalid_name(std::string_view name);
std::unexpected<Error> invalid_token();
std::unexpected<Error> machine_does_not_exist(std::string_view arn);
std::unexpected<Error> machine_already_exists(std::string_view arn);
std::unexpected<Error> machine_is_deleting(std::string_view arn);
std::unexpected<Error> machine_type_not_supported();
std::unexpected<Error> execution_does_not_exist(std::string_view arn);
std::unexpected<Error> execution_already_exists(std::string_view arn);
std::unexpected<Error> activity_does_not_exist(std::string_view arn);
std::unexpected<Error> activity_already_exists(std::string_view arn);
std::unexpected<Error> resource_not_found(std::string_view arn);  // of tags
std::unexpected<Error> referenced_resource_not_found();           // of aliases
std::unexpected<Error> too_many_tags(std::string_view arn);
std::unexpected<Error> invalid_definition(std::string message);
std::unexpected<Error> states_validation(std::string message);  // ValidationException
// The same with its member "reason", which stands behind '/' in Error::name. RECORDED: routing configurations
// that are refused have none.
enum class ValidationReason : std::uint8_t { LabeledArn, MissingParameter, CompletedMapRun };
std::unexpected<Error> states_validation(std::string message, ValidationReason reason);
std::unexpected<Error> states_conflict(std::string message);  // ConflictException
std::unexpected<Error> quota_exceeded(std::string message);   // ServiceQuotaExceededException

// Any other: the name and the whole text.
std::unexpected<Error> states_error(Code code, std::string_view name, std::string message);

}  // namespace stoker::core
