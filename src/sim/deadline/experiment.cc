#include "sim/deadline/experiment.h"

#include <algorithm>
#include <numeric>

namespace stoker::sim {
namespace {

constexpr std::int64_t kGapSecondsMax = 86'400;
constexpr std::size_t kTicksMax = 10'000'000;

// Ticks from which there is time for the deadline before the series ends.
std::size_t last_start(const fleet::SpotSeries& series, Duration deadline) {
  const auto needed = static_cast<std::size_t>(deadline.ms / series.gap.ms + 1);
  return series.available.size() > needed ? series.available.size() - needed : 0;
}

DeadlineRow run_one(const std::vector<fleet::SpotSeries>& all, const DeadlineOrder& order, Duration deadline,
                    Duration start) {
  const fleet::DeadlineTask task{.work = order.work, .allowed = deadline, .overhead = start};
  DeadlineRow row{.deadline = deadline, .start = start};
  row.chosen = fleet::policy_for(task);
  std::array<Wide, kDeadlinePolicyCount> sums{};
  for (const fleet::SpotSeries& series : all) {
    const std::size_t last = last_start(series, deadline);
    for (int point = 0; point < order.points; ++point) {
      const std::size_t first = order.points < 2 ? 0
                                                 : last * static_cast<std::size_t>(point) /
                                                       static_cast<std::size_t>(order.points - 1);
      ++row.runs;
      for (std::size_t policy = 0; policy < kDeadlinePolicyCount; ++policy) {
        const fleet::DeadlineOutcome outcome = fleet::replay_deadline(
            static_cast<fleet::DeadlinePolicy>(policy), task, series, first, order.prices);
        sums[policy] += outcome.cost.micros;
        if (outcome.met) ++row.met[policy];
      }
    }
  }
  const Money alone = cost_of(order.prices.on_demand, order.work);
  const Wide whole = static_cast<Wide>(alone.micros) * std::max<std::int64_t>(1, row.runs);
  for (std::size_t policy = 0; policy < kDeadlinePolicyCount; ++policy)
    row.cost_permille[policy] = static_cast<std::int64_t>((sums[policy] * 1000 + whole / 2) / whole);
  return row;
}

std::string in_hours(Duration time) {
  const std::int64_t hundredths = (time.ms + 18'000) / 36'000;
  return std::to_string(hundredths / 100) + "." + std::to_string(100 + hundredths % 100).substr(1);
}

std::string permille(std::int64_t value) {
  return std::to_string(value / 1000) + "." + std::to_string(1000 + value % 1000).substr(1);
}

// "78 of 80; greedy missed 2"
std::string met_text(const DeadlineRow& row) {
  const std::int64_t all = row.runs * static_cast<std::int64_t>(kDeadlinePolicyCount);
  std::string text = std::to_string(all - row.missed()) + " of " + std::to_string(all);
  std::string_view before = "; ";
  for (std::size_t policy = 0; policy < kDeadlinePolicyCount; ++policy) {
    if (row.met[policy] == row.runs) continue;
    text.append(before)
        .append(fleet::name_of(static_cast<fleet::DeadlinePolicy>(policy)))
        .append(" missed ")
        .append(std::to_string(row.runs - row.met[policy]));
    before = ", ";
  }
  return text;
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.insert(0, width - text.size(), ' ');
  return text;
}

std::string padded_right(std::string text, std::size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text;
}

std::size_t chosen_width() {
  std::size_t width = 0;
  for (std::size_t policy = 0; policy < kDeadlinePolicyCount; ++policy)
    width = std::max(width, fleet::name_of(static_cast<fleet::DeadlinePolicy>(policy)).size());
  return width;
}

}  // namespace

Result<fleet::SpotSeries> parse_spot_series(std::string_view text) {
  const json::Value value = TRY(json::parse(text));
  const auto bad = [](const std::string& what) { return fail(Code::InvalidArgument, what); };
  const json::Value* metadata = json::find(value, "metadata");
  const json::Value* gap = metadata == nullptr ? nullptr : json::find(*metadata, "gap_seconds");
  const json::Value* data = json::find(value, "data");
  if (gap == nullptr || !gap->is_int64() || gap->get_int64() < 1 || gap->get_int64() > kGapSecondsMax)
    return bad("metadata.gap_seconds: must be a whole number of seconds, at most a day");
  if (data == nullptr || !data->is_array() || data->get_array().empty() ||
      data->get_array().size() > kTicksMax)
    return bad("data: must be a list of numbers");
  fleet::SpotSeries series;
  series.gap = seconds(gap->get_int64());
  for (const json::Value& tick : data->get_array()) {
    if (!tick.is_int64()) return bad("data: must be a list of numbers");
    series.available.push_back(tick.get_int64() > 0);
  }
  return series;
}

std::int64_t DeadlineRow::missed() const {
  return runs * static_cast<std::int64_t>(kDeadlinePolicyCount) -
         std::accumulate(met.begin(), met.end(), std::int64_t{0});
}

Result<void> check_deadlines(const DeadlineOrder& order) {
  for (const Duration deadline : order.deadlines)
    for (const Duration start : order.starts)
      if (deadline < order.work + start)
        return fail(Code::InvalidArgument, "a deadline of " + in_hours(deadline) + " h leaves no time for " +
                                               in_hours(order.work) + " h of work and a start of " +
                                               in_hours(start) + " h: nobody can meet it");
  return {};
}

std::vector<DeadlineRow> run_deadlines(const std::vector<fleet::SpotSeries>& series,
                                       const DeadlineOrder& order) {
  std::vector<DeadlineRow> rows;
  for (const Duration deadline : order.deadlines)
    for (const Duration start : order.starts) rows.push_back(run_one(series, order, deadline, start));
  return rows;
}

std::string deadlines_text(const std::vector<DeadlineRow>& rows) {
  std::string text = "deadline h  start h";
  for (std::size_t policy = 0; policy < kDeadlinePolicyCount; ++policy)
    text += "  " + std::string(fleet::name_of(static_cast<fleet::DeadlinePolicy>(policy)));
  text += "  " + padded_right("chosen", chosen_width()) + "  met\n";
  for (const DeadlineRow& row : rows) {
    text += padded(in_hours(row.deadline), 10) + padded(in_hours(row.start), 9);
    for (std::size_t policy = 0; policy < kDeadlinePolicyCount; ++policy)
      text += padded(permille(row.cost_permille[policy]),
                     fleet::name_of(static_cast<fleet::DeadlinePolicy>(policy)).size() + 2);
    text += "  " + padded_right(std::string(fleet::name_of(row.chosen)), chosen_width()) + "  " +
            met_text(row) + "\n";
  }
  return text;
}

json::Value deadlines_json(const std::vector<DeadlineRow>& rows) {
  json::Array list;
  for (const DeadlineRow& row : rows) {
    json::Object costs;
    json::Object met;
    for (std::size_t policy = 0; policy < kDeadlinePolicyCount; ++policy) {
      const std::string_view name = fleet::name_of(static_cast<fleet::DeadlinePolicy>(policy));
      costs[name] = static_cast<double>(row.cost_permille[policy]) / 1000;
      met[name] = row.met[policy];
    }
    list.push_back(json::Object{{"deadlineSeconds", row.deadline.ms / 1000},
                                {"startSeconds", row.start.ms / 1000},
                                {"costs", std::move(costs)},
                                {"chosen", fleet::name_of(row.chosen)},
                                {"runs", row.runs},
                                {"met", std::move(met)},
                                {"missed", row.missed()}});
  }
  return list;
}

}  // namespace stoker::sim
