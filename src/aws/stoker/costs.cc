// What machines cost, by who paid: the accounts of the core added up as the caller asks.
#include <limits>

#include "aws/members.h"
#include "aws/stoker/own.h"
#include "base/text.h"
#include "core/provision/focus_days.h"

namespace stoker::aws {
namespace {

struct Keys {
  bool day = false;
  bool environment = false;
  bool queue = false;
  bool share = false;
};

void add(cost::Totals& sum, const core::CostRow& row) {
  for (std::size_t kind = 0; kind < cost::kKindCount; ++kind) sum.by_kind[kind] += row.sums.billed[kind];
  sum.provisional = sum.provisional || row.provisional;
}

Keys read_keys(const json::Value& input) {
  Keys keys;
  for (const std::string& key : read_texts(input, "groupBy")) {
    keys.day = keys.day || key == "DAY";
    keys.environment = keys.environment || key == "ENVIRONMENT";
    keys.queue = keys.queue || key == "QUEUE";
    keys.share = keys.share || key == "SHARE";
  }
  return keys;
}

}  // namespace

json::Object to_json(const cost::Totals& costs) {
  return {{"total", to_text(costs.sum())},
          {"work", to_text(costs.of(cost::Kind::Work))},
          {"warmUp", to_text(costs.of(cost::Kind::WarmUp))},
          {"idle", to_text(costs.of(cost::Kind::Idle))},
          {"waste", to_text(costs.of(cost::Kind::Waste))},
          {"credit", to_text(costs.of(cost::Kind::Credit))},
          {"provisional", costs.provisional}};
}

Result<json::Value> list_costs(const Place& place, const json::Value& input, const core::State& state,
                               Instant now) {
  const Keys keys = read_keys(input);
  const Instant from{json::get_int(input, "from")};
  const Instant to{json::get_int(input, "to", std::numeric_limits<std::int64_t>::max())};
  // Keys that are not asked for are alike for all.
  std::map<std::tuple<Instant, std::string, std::string, std::string>, cost::Totals> lines;
  cost::Totals total;
  const std::vector<core::CostRow> rows = core::cost_rows(state, from, to, now);
  for (const core::CostRow& row : rows) {
    const core::CostPayer& payer = row.key.payer;
    add(lines[{keys.day ? row.day : Instant{}, keys.environment ? row.environment : "",
               keys.queue ? payer.queue : "", keys.share ? payer.share : ""}],
        row);
    add(total, row);
  }
  json::Array costs;
  for (const auto& [key, totals] : lines) {
    const auto& [day, environment, queue, share] = key;
    json::Object line = to_json(totals);
    if (keys.day) line["day"] = iso_time(day.ms).substr(0, 10);
    if (keys.environment) line["environment"] = environment;
    if (keys.queue) line["queue"] = queue;
    if (keys.share) line["share"] = share;
    costs.push_back(std::move(line));
  }
  json::Object answer{{"costs", std::move(costs)}, {"total", to_json(total)}};
  if (json::get_bool(input, "focus")) answer["focus"] = core::focus_csv(rows, place.region);
  return answer;
}

}  // namespace stoker::aws
