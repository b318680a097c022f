#include "core/workflow/run/resource.h"

namespace stoker::workflow {
namespace {

constexpr int kArnRest = 5;

bool take_suffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

}  // namespace

std::string_view arn_field(std::string_view arn, int field) {
  for (int i = 0; i < field; ++i) {
    const auto colon = arn.find(':');
    if (colon == std::string_view::npos) return {};
    arn.remove_prefix(colon + 1);
  }
  return field == kArnRest ? arn : arn.substr(0, arn.find(':'));
}

Resource read_resource(std::string_view arn) {
  Resource read;
  const std::string_view owner = arn_field(arn, 2);
  std::string_view rest = arn_field(arn, kArnRest);
  read.name = arn;
  if (owner == "states" && rest.starts_with("activity:")) {
    read.kind = TaskKind::Activity;
    read.service = "activity";
  } else if (owner == "lambda") {
    read.kind = TaskKind::Lambda;
    read.service = "lambda";
  } else {
    read.name = rest;
    if (take_suffix(rest, ".sync:2"))
      read.pattern = Pattern::Sync2;
    else if (take_suffix(rest, ".sync"))
      read.pattern = Pattern::Sync;
    else if (take_suffix(rest, ".waitForTaskToken"))
      read.pattern = Pattern::WaitForTaskToken;
    // "batch:submitJob", "aws-sdk:sfn:startExecution": the API is the last part.
    const auto colon = rest.rfind(':');
    if (colon == std::string_view::npos) return read;
    read.service = rest.substr(0, colon);
    read.api = rest.substr(colon + 1);
    read.name.erase(0, colon + 1);
  }
  return read;
}

}  // namespace stoker::workflow
