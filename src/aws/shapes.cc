#include "aws/shapes.h"

#include "aws/shapes_table.h"
#include "base/assert.h"

namespace stoker::aws {

const Shape& shape(ShapeId id) {
  ASSERT(id < shapes().size());
  return shapes()[id];
}

const Operation& operation(OperationId id) {
  const auto index = static_cast<std::size_t>(id);
  ASSERT(index < operations().size());
  return operations()[index];
}

std::span<const Operation> operations_of(Service service) {
  static constexpr std::size_t kServices = 4;
  static const std::array<std::span<const Operation>, kServices> ranges = [] {
    std::array<std::span<const Operation>, kServices> out;
    for (std::size_t s = 0; s < kServices; ++s) {
      const auto found =
          std::ranges::equal_range(operations(), static_cast<Service>(s), {}, &Operation::service);
      out[s] = {found.begin(), found.end()};
    }
    return out;
  }();
  return ranges[static_cast<std::size_t>(service)];
}

const ServiceFacts& facts(Service service) {
  static constexpr ServiceFacts kFacts[] = {
      {"AWS Batch", "batch", "", "application/json"},
      {"CloudWatch Logs", "logs", "Logs_20140328", "application/x-amz-json-1.1"},
      {"Step Functions", "states", "AWSStepFunctions", "application/x-amz-json-1.0"},
      {"stoker", "stoker", "", "application/json"},
  };
  return kFacts[static_cast<std::size_t>(service)];
}

}  // namespace stoker::aws
