#include "core/workflow/definition/resource.h"

#include "base/text.h"

namespace stoker::asl {
namespace {

enum Patterns : std::uint8_t { kRequest = 1, kSync = 2, kSync2 = 4, kToken = 8 };

// "Optimized" integrations: service, APIs, and how their tasks can be waited for (Developer Guide,
// integrating services). A service without APIs takes any.
struct Integration {
  std::string_view service;
  std::string_view apis;  // separated by blanks
  std::uint8_t patterns;
};

constexpr Integration kIntegrations[] = {
    {"lambda", "invoke", kRequest | kToken},
    {"batch", "submitJob", kRequest | kSync | kToken},
    {"states", "startExecution", kRequest | kSync | kSync2 | kToken},
    {"http", "invoke", kRequest},
    {"dynamodb", "getItem putItem deleteItem updateItem", kRequest},
    {"sns", "publish", kRequest | kToken},
    {"sqs", "sendMessage", kRequest | kToken},
    {"events", "putEvents", kRequest | kToken},
    {"apigateway", "invoke", kRequest | kToken},
    {"ecs", "runTask", kRequest | kSync | kToken},
    {"eks", "call", kRequest},
    {"eks",
     "createCluster deleteCluster createFargateProfile deleteFargateProfile createNodegroup "
     "deleteNodegroup runJob",
     kRequest | kSync},
    {"glue", "startJobRun", kRequest | kSync},
    {"databrew", "startJobRun", kRequest | kSync},
    {"sagemaker", "createEndpoint createEndpointConfig createModel updateEndpoint", kRequest},
    {"sagemaker",
     "createLabelingJob createTrainingJob createTransformJob createHyperParameterTuningJob "
     "createProcessingJob createAutoMLJob",
     kRequest | kSync},
    {"elasticmapreduce", "createCluster addStep terminateCluster", kRequest | kSync},
    {"elasticmapreduce",
     "cancelStep setClusterTerminationProtection modifyInstanceFleetByName "
     "modifyInstanceGroupByName",
     kRequest},
    {"emr-containers", "createVirtualCluster", kRequest},
    {"emr-containers", "deleteVirtualCluster startJobRun", kRequest | kSync},
    {"emr-serverless",
     "createApplication deleteApplication startApplication stopApplication startJobRun "
     "cancelJobRun",
     kRequest | kSync},
    {"codebuild", "startBuild startBuildBatch retryBuildBatch", kRequest | kSync},
    {"codebuild", "stopBuild stopBuildBatch batchDeleteBuilds batchGetReports deleteBuildBatch", kRequest},
    {"athena", "startQueryExecution", kRequest | kSync},
    {"athena", "stopQueryExecution getQueryExecution getQueryResults", kRequest},
    {"mediaconvert", "createJob", kRequest | kSync},
    {"bedrock", "invokeModel", kRequest},
    {"bedrock", "createModelCustomizationJob", kRequest | kSync},
};

bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

// Splits "submitJob.sync:2" at the first '.'; nothing for an unknown ending.
std::optional<std::uint8_t> pattern_of(std::string_view ending) {
  if (ending.empty()) return kRequest;
  if (ending == ".sync") return kSync;
  if (ending == ".sync:2") return kSync2;
  if (ending == ".waitForTaskToken") return kToken;
  return std::nullopt;
}

bool is_integration(std::string_view service, std::string_view api, std::uint8_t pattern) {
  return std::ranges::any_of(kIntegrations, [&](const Integration& known) {
    return known.service == service && (known.patterns & pattern) != 0 &&
           std::ranges::count(split(known.apis, ' '), api) > 0;
  });
}

struct Parts {
  bool known = false;
  bool activity = false;
  std::uint8_t pattern = kRequest;
};

// "service:api", "aws-sdk:service:api", with an ending.
Parts parse_integration(std::string_view rest) {
  const std::size_t dot = std::min(rest.find('.'), rest.size());
  const auto pattern = pattern_of(rest.substr(dot));
  const std::vector<std::string_view> names = split(rest.substr(0, dot), ':');
  if (!pattern) return {};
  Parts parts{.known = false, .activity = false, .pattern = *pattern};
  if (names.size() == 3 && names[0] == "aws-sdk")
    parts.known = is_name(names[1]) && is_name(names[2]) && (*pattern & (kRequest | kToken)) != 0;
  else if (names.size() == 2)
    parts.known = is_integration(names[0], names[1], *pattern);
  return parts;
}

Parts parse_resource(std::string_view arn) {
  const std::vector<std::string_view> parts = split(arn, ':');
  if (parts.size() < 6 || parts[0] != "arn" || !parts[1].starts_with("aws")) return {};
  if (parts[2] == "lambda" && parts[5] == "function")
    return {.known = parts.size() >= 7 && !parts[6].empty(), .activity = false, .pattern = kRequest};
  if (parts[2] != "states") return {};
  if (parts[5] == "activity")
    return {.known = parts.size() == 7 && !parts[6].empty(), .activity = true, .pattern = kRequest};
  if (!parts[3].empty() || !parts[4].empty()) return {};
  return parse_integration(arn.substr(static_cast<std::size_t>(parts[5].data() - arn.data())));
}

}  // namespace

void check_resource(std::string_view arn, const Where& where, Reading& reading) {
  const Parts parts = parse_resource(arn);
  if (!parts.known) {
    reading.diagnosis.schema(
        "The resource provided " + std::string(arn) +
            " is not recognized. The value is not a valid resource ARN, or the resource is "
            "not available in this region.",
        where);
    return;
  }
  if (!reading.express) return;
  if (parts.activity) reading.diagnosis.schema("Express state machine does not support Activity ARN", where);
  if ((parts.pattern & (kSync | kSync2)) != 0)
    reading.diagnosis.schema("Express state machine does not support '.sync' service integration", where);
  if ((parts.pattern & kToken) != 0)  // the two blanks are AWS's
    reading.diagnosis.schema(
        "Express state machine does not support '.waitForTaskToken' service integration ", where);
}

bool waits_for_work(std::string_view arn) {
  const Parts parts = parse_resource(arn);
  return parts.known && (parts.pattern & (kSync | kSync2)) != 0;
}

}  // namespace stoker::asl
