#include "core/machines/errors.h"

namespace stoker::core {
namespace {

std::string quoted(std::string_view sentence, std::string_view what) {
  return std::string(sentence) + ": '" + std::string(what) + "'";
}

}  // namespace

std::unexpected<Error> states_error(Code code, std::string_view name, std::string message) {
  return std::unexpected(Error{code, std::move(message), name});
}

std::unexpected<Error> invalid_arn(const std::string& why) {
  return states_error(Code::InvalidArgument, "InvalidArn", quoted("Invalid Arn", why));
}
std::unexpected<Error> invalid_name(std::string_view name) {
  return states_error(Code::InvalidArgument, "InvalidName", quoted("Invalid Name", name));
}
std::unexpected<Error> invalid_token() {
  return states_error(Code::InvalidArgument, "InvalidToken", quoted("Invalid Token", "Invalid token"));
}
std::unexpected<Error> machine_does_not_exist(std::string_view arn) {
  return states_error(Code::NotFound, "StateMachineDoesNotExist",
                      quoted("State Machine Does Not Exist", arn));
}
std::unexpected<Error> machine_already_exists(std::string_view arn) {
  return states_error(Code::AlreadyExists, "StateMachineAlreadyExists",
                      quoted("State Machine Already Exists", arn));
}
std::unexpected<Error> machine_is_deleting(std::string_view arn) {
  return states_error(Code::Conflict, "StateMachineDeleting", quoted("State Machine is being deleted", arn));
}
std::unexpected<Error> machine_type_not_supported() {
  return states_error(Code::NotSupported, "StateMachineTypeNotSupported",
                      "This operation is not supported by this type of state machine");
}
std::unexpected<Error> execution_does_not_exist(std::string_view arn) {
  return states_error(Code::NotFound, "ExecutionDoesNotExist", quoted("Execution Does Not Exist", arn));
}
std::unexpected<Error> execution_already_exists(std::string_view arn) {
  return states_error(Code::AlreadyExists, "ExecutionAlreadyExists", quoted("Execution Already Exists", arn));
}
std::unexpected<Error> activity_does_not_exist(std::string_view arn) {
  return states_error(Code::NotFound, "ActivityDoesNotExist", quoted("Activity Does Not Exist", arn));
}
std::unexpected<Error> activity_already_exists(std::string_view arn) {
  return states_error(Code::AlreadyExists, "ActivityAlreadyExists", quoted("Activity Already Exists", arn));
}
std::unexpected<Error> resource_not_found(std::string_view arn) {
  return states_error(Code::NotFound, "ResourceNotFound", quoted("Resource not found", arn));
}
std::unexpected<Error> referenced_resource_not_found() {
  return states_error(Code::NotFound, "ResourceNotFound",
                      "Request references a resource that does not exist.");
}
std::unexpected<Error> too_many_tags(std::string_view arn) {
  return states_error(Code::LimitExceeded, "TooManyTags", quoted("Too many tags for the resource", arn));
}
std::unexpected<Error> invalid_definition(std::string message) {
  return states_error(Code::InvalidArgument, "InvalidDefinition", std::move(message));
}
std::unexpected<Error> states_validation(std::string message) {
  return states_error(Code::InvalidArgument, "ValidationException", std::move(message));
}
std::unexpected<Error> states_validation(std::string message, ValidationReason reason) {
  static constexpr std::string_view kNames[] = {"ValidationException/API_DOES_NOT_SUPPORT_LABELED_ARNS",
                                                "ValidationException/MISSING_REQUIRED_PARAMETER",
                                                "ValidationException/CANNOT_UPDATE_COMPLETED_MAP_RUN"};
  return states_error(Code::InvalidArgument, kNames[static_cast<std::size_t>(reason)], std::move(message));
}
std::unexpected<Error> states_conflict(std::string message) {
  return states_error(Code::Conflict, "ConflictException", std::move(message));
}
std::unexpected<Error> quota_exceeded(std::string message) {
  return states_error(Code::LimitExceeded, "ServiceQuotaExceededException", std::move(message));
}

}  // namespace stoker::core
