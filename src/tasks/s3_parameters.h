#pragma once
// Names of buckets and keys in parameters.
#include "tasks/parameters.h"

namespace stoker::tasks {

std::string bucket_of(Parameters& parameters);  // "Bucket"
// "Key" or "Prefix". Parts "." and ".." are refused: they would lead some servers out of the bucket.
std::string key_of(Parameters& parameters, std::string_view name = "Key",
                   Parameters::Need need = Parameters::Need::Required);

}  // namespace stoker::tasks
