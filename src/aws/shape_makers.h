#pragma once
// The vocabulary in which shapes_table.cc and states/response_shapes_table.cc are written. Nothing else
// includes this.
#include <cstddef>

#include "aws/shapes.h"

namespace stoker::aws {
namespace {

constexpr bool kRequired = true;
[[maybe_unused]] constexpr bool kOptional = false;
constexpr Location kUri = Location::Uri;
constexpr Location kQuery = Location::Query;

// A bound that the model does not state.
struct None {};
constexpr None kNone;
struct Min {
  std::int64_t value = kNoMin;
  constexpr Min() = default;
  constexpr Min(None) {}  // NOLINT(google-explicit-constructor)
  constexpr Min(std::int64_t v) : value(v) {}
};
struct Max {
  std::int64_t value = kNoMax;
  constexpr Max() = default;
  constexpr Max(None) {}
  constexpr Max(std::int64_t v) : value(v) {}
};

constexpr Shape structure(std::string_view name, std::span<const Member> members = {}) {
  std::uint64_t required = 0;
  for (std::size_t i = 0; i < members.size(); ++i) required |= std::uint64_t{members[i].required} << i;
  return {.name = name, .type = Type::Structure, .members = members, .required = required};
}
constexpr Shape list(std::string_view name, ShapeId element, Min min = {}, Max max = {}) {
  return {.name = name, .type = Type::List, .element = element, .min = min.value, .max = max.value};
}
constexpr Shape map(std::string_view name, ShapeId key, ShapeId value, Min min = {}, Max max = {}) {
  return {.name = name, .type = Type::Map, .key = key, .element = value, .min = min.value, .max = max.value};
}
constexpr Shape string(std::string_view name, Min min = {}, Max max = {}, std::string_view pattern = {},
                       bool sensitive = false) {
  return {.name = name,
          .type = Type::String,
          .sensitive = sensitive,
          .pattern = pattern,
          .min = min.value,
          .max = max.value};
}
constexpr Shape one_of(std::string_view name, std::span<const std::string_view> values) {
  return {.name = name, .type = Type::String, .values = values};
}
constexpr Shape scalar(std::string_view name, Type type, Min min = {}, Max max = {}, bool sensitive = false) {
  return {.name = name, .type = type, .sensitive = sensitive, .min = min.value, .max = max.value};
}

}  // namespace
}  // namespace stoker::aws
