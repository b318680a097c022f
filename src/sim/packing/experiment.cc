#include "sim/packing/experiment.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <set>
#include <span>

#include "base/text.h"
#include "json/json.h"
#include "rt/guarded.h"
#include "rt/thread.h"

namespace stoker::sim {
namespace {

std::optional<std::uint64_t> parse_seed(std::string_view text) {
  const auto seed = parse_int(text);
  if (!seed || *seed < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*seed);
}

Spread spread_of(const std::vector<double>& values) {
  Spread spread;
  const auto count = static_cast<double>(values.size());
  for (const double value : values) spread.mean += value / count;
  if (values.size() < 2) return spread;
  double squares = 0;
  for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
  spread.deviation = std::sqrt(squares / (count - 1));
  return spread;
}

PackingSummary summarise(core::PolicyName policy, std::span<const PackingRun> runs) {
  PackingSummary summary;
  summary.policy = policy;
  const auto over_seeds = [&](std::size_t point, double PackingPoint::* figure) {
    std::vector<double> values;
    for (const PackingRun& run : runs)
      values.push_back(run.at[static_cast<std::size_t>(kPackingPoints[point])].*figure);
    return spread_of(values);
  };
  for (std::size_t i = 0; i < kPackingPoints.size(); ++i) {
    summary.allocated[i] = over_seeds(i, &PackingPoint::allocated_percent);
    summary.fragment_ratio[i] = over_seeds(i, &PackingPoint::fragment_ratio_percent);
    summary.fragment_amount[i] = over_seeds(i, &PackingPoint::fragment_amount_percent);
  }
  for (const PackingRun& run : runs) {
    summary.tasks += static_cast<double>(run.tasks) / static_cast<double>(runs.size());
    summary.placed += static_cast<double>(run.placed) / static_cast<double>(runs.size());
  }
  return summary;
}

double rounded(double value) {
  return std::round(value * 1000) / 1000;
}

void put(json::Object& out, const std::string& name,
         const std::array<Spread, kPackingPoints.size()>& spreads) {
  json::Object means;
  json::Object deviations;
  for (std::size_t i = 0; i < kPackingPoints.size(); ++i) {
    const std::string point = std::to_string(kPackingPoints[i]);
    means[point] = rounded(spreads[i].mean);
    deviations[point] = rounded(spreads[i].deviation);
  }
  out[name] = std::move(means);
  out[name + "_deviation"] = std::move(deviations);
}

// Two decimals, right in seven columns.
std::string figure(double value) {
  const auto hundredths = std::llround(value * 100);
  std::string text = std::to_string(std::llabs(hundredths));
  if (text.size() < 3) text.insert(0, 3 - text.size(), '0');
  text.insert(text.size() - 2, ".");
  if (hundredths < 0) text.insert(0, "-");
  return std::string(text.size() < 7 ? 7 - text.size() : 0, ' ') + text;
}

std::string left(std::string_view text, std::size_t width) {
  return std::string(text) + std::string(text.size() < width ? width - text.size() : 0, ' ');
}

}  // namespace

Result<std::vector<std::uint64_t>> parse_seeds(std::string_view text) {
  std::vector<std::uint64_t> seeds;
  std::set<std::uint64_t> known;
  const auto bad = [&] {
    return fail(Code::InvalidArgument,
                "seeds must be numbers such as 1..10, 7 or 1,3,8..9, not '" + std::string(text) + "'");
  };
  for (const std::string_view part : split(text, ',')) {
    const auto dots = part.find("..");
    const auto first = parse_seed(part.substr(0, dots));
    const auto last = dots == std::string_view::npos ? first : parse_seed(part.substr(dots + 2));
    if (!first || !last || *last < *first) return bad();
    if (*last - *first >= kPackingSeedsMax || seeds.size() + (*last - *first) >= kPackingSeedsMax)
      return fail(Code::LimitExceeded, "at most " + std::to_string(kPackingSeedsMax) + " seeds are run");
    for (std::uint64_t seed = *first; seed <= *last; ++seed)
      if (known.insert(seed).second) seeds.push_back(seed);
  }
  return seeds;
}

std::vector<PackingSummary> run_packing(const PackingTrace& trace, const PackingOrder& order,
                                        const std::function<void(std::size_t, std::size_t)>& progress) {
  const std::size_t seeds = order.seeds.size();
  std::vector<PackingRun> runs(order.policies.size() * seeds);
  std::atomic<std::size_t> next = 0;
  struct Count {
    std::size_t runs = 0;
  };
  rt::Guarded<Count> done;
  // Each run has a place of its own, so the outcome does not depend on who finishes first.
  const auto work = [&] {
    for (std::size_t i = next++; i < runs.size(); i = next++) {
      runs[i] = replay_packing(trace, order.policies[i / seeds], order.seeds[i % seeds]);
      done.with([&](Count& count) {
        ++count.runs;
        if (progress) progress(count.runs, runs.size());
      });
    }
  };
  {
    std::vector<rt::Thread> others;
    for (int i = 1; i < std::min(order.threads, kPackingThreadsMax); ++i)
      others.emplace_back("packing", work);
    work();
  }
  std::vector<PackingSummary> summaries;
  for (std::size_t i = 0; i < order.policies.size(); ++i)
    summaries.push_back(summarise(order.policies[i], std::span(runs).subspan(i * seeds, seeds)));
  return summaries;
}

std::string packing_json(const PackingTrace& trace, const PackingOrder& order,
                         const std::vector<PackingSummary>& summaries) {
  json::Object policies;
  for (const PackingSummary& summary : summaries) {
    json::Object one;
    put(one, "allocated_percent", summary.allocated);
    put(one, "fragment_ratio_percent", summary.fragment_ratio);
    put(one, "fragment_amount_percent", summary.fragment_amount);
    one["tasks_mean"] = rounded(summary.tasks);
    one["placed_mean"] = rounded(summary.placed);
    policies[core::name_of(summary.policy)] = std::move(one);
  }
  json::Array seeds;
  for (const std::uint64_t seed : order.seeds) seeds.emplace_back(seed);
  return json::write_pretty(json::Object{{"nodes", trace.nodes.size()},
                                         {"gpus", trace.gpus()},
                                         {"tasks", trace.tasks.size()},
                                         {"seeds", std::move(seeds)},
                                         {"policies", std::move(policies)}});
}

std::string packing_text(const std::vector<PackingSummary>& summaries) {
  std::string text = left("", 12) +
                     "   % of the GPUs allocated, when what came asks for      fragments, % of\n" +
                     left("policy", 12);
  for (const int point : kPackingPoints) text += left("", 3) + left(std::to_string(point) + " %", 13);
  text += " what is free\n";
  for (const PackingSummary& summary : summaries) {
    text += left(core::name_of(summary.policy), 12);
    for (const Spread& spread : summary.allocated)
      text += figure(spread.mean) + " ±" + figure(spread.deviation).substr(2) + "  ";
    text += figure(summary.fragment_ratio[0].mean) + " (at 90 %)\n";
  }
  return text;
}

}  // namespace stoker::sim
