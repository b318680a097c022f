#pragma once
// Inside of Payload: expressions of JSONata as values of fields.
#include <string_view>

#include "core/workflow/data/fault.h"
#include "core/workflow/data/scope.h"
#include "core/workflow/data/spot.h"
#include "core/workflow/jsonata/jsonata.h"

namespace stoker::asl {

// What the expressions of one field may read, made once for all of them. Everything is borrowed from the
// scope, which must live on.
class JsonataWorld {
 public:
  explicit JsonataWorld(const Scope& scope);
  Evaluated<json::Value> evaluate(const jsonata::Expression& expression, const Spot& field);

 private:
  const jsonata::Bindings* bindings_ = nullptr;
  jsonata::Environment environment_;
};

}  // namespace stoker::asl
