#pragma once
// The shapes of requests and responses, as data: which members a structure has, their types, and the bounds
// that the service models state. The table behind it (shapes_table.cc) is written by tools/generate_shapes;
// the validator and the router read it. Everything lives as long as the program.
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace stoker::aws {

enum class Service : std::uint8_t { Batch, Logs, States, Stoker };

enum class Type : std::uint8_t {
  Structure,
  List,
  Map,
  String,
  Integer,  // 32 bits
  Long,     // 64 bits
  Float,
  Double,
  Boolean,
  Timestamp,  // a number: seconds since the epoch, with a fraction
  Blob,       // base64 in a string
};

// An index into shapes(). kNoShape: an operation without input or output.
using ShapeId = std::uint16_t;
inline constexpr ShapeId kNoShape = 0xffff;

enum class Location : std::uint8_t { Body, Uri, Query };

struct Member {
  std::string_view name;  // the same in our JSON and on the wire
  ShapeId shape = kNoShape;
  bool required = false;
  Location location = Location::Body;
};

inline constexpr std::int64_t kNoMin = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t kNoMax = std::numeric_limits<std::int64_t>::max();

struct Shape {
  std::string_view name;
  Type type = Type::Structure;
  bool sensitive = false;                         // the value is never quoted in an error text
  ShapeId key = kNoShape;                         // Map
  ShapeId element = kNoShape;                     // List, Map: what the values are
  std::span<const Member> members = {};           // Structure; at most 64
  std::uint64_t required = 0;                     // Structure: bit i for members[i]
  std::span<const std::string_view> values = {};  // String with an enumeration
  std::string_view pattern = {};                  // String: the whole text must match; "" for none
  // Strings: characters. Lists and maps: entries. Numbers: the value.
  std::int64_t min = kNoMin;
  std::int64_t max = kNoMax;
};

enum class OperationId : std::uint16_t;

struct Operation {
  OperationId id;
  Service service;
  std::string_view name;    // "SubmitJob"
  std::string_view method;  // "POST"
  std::string_view uri;  // "/v1/submitjob", "/v1/tags/{resourceArn}"; "/" where a header names the operation
  ShapeId input;
  ShapeId output;
};

std::span<const Shape> shapes();
// Sorted by service and, within it, by path (Batch, Stoker) or name.
std::span<const Operation> operations();

const Shape& shape(ShapeId id);
const Operation& operation(OperationId id);
// The operations of one service.
std::span<const Operation> operations_of(Service service);

struct ServiceFacts {
  std::string_view name;           // as in our own texts
  std::string_view signing_name;   // in the scope of a signature
  std::string_view target_prefix;  // before the dot of X-Amz-Target; "" for services with paths
  std::string_view content_type;   // of answers
};
const ServiceFacts& facts(Service service);

}  // namespace stoker::aws
