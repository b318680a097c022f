#include "tasks/s3_parameters.h"

#include <algorithm>

#include "base/text.h"

namespace stoker::tasks {

std::string bucket_of(Parameters& parameters) {
  std::string bucket = parameters.text("Bucket", Parameters::Need::Required);
  const bool name = std::ranges::all_of(bucket, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  });
  if (!name || bucket.starts_with('.'))
    parameters.fault("The value of the field 'Bucket' has an invalid format");
  return bucket;
}

std::string key_of(Parameters& parameters, std::string_view name, Parameters::Need need) {
  std::string key = parameters.text(name, need);
  const auto parts = split(key, '/');
  if (std::ranges::any_of(parts, [](std::string_view part) { return part == "." || part == ".."; }))
    parameters.fault("The value of the field '" + std::string(name) + "' has an invalid format");
  return key;
}

}  // namespace stoker::tasks
