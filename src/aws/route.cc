#include "aws/route.h"

#include "aws/validate.h"
#include "base/text.h"

namespace stoker::aws {
namespace {

std::string_view path_of(std::string_view target) {
  return target.substr(0, target.find('?'));
}
std::string_view query_of(std::string_view target) {
  const std::size_t mark = target.find('?');
  return mark == std::string_view::npos ? std::string_view{} : target.substr(mark + 1);
}

Fault unknown_operation(const net::Request& request, int status) {
  const std::string_view target = header(request, "x-amz-target");
  std::string what =
      target.empty() ? request.method + ' ' + std::string(path_of(request.target)) : std::string(target);
  constexpr std::size_t kQuotedMax = 200;
  if (what.size() > kQuotedMax) what.resize(kQuotedMax);
  return {"UnknownOperationException", status, "stoker has no operation " + to_valid_utf8(what)};
}

// The fixed part before "{member}" of a path that has one.
std::string_view fixed_part(std::string_view uri) {
  return uri.substr(0, uri.find('{'));
}

const Operation* find_by_path(Service service, const net::Request& request) {
  const std::string_view path = path_of(request.target);
  const auto all = operations_of(service);
  auto [first, last] = std::ranges::equal_range(all, path, {}, &Operation::uri);
  for (; first != last; ++first) {
    if (first->method == request.method) return &*first;
  }
  // The few operations with a member in the path.
  for (const Operation& candidate : all) {
    const std::string_view fixed = fixed_part(candidate.uri);
    if (fixed.size() == candidate.uri.size() || candidate.method != request.method) continue;
    if (path.starts_with(fixed) && path.size() > fixed.size()) return &candidate;
  }
  return nullptr;
}

const Operation* find_by_target(std::string_view target) {
  const std::size_t dot = target.find('.');
  if (dot == std::string_view::npos) return nullptr;
  for (const Service service : {Service::Logs, Service::States}) {
    if (facts(service).target_prefix != target.substr(0, dot)) continue;
    const auto all = operations_of(service);
    const auto found = std::ranges::lower_bound(all, target.substr(dot + 1), {}, &Operation::name);
    return found != all.end() && found->name == target.substr(dot + 1) ? &*found : nullptr;
  }
  return nullptr;
}

std::unexpected<Fault> bad_input(const Operation& operation, std::string message) {
  return std::unexpected(fault_of(operation.service, Error{Code::InvalidArgument, std::move(message)}));
}

// The values that the query has for one member, decoded. Nothing for bad encoding or too many.
std::optional<json::Array> query_values(std::string_view query, std::string_view name) {
  json::Array out;
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const auto key = percent_decode(pair.substr(0, equals));
    if (!key) return std::nullopt;
    if (*key != name) continue;
    std::string text(pair.substr(std::min(equals + 1, pair.size())));
    std::ranges::replace(text, '+', ' ');
    const auto value = percent_decode(text);
    if (!value || !is_valid_utf8(*value) || out.size() >= kQueryValuesMax) return std::nullopt;
    out.emplace_back(*value);
  }
  return out;
}

// Adds a member that travels outside the body. Only texts and lists of texts do.
std::expected<void, Fault> add_member(const Operation& operation, const Member& member,
                                      const net::Request& request, json::Object& input) {
  if (member.location == Location::Uri) {
    const auto text = percent_decode(path_of(request.target).substr(fixed_part(operation.uri).size()));
    if (!text || !is_valid_utf8(*text)) return bad_input(operation, "The path is not valid percent-encoding");
    input[member.name] = *text;
    return {};
  }
  auto values = query_values(query_of(request.target), member.name);
  if (!values) return bad_input(operation, "The query is not valid for " + std::string(member.name));
  if (values->empty()) {
    input.erase(member.name);
  } else if (shape(member.shape).type == Type::List) {
    input[member.name] = std::move(*values);
  } else {
    input[member.name] = std::move(values->back());
  }
  return {};
}

}  // namespace

bool is_ours(const net::Request& request) {
  const std::string_view path = path_of(request.target);
  if (path.starts_with("/v1/") || path.starts_with("/stoker/v1/")) return true;
  return !header(request, "x-amz-target").empty() || header(request, "authorization").starts_with("AWS4-") ||
         header(request, "content-type").starts_with("application/x-www-form-urlencoded");
}

std::expected<const Operation*, Fault> find_operation(const net::Request& request) {
  constexpr int kUnknownPath = 404;
  constexpr int kUnknownTarget = 400;
  const std::string_view path = path_of(request.target);
  const Operation* found = nullptr;
  if (path.starts_with("/v1/")) {
    found = find_by_path(Service::Batch, request);
  } else if (path.starts_with("/stoker/v1/")) {
    found = find_by_path(Service::Stoker, request);
  } else if (const std::string_view target = header(request, "x-amz-target"); !target.empty()) {
    if (request.method == "POST") found = find_by_target(target);
    if (found == nullptr) return std::unexpected(unknown_operation(request, kUnknownTarget));
  }
  if (found == nullptr) return std::unexpected(unknown_operation(request, kUnknownPath));
  return found;
}

std::expected<json::Value, Fault> read_input(const Operation& operation, const net::Request& request) {
  json::Value input;
  if (request.body.empty()) {
    input.emplace_object();
  } else {
    auto parsed = json::parse(request.body, {.depth_max = kBodyDepthMax, .bytes_max = request.body.size()});
    if (!parsed) return bad_input(operation, "The body is not JSON: " + parsed.error().message);
    if (!parsed->is_object()) return bad_input(operation, "The body must be a JSON object");
    input = std::move(*parsed);
  }
  if (operation.input == kNoShape) return input;
  for (const Member& member : shape(operation.input).members) {
    if (member.location == Location::Body) continue;
    if (auto added = add_member(operation, member, request, input.get_object()); !added) {
      return std::unexpected(std::move(added.error()));
    }
  }
  const std::size_t quoted_bytes_max =
      operation.service == Service::States ? kQuotedBytesMaxOfStates : kQuotedBytesMax;
  if (auto checked = validate(operation.input, input, quoted_bytes_max); !checked) {
    return std::unexpected(fault_of(operation.service, checked.error()));
  }
  return input;
}

}  // namespace stoker::aws
