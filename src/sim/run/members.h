#pragma once
// Reading the members of a JSON object with their bounds; what nobody asked for is a fault.
#include <set>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "json/json.h"
#include "sim/run/draw.h"

namespace stoker::sim {

[[nodiscard]] std::unexpected<Error> bad_member(std::string_view member, const std::string& rule);

class Members {
 public:
  explicit Members(const json::Value& value) : value_(value) {}

  const json::Value* find(std::string_view name);
  // What is absent keeps its value.
  Result<void> whole(std::string_view name, std::int64_t least, std::int64_t most, std::int64_t& out);
  Result<void> whole(std::string_view name, std::int64_t least, std::int64_t most, int& out);
  Result<void> number(std::string_view name, double least, double most, double& out);
  Result<void> flag(std::string_view name, bool& out);
  // Whole seconds, at most ten years.
  Result<void> time(std::string_view name, Duration& out);
  Result<void> draw(std::string_view name, Draw& out);
  // Not empty, at most 4000 bytes.
  Result<void> text(std::string_view name, std::string& out);
  // A list of `least` to `most` values; null when it is absent and `least` is 0.
  Result<const json::Array*> list(std::string_view name, std::size_t least, std::size_t most);
  // What `read` makes of the members of an object, or of each object of a list with its index, where it is
  // there: Result<void> read(Members&), read(Members&, std::size_t). What is wrong in it has its name before
  // it.
  template <class Read>
  Result<void> object(std::string_view name, Read read);
  template <class Read>
  Result<void> each(std::string_view name, std::size_t least, std::size_t most, Read read);
  Result<void> nothing_else() const;

 private:
  const json::Value& value_;
  std::set<std::string_view> known_;
};

// "jobs[3]"
std::string numbered(std::string_view list, std::size_t index);

// All of an object that lies at `where`.
template <class Read>
Result<void> read_object(const json::Value& value, const std::string& where, Read read) {
  if (!value.is_object()) return bad_member(where, "must be an object");
  Members members(value);
  Result<void> done = read(members);
  if (done) done = members.nothing_else();
  if (!done) return std::unexpected(std::move(done).error().within(where));
  return {};
}

template <class Read>
Result<void> Members::object(std::string_view name, Read read) {
  const json::Value* value = find(name);
  if (value == nullptr) return {};
  return read_object(*value, std::string(name), read);
}

template <class Read>
Result<void> Members::each(std::string_view name, std::size_t least, std::size_t most, Read read) {
  const json::Array* entries = TRY(list(name, least, most));
  for (std::size_t i = 0; entries != nullptr && i < entries->size(); ++i)
    TRY(read_object((*entries)[i], numbered(name, i), [&](Members& members) { return read(members, i); }));
  return {};
}

}  // namespace stoker::sim
