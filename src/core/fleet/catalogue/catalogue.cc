#include "core/fleet/catalogue/catalogue.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <initializer_list>

#include "core/fleet/catalogue/table.h"

namespace stoker::fleet {
namespace {

constexpr std::int64_t kVcpusMax = 10'000;
constexpr std::int64_t kMemoryMax = 1'000'000'000;  // MiB
constexpr std::int64_t kGpusMax = 1'000;
constexpr std::size_t kNameMax = 64;

struct Member {
  std::string_view name;
  std::int64_t InstanceType::* field;
  std::int64_t least;
  std::int64_t most;
};
constexpr Member kMembers[] = {
    {"vcpus", &InstanceType::vcpus, 1, kVcpusMax},
    {"memoryMiB", &InstanceType::memory_mib, 1, kMemoryMax},
    {"gpus", &InstanceType::gpus, 0, kGpusMax},
    {"gpuMilli", &InstanceType::gpu_milli, 1, 1000},
    {"gpuMemoryMiB", &InstanceType::gpu_memory_mib, 0, kMemoryMax},
    {"efaInterfaces", &InstanceType::efa_interfaces, 0, kGpusMax},
    {"interruptionPercent", &InstanceType::interruption_percent, 0, 100},
};

std::unexpected<Error> complain(const std::string& where, const std::string& rule) {
  return fail(Code::InvalidArgument, where + ": " + rule);
}

// Of an object that may have the first names and those of kMembers, or the first alone.
Result<void> check_members(const json::Value& entry, std::initializer_list<std::string_view> names,
                           bool of_type = false) {
  if (!entry.is_object()) return fail(Code::InvalidArgument, "must be an object");
  for (const auto& member : entry.get_object()) {
    const std::string_view name = member.key();
    const bool known = std::ranges::find(names, name) != names.end() ||
                       (of_type && std::ranges::find(kMembers, name, &Member::name) != std::end(kMembers));
    if (!known) return complain(std::string(name.substr(0, kNameMax)), "is not known");
  }
  return {};
}

// "2026-11-01"
bool is_date(std::string_view text) {
  if (text.size() != 10) return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (i == 4 || i == 7 ? text[i] != '-' : std::isdigit(static_cast<unsigned char>(text[i])) == 0)
      return false;
  return true;
}

Result<std::string> name_of(const json::Value& entry, std::string_view member) {
  const std::string_view name = json::get_string(entry, member);
  if (name.empty() || name.size() > kNameMax)
    return complain(std::string(member), "must be text of 1 to " + std::to_string(kNameMax) + " characters");
  return std::string(name);
}

// Nothing when it is absent.
Result<std::string> text_of(const json::Value& entry, std::string_view member) {
  const json::Value* value = json::find(entry, member);
  if (value == nullptr) return std::string();
  return name_of(entry, member);
}

Result<std::optional<Money>> amount(const json::Value& entry, const std::string& member) {
  const json::Value* value = json::find(entry, member);
  if (value == nullptr) return std::optional<Money>{};
  std::optional<Money> money;
  if (value->is_string()) money = parse_money(json::text(*value));
  if (value->is_int64() && value->get_int64() <= kPriceMax.micros) money = dollars(value->get_int64());
  if (value->is_double() && std::abs(value->get_double()) < 1e9)
    money = Money{std::llround(value->get_double() * 1e6)};
  if (!money || *money < Money{} || *money > kPriceMax)
    return complain(member, "must be an amount of dollars from 0 to 100000 with at most six decimals");
  return money;
}

std::optional<Money> if_known(std::int64_t micros) {
  return micros == 0 ? std::nullopt : std::optional(Money{micros});
}

}  // namespace

std::string_view InstanceType::family() const {
  return std::string_view(name).substr(0, name.find('.'));
}

std::int64_t InstanceType::memory_offered_mib() const {
  constexpr std::int64_t kLeast = 512;
  return std::max<std::int64_t>(0, memory_mib - std::max(kLeast, memory_mib / 50));
}

Catalogue Catalogue::builtin() {
  Catalogue catalogue;
  catalogue.date_ = kTableDate;
  for (const TableRow& row : instance_table()) {
    catalogue.types_.push_back({row.name, row.vcpus, row.memory_mib, row.gpus, row.gpu_milli, row.gpu_model,
                                row.gpu_memory_mib, row.arch, row.efa_interfaces, row.interruption_percent});
    catalogue.prices_.push_back(
        {row.name, kTableRegion, if_known(row.on_demand_micros), if_known(row.spot_micros)});
  }
  std::ranges::sort(catalogue.types_, {}, &InstanceType::name);
  std::ranges::sort(catalogue.prices_, {}, &Price::type);
  return catalogue;
}

Result<void> Catalogue::apply(const json::Value& overrides) {
  if (!overrides.is_object()) return complain("catalogue", "must be an object");
  TRY(check_members(overrides, {"date", "types", "prices"}));
  for (const char* list : {"types", "prices"})
    if (const json::Value* value = json::find(overrides, list); value != nullptr && !value->is_array())
      return complain(list, "must be a list");
  Catalogue next = *this;
  std::size_t index = 0;
  const auto at = [&](const char* list) { return std::string(list) + "[" + std::to_string(index++) + "]"; };
  for (const json::Value& entry : json::get_array(overrides, "types")) {
    const std::string where = at("types");
    if (auto done = next.apply_type(entry); !done)
      return std::unexpected(std::move(done).error().within(where));
  }
  index = 0;
  for (const json::Value& entry : json::get_array(overrides, "prices")) {
    const std::string where = at("prices");
    if (auto done = next.apply_price(entry); !done)
      return std::unexpected(std::move(done).error().within(where));
  }
  if (const std::string date = TRY(text_of(overrides, "date")); !date.empty()) {
    if (!is_date(date)) return complain("date", "must be a day such as 2026-11-01");
    next.date_ = date;
  }
  *this = std::move(next);
  return {};
}

Result<void> Catalogue::apply_type(const json::Value& entry) {
  TRY(check_members(entry, {"name", "gpuModel", "architecture"}, true));
  const std::string name = TRY(name_of(entry, "name"));
  if (find(name) == nullptr && types_.size() >= kTypesMax)
    return fail(Code::LimitExceeded, "more than " + std::to_string(kTypesMax) + " instance types");
  InstanceType& type = type_at(name);
  for (const Member& member : kMembers) {
    const json::Value* value = json::find(entry, member.name);
    if (value == nullptr && type.*member.field >= member.least) continue;
    if (value == nullptr || !value->is_int64() || value->get_int64() < member.least ||
        value->get_int64() > member.most)
      return complain(std::string(member.name), "must be a whole number from " +
                                                    std::to_string(member.least) + " to " +
                                                    std::to_string(member.most));
    type.*member.field = value->get_int64();
  }
  if (std::string text = TRY(text_of(entry, "gpuModel")); !text.empty()) type.gpu_model = std::move(text);
  if (std::string text = TRY(text_of(entry, "architecture")); !text.empty()) {
    if (text != "amd64" && text != "arm64") return complain("architecture", "must be amd64 or arm64");
    type.architecture = std::move(text);
  }
  if (type.gpus > 0 && type.gpu_model.empty())
    return complain("gpuModel", "must be given for a type with GPUs");
  return {};
}

Result<void> Catalogue::apply_price(const json::Value& entry) {
  TRY(check_members(entry, {"type", "region", "onDemand", "spot"}));
  const std::string type = TRY(name_of(entry, "type"));
  const std::string region = TRY(name_of(entry, "region"));
  if (find(type) == nullptr) return complain("type", type + " is not in the catalogue");
  if (find_price(type, region) == nullptr && prices_.size() >= kPricesMax)
    return fail(Code::LimitExceeded, "more than " + std::to_string(kPricesMax) + " prices");
  const auto on_demand = TRY(amount(entry, "onDemand"));
  const auto spot = TRY(amount(entry, "spot"));
  Price& price = price_at(type, region);
  if (on_demand) price.on_demand = on_demand;
  if (spot) price.spot = spot;
  return {};
}

const InstanceType* Catalogue::find(std::string_view name) const {
  const auto place = std::ranges::lower_bound(types_, name, {}, &InstanceType::name);
  return place != types_.end() && place->name == name ? &*place : nullptr;
}

InstanceType& Catalogue::type_at(std::string_view name) {
  const auto place = std::ranges::lower_bound(types_, name, {}, &InstanceType::name);
  if (place != types_.end() && place->name == name) return *place;
  InstanceType type;
  type.name = name;
  type.architecture = "amd64";
  return *types_.insert(place, std::move(type));
}

const Catalogue::Price* Catalogue::find_price(std::string_view type, std::string_view region) const {
  const auto key = [](const Price& price) {
    return std::pair<std::string_view, std::string_view>(price.type, price.region);
  };
  const auto place = std::ranges::lower_bound(prices_, std::pair(type, region), {}, key);
  return place != prices_.end() && place->type == type && place->region == region ? &*place : nullptr;
}

Catalogue::Price& Catalogue::price_at(std::string_view type, std::string_view region) {
  const auto key = [](const Price& price) {
    return std::pair<std::string_view, std::string_view>(price.type, price.region);
  };
  const auto place = std::ranges::lower_bound(prices_, std::pair(type, region), {}, key);
  if (place != prices_.end() && place->type == type && place->region == region) return *place;
  return *prices_.insert(place, Price{std::string(type), std::string(region), std::nullopt, std::nullopt});
}

std::optional<Money> Catalogue::on_demand(std::string_view type, std::string_view region) const {
  const Price* price = find_price(type, region);
  return price == nullptr ? std::nullopt : price->on_demand;
}

std::optional<Money> Catalogue::typical_spot(std::string_view type, std::string_view region) const {
  const Price* price = find_price(type, region);
  return price == nullptr ? std::nullopt : price->spot;
}

Result<std::vector<std::string>> expand_types(const Catalogue& catalogue,
                                              const std::vector<std::string>& names,
                                              std::string_view region) {
  std::vector<std::string> types;
  for (const std::string& name : names) {
    if (catalogue.find(name) != nullptr) {
      if (std::ranges::find(types, name) == types.end()) types.push_back(name);
      continue;
    }
    std::vector<const InstanceType*> family;
    for (const InstanceType& type : catalogue.types())
      if (type.family() == name && std::ranges::find(names, type.name) == names.end())
        family.push_back(&type);
    if (family.empty())
      return complain("instanceTypes", name + " is neither a type nor a family of the catalogue");
    // Types without a price come last: nothing says that they are cheap.
    const auto price = [&](const InstanceType* type) {
      return catalogue.on_demand(type->name, region).value_or(kPriceMax + Money{1});
    };
    std::ranges::stable_sort(family, {}, price);
    for (const InstanceType* type : family)
      if (std::ranges::find(types, type->name) == types.end()) types.push_back(type->name);
  }
  return types;
}

}  // namespace stoker::fleet
