#pragma once
// Tags that begin with "stoker:" are words of this server. Each kind of resource has one table of those that
// mean something there; whoever takes tags asks here, so that none is ever accepted without effect.
#include <optional>
#include <string>

#include "base/result.h"
#include "core/model/types.h"
#include "core/requests.h"

namespace stoker::core {

// What is wrong with such tags of a resource of that kind, naming the tag and the rule; "" when nothing is.
// No kind: resources of Step Functions, which have none. Tags of others are passed over.
std::string fault_in_own_tags(std::optional<ResourceKind> kind, const Tags& tags);
// The same as InvalidArgument.
Result<void> check_own_tags(ResourceKind kind, const Tags& tags);

}  // namespace stoker::core
