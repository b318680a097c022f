#include "sim/run/members.h"

namespace stoker::sim {

std::unexpected<Error> bad_member(std::string_view member, const std::string& rule) {
  return fail(Code::InvalidArgument, std::string(member) + ": " + rule);
}

const json::Value* Members::find(std::string_view name) {
  known_.insert(name);
  return json::find(value_, name);
}

Result<void> Members::whole(std::string_view name, std::int64_t least, std::int64_t most, std::int64_t& out) {
  const json::Value* value = find(name);
  if (value == nullptr) return {};
  if (!value->is_int64() || value->get_int64() < least || value->get_int64() > most)
    return bad_member(name,
                      "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  out = value->get_int64();
  return {};
}

Result<void> Members::whole(std::string_view name, std::int64_t least, std::int64_t most, int& out) {
  std::int64_t wide = out;
  TRY(whole(name, least, most, wide));
  out = static_cast<int>(wide);
  return {};
}

Result<void> Members::time(std::string_view name, Duration& out) {
  std::int64_t count = out.ms / 1000;
  TRY(whole(name, 0, kDrawMax.ms / 1000, count));
  out = seconds(count);
  return {};
}

Result<void> Members::draw(std::string_view name, Draw& out) {
  const json::Value* value = find(name);
  if (value == nullptr) return {};
  auto read = read_draw(*value);
  if (!read) return std::unexpected(std::move(read).error().within(std::string(name)));
  out = *read;
  return {};
}

Result<void> Members::number(std::string_view name, double least, double most, double& out) {
  const json::Value* value = find(name);
  if (value == nullptr) return {};
  double got = least - 1;
  if (value->is_int64()) got = static_cast<double>(value->get_int64());
  if (value->is_double()) got = value->get_double();
  if (!(got >= least && got <= most))
    return bad_member(name, "must be a number from " + json::write(json::Value(least)) + " to " +
                                json::write(json::Value(most)));
  out = got;
  return {};
}

Result<void> Members::flag(std::string_view name, bool& out) {
  const json::Value* value = find(name);
  if (value == nullptr) return {};
  if (!value->is_bool()) return bad_member(name, "must be true or false");
  out = value->get_bool();
  return {};
}

Result<void> Members::text(std::string_view name, std::string& out) {
  constexpr std::size_t kMost = 4000;
  const json::Value* value = find(name);
  if (value == nullptr) return {};
  const std::string_view got = json::text(*value);
  if (got.empty() || got.size() > kMost)
    return bad_member(name, "must be text of 1 to " + std::to_string(kMost) + " bytes");
  out = got;
  return {};
}

Result<const json::Array*> Members::list(std::string_view name, std::size_t least, std::size_t most) {
  const json::Value* value = find(name);
  if (value == nullptr && least == 0) return nullptr;
  if (value == nullptr || !value->is_array() || value->get_array().size() < least ||
      value->get_array().size() > most)
    return bad_member(name, "must be a list of " + std::to_string(least) + " to " + std::to_string(most));
  return &value->get_array();
}

Result<void> Members::nothing_else() const {
  if (!value_.is_object()) return fail(Code::InvalidArgument, "must be an object");
  for (const auto& entry : value_.get_object()) {
    const std::string_view key(entry.key().data(), entry.key().size());
    if (!known_.contains(key)) return bad_member(key, "is not known");
  }
  return {};
}

std::string numbered(std::string_view list, std::size_t index) {
  return std::string(list) + "[" + std::to_string(index) + "]";
}

}  // namespace stoker::sim
