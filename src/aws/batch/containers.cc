#include "aws/batch/containers.h"

namespace stoker::aws {

json::Object with_empty_lists(const json::Value& properties) {
  json::Object out = properties.get_object();
  for (const std::string_view list :
       {"command", "volumes", "environment", "mountPoints", "ulimits", "resourceRequirements", "secrets"}) {
    if (out.find(list) == out.end()) out.emplace(list, json::Array{});
  }
  return out;
}

}  // namespace stoker::aws
