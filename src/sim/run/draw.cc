#include "sim/run/draw.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stoker::sim {
namespace {

Duration bounded(double ms) {
  return {std::llround(std::clamp(ms, 0.0, static_cast<double>(kDrawMax.ms)))};
}

Result<double> number(const json::Value* value, std::string_view name, double least, double most) {
  double got = -1;
  if (value != nullptr && value->is_int64()) got = static_cast<double>(value->get_int64());
  if (value != nullptr && value->is_double()) got = value->get_double();
  if (!(got >= least && got <= most))
    return fail(Code::InvalidArgument, (name.empty() ? "" : std::string(name) + ": ") +
                                           "must be a number from 0 to " +
                                           std::to_string(std::llround(most)));
  return got;
}

Result<Duration> time(const json::Value* value, std::string_view name) {
  const double got = TRY(number(value, name, 0, static_cast<double>(kDrawMax.ms / 1000)));
  return bounded(got * 1000);
}

template <class Member>
std::string_view key_of(const Member& member) {
  return {member.key().data(), member.key().size()};
}

// An object with these members and no others.
Result<void> check_members(const json::Value& value, std::initializer_list<std::string_view> names) {
  if (!value.is_object()) return fail(Code::InvalidArgument, "must be an object");
  for (const auto& member : value.get_object())
    if (std::ranges::find(names, key_of(member)) == names.end())
      return fail(Code::InvalidArgument, std::string(key_of(member)) + ": is not known");
  return {};
}

Result<Draw> read_uniform(const json::Value& value) {
  if (!value.is_array() || value.get_array().size() != 2)
    return fail(Code::InvalidArgument, "must be a list of two numbers of seconds");
  Draw draw{DrawKind::Uniform, {}, {}, 0};
  draw.a = TRY(time(&value.get_array()[0], "the first"));
  draw.b = TRY(time(&value.get_array()[1], "the second"));
  if (draw.b < draw.a) return fail(Code::InvalidArgument, "the second must not be below the first");
  return draw;
}

Result<Draw> read_exponential(const json::Value& value) {
  TRY(check_members(value, {"mean"}));
  const Duration mean = TRY(time(json::find(value, "mean"), "mean"));
  return Draw{DrawKind::Exponential, mean, {}, 0};
}

Result<Draw> read_lognormal(const json::Value& value) {
  const bool mean = json::find(value, "mean") != nullptr;
  TRY(check_members(value, {mean ? "mean" : "median", "sigma"}));
  Draw draw{DrawKind::LogNormal, {}, {}, 0};
  draw.sigma = TRY(number(json::find(value, "sigma"), "sigma", 0, 10));
  draw.a = TRY(time(json::find(value, mean ? "mean" : "median"), mean ? "mean" : "median"));
  if (mean) draw.a = bounded(static_cast<double>(draw.a.ms) / std::exp(draw.sigma * draw.sigma / 2));
  return draw;
}

}  // namespace

double draw_unit(Rng& rng) {
  return (static_cast<double>(rng.next() >> 11) + 0.5) * 0x1.0p-53;
}

Duration draw(const Draw& draw, Rng& rng) {
  const auto a = static_cast<double>(draw.a.ms);
  switch (draw.kind) {
    case DrawKind::Fixed:
      return draw.a;
    case DrawKind::Uniform:
      return bounded(a + draw_unit(rng) * (static_cast<double>(draw.b.ms) - a));
    case DrawKind::Exponential:
      return bounded(-a * std::log(draw_unit(rng)));
    case DrawKind::LogNormal: {
      // Box and Muller; the second number of the pair is not used, so that one draw is two numbers, always.
      const double radius = std::sqrt(-2 * std::log(draw_unit(rng)));
      const double normal = radius * std::cos(2 * std::numbers::pi * draw_unit(rng));
      return bounded(a * std::exp(draw.sigma * normal));
    }
  }
  return draw.a;
}

Result<Draw> read_draw(const json::Value& value) {
  if (!value.is_object()) return always(TRY(time(&value, "")));
  constexpr std::pair<std::string_view, Result<Draw> (*)(const json::Value&)> kKinds[] = {
      {"uniform", read_uniform}, {"lognormal", read_lognormal}, {"exponential", read_exponential}};
  const json::Object& members = value.get_object();
  const auto kind = std::ranges::find_if(
      kKinds, [&](const auto& one) { return members.size() == 1 && key_of(*members.begin()) == one.first; });
  if (kind == std::end(kKinds))
    return fail(Code::InvalidArgument, "must be seconds, or one of uniform, lognormal and exponential");
  auto read = kind->second(members.begin()->value());
  if (!read) return std::unexpected(std::move(read).error().within(std::string(kind->first)));
  return read;
}

}  // namespace stoker::sim
