#pragma once
// What machines there are and what they cost: the table that the program carries, with corrections from a
// file.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/money.h"
#include "base/result.h"
#include "json/json.h"

namespace stoker::fleet {

inline constexpr std::size_t kTypesMax = 4'096;
inline constexpr std::size_t kPricesMax = 100'000;
inline constexpr Money kPriceMax = dollars(100'000);  // per hour

struct InstanceType {
  std::string name;  // "g5.12xlarge"
  std::int64_t vcpus = 0;
  std::int64_t memory_mib = 0;
  std::int64_t gpus = 0;
  std::int64_t gpu_milli = 1000;    // how much of a whole GPU each is; below 1000 on types with a part of one
  std::string gpu_model;            // "A10G"
  std::int64_t gpu_memory_mib = 0;  // of each
  std::string architecture;         // "amd64", "arm64"
  std::int64_t efa_interfaces = 0;
  std::int64_t interruption_percent = 0;  // of spot machines in a month, at most; 0: not known

  bool operator==(const InstanceType&) const = default;
  // "g5" of "g5.12xlarge".
  [[nodiscard]] std::string_view family() const;
  // What the agent offers to jobs: it keeps 2 %, and 512 MiB at least, for the system and itself.
  [[nodiscard]] std::int64_t memory_offered_mib() const;
};

class Catalogue {
 public:
  // The table of the program: region us-east-1, prices as of `prices_as_of()`.
  static Catalogue builtin();

  // Adds and replaces types and prices. The whole file is taken, or nothing of it:
  //   {"date":"2026-11-01",
  //    "types":[{"name":"g5.xlarge","vcpus":4,"memoryMiB":16384,"gpus":1,"gpuModel":"A10G","gpuMemoryMiB":22888,
  //              "gpuMilli":1000,"architecture":"amd64","efaInterfaces":0,"interruptionPercent":20}],
  //    "prices":[{"type":"g5.xlarge","region":"eu-central-1","onDemand":"1.258","spot":"0.5"}]}
  // Amounts are dollars an hour, as text or as numbers. A member that is absent keeps its value.
  // InvalidArgument names the member that breaks a rule.
  Result<void> apply(const json::Value& overrides);

  // Null when there is no such type.
  [[nodiscard]] const InstanceType* find(std::string_view name) const;
  // By name.
  [[nodiscard]] const std::vector<InstanceType>& types() const { return types_; }

  // Dollars an hour. Nothing where no price is known; a price of another region is no price.
  [[nodiscard]] std::optional<Money> on_demand(std::string_view type, std::string_view region) const;
  // A typical spot price; what a zone asks now comes from outside (SpotQuote).
  [[nodiscard]] std::optional<Money> typical_spot(std::string_view type, std::string_view region) const;
  [[nodiscard]] const std::string& prices_as_of() const { return date_; }

 private:
  struct Price {
    std::string type;
    std::string region;
    std::optional<Money> on_demand;
    std::optional<Money> spot;
  };
  Result<void> apply_type(const json::Value& entry);
  Result<void> apply_price(const json::Value& entry);
  InstanceType& type_at(std::string_view name);
  Price& price_at(std::string_view type, std::string_view region);
  [[nodiscard]] const Price* find_price(std::string_view type, std::string_view region) const;

  std::string date_;
  std::vector<InstanceType> types_;  // sorted by name
  std::vector<Price> prices_;        // sorted by type, region
};

// The types that an environment names, as AWS Batch reads `instanceTypes`: a type, or a family for all of its
// types; kept in that order, families by price; a type that is named itself is not repeated for its family.
// InvalidArgument names what the catalogue does not know.
Result<std::vector<std::string>> expand_types(const Catalogue& catalogue,
                                              const std::vector<std::string>& names, std::string_view region);

}  // namespace stoker::fleet
