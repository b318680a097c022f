#include "core/cost/ledger.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/assert.h"
#include "core/cost/split.h"

namespace stoker::cost {
namespace {

// What a line is about, and how much of the machine's exact cost and time it has.
using LineKey = std::pair<Kind, Payer>;
struct Part {
  Wide cost = 0;  // exact units times kWholeNode
  Wide time = 0;  // milliseconds times kWholeNode
};

// Of runs that end in the same instant the one that began last counts as the last.
bool is_later(const RunUse& a, const RunUse& b) {
  return std::tie(a.to, a.from, a.payer) > std::tie(b.to, b.from, b.payer);
}

Payer without_job(Payer payer) {
  payer.job.clear();
  return payer;
}

class Splitter {
 public:
  Splitter(const NodeUse& use, const LedgerRules& rules, Instant now) : use_(use), rules_(rules) {
    end_ = use.ended ? use.ended : std::max(now, use.started);
    paid_until_ = use.ended ? paid_until(rules.billing, use.started, end_) : end_;
  }

  NodeBill run() {
    NodeBill out;
    out.node = use_.node;
    out.gross = rounded(exact_cost(use_.prices, use_.started, paid_until_));
    split_time();
    spread_warm_up();
    write_lines(out);
    out.billed = out.gross;
    if (is_free()) give_credit(out);
    return out;
  }

 private:
  // The time of the machine is cut wherever something changes; within a piece shares are constant.
  void split_time() {
    std::vector<Instant> cuts = {use_.started, end_, paid_until_, ready()};
    for (const RunUse& run : use_.runs)
      for (const Instant at : {run.from, run.works_from, run.to, run.kept_until}) cuts.push_back(at);
    for (const Span& span : use_.kept)
      for (const Instant at : {span.from, span.to}) cuts.push_back(at);
    for (Instant& at : cuts) at = std::clamp(at, use_.started, paid_until_);
    std::ranges::sort(cuts);
    const auto same = std::ranges::unique(cuts);
    cuts.erase(same.begin(), same.end());
    std::vector<const RunUse*> runs;
    for (const RunUse& run : use_.runs) runs.push_back(&run);
    std::ranges::stable_sort(runs, {}, &RunUse::from);
    std::size_t next = 0;
    std::vector<const RunUse*> here;  // that run in the piece: costs grow with runs at a time, not with all
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      for (; next < runs.size() && runs[next]->from <= cuts[i]; ++next) here.push_back(runs[next]);
      std::erase_if(here, [&](const RunUse* run) {
        if (run->to > cuts[i]) return false;
        if (last_ == nullptr || is_later(*run, *last_)) last_ = run;
        return true;
      });
      split_piece(cuts[i], cuts[i + 1], here);
    }
  }

  void split_piece(Instant from, Instant to, const std::vector<const RunUse*>& here) {
    const Wide cost = exact_cost(use_.prices, from, to);
    const Duration time = to - from;
    if (from >= end_) return add({Kind::Waste, environment()}, cost, time, kWholeNode);
    if (from < ready()) return add_warm_up(cost, time, kWholeNode);
    Share used = 0;
    for (const RunUse* run : here) used += run->share;
    // Dominant shares of different resources can add up to more than the machine: then all give way alike.
    const Share whole = std::max(used, kWholeNode);
    for (const RunUse* run : here) give(*run, from, cost, time, run->share, whole);
    const Share idle = whole - used;
    if (idle == 0) return;
    if (used == 0) return add({Kind::Idle, keeper(from)}, cost, time, idle);
    if (!rules_.spread_idle) return add({Kind::Idle, environment()}, cost, time, idle);
    for (const RunUse* run : here)
      add({Kind::Idle, run->payer}, cost, time,
          static_cast<Share>(static_cast<Wide>(idle) * run->share / used));
  }

  // Who pays while nothing runs. Asked about one instant after the other.
  Payer keeper(Instant at) {
    while (kept_ < use_.kept.size() && use_.kept[kept_].to && use_.kept[kept_].to <= at) ++kept_;
    if (kept_ < use_.kept.size() && use_.kept[kept_].from <= at) return environment();
    if (last_ != nullptr) return without_job(last_->payer);
    return use_.used_by == Payer{} ? use_.asked_by : use_.used_by;
  }

  // `share` of `whole` of a piece, to a run.
  void give(const RunUse& run, Instant from, Wide cost, Duration time, Share share, Share whole) {
    const Wide part = static_cast<Wide>(share) * kWholeNode / whole;
    if (from < run.works_from) return add_warm_up(cost, time, static_cast<Share>(part));
    add({from < run.kept_until ? Kind::Work : Kind::Waste, run.payer}, cost, time, static_cast<Share>(part));
    work_[run.payer] += static_cast<Wide>(time.ms) * part;
  }

  void add(const LineKey& key, Wide cost, Duration time, Share share) {
    Part& part = parts_[key];
    part.cost += cost * share;
    part.time += static_cast<Wide>(time.ms) * share;
  }

  void add_warm_up(Wide cost, Duration time, Share share) {
    warm_up_.cost += cost * share;
    warm_up_.time += static_cast<Wide>(time.ms) * share;
  }

  // Over the runs that were served, by their work; a machine that served none is waste of whoever asked for
  // it.
  void spread_warm_up() {
    Wide work = 0;
    for (const auto& [payer, time] : work_) work += time;
    if (work == 0) {
      Part& part = parts_[{use_.ended ? Kind::Waste : Kind::WarmUp, use_.asked_by}];
      part.cost += warm_up_.cost;
      part.time += warm_up_.time;
      return;
    }
    // In thousandths of a millionth of the work, so that the products fit.
    Part left = warm_up_;
    for (const auto& [payer, time] : work_) {
      const Wide permille = time * 1'000'000'000 / work;
      Part& part = parts_[{Kind::WarmUp, payer}];
      const Part mine{warm_up_.cost / 1'000'000'000 * permille, warm_up_.time / 1'000'000'000 * permille};
      part.cost += mine.cost;
      part.time += mine.time;
      left.cost -= mine.cost;
      left.time -= mine.time;
    }
    // What rounding left is less than a millionth of a dollar for each run; the first takes it.
    parts_[{Kind::WarmUp, work_.begin()->first}].cost += left.cost;
    parts_[{Kind::WarmUp, work_.begin()->first}].time += left.time;
  }

  void write_lines(NodeBill& out) {
    std::vector<Wide> weights;
    std::vector<std::pair<LineKey, Part>> kept;
    for (const auto& [key, part] : parts_) {
      if (part.cost == 0 && part.time == 0) continue;
      kept.emplace_back(key, part);
      weights.push_back(part.cost);
    }
    if (kept.empty()) {
      if (out.gross == Money{}) return;
      kept.push_back({{Kind::Waste, environment()}, {}});
      weights.push_back(1);
    }
    const std::vector<Money> amounts = split(out.gross, weights);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const auto& [key, part] = kept[i];
      out.lines.push_back({use_.node, key.second, use_.environment, key.first, amounts[i],
                           Duration{static_cast<std::int64_t>(part.time / kWholeNode)}, !use_.ended});
    }
  }

  // Free: each line is given back to whoever has it.
  void give_credit(NodeBill& out) const {
    const std::size_t count = out.lines.size();
    for (std::size_t i = 0; i < count; ++i) {
      Line credit = out.lines[i];
      if (credit.amount == Money{}) continue;
      credit.kind = Kind::Credit;
      credit.amount.micros = -credit.amount.micros;
      credit.time = {};
      out.lines.push_back(std::move(credit));
    }
    out.billed = {};
  }

  [[nodiscard]] bool is_free() const {
    return use_.ended && use_.reclaimed &&
           use_.ended - use_.started < rules_.billing.free_if_reclaimed_within;
  }
  [[nodiscard]] Instant ready() const {
    return use_.ready ? std::clamp(use_.ready, use_.started, end_) : end_;
  }
  static Payer environment() { return {}; }

  const NodeUse& use_;
  const LedgerRules& rules_;
  Instant end_;
  Instant paid_until_;
  std::map<LineKey, Part> parts_;
  const RunUse* last_ = nullptr;  // of those that ended, the last
  std::size_t kept_ = 0;          // the first span of use_.kept that may not be over
  Part warm_up_;
  std::map<Payer, Wide> work_;  // milliseconds times share, lost work as well: it was served
};

}  // namespace

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::Work:
      return "work";
    case Kind::WarmUp:
      return "warmup";
    case Kind::Idle:
      return "idle";
    case Kind::Waste:
      return "waste";
    case Kind::Credit:
      return "credit";
  }
  return "";
}

Share dominant_share(const Amounts& request, const Amounts& machine, const ShareWeights& weights) {
  const auto part = [](std::int64_t asked, std::int64_t all, std::int64_t weight) {
    if (asked <= 0 || all <= 0) return Share{0};
    return static_cast<Share>(static_cast<Wide>(asked) * kWholeNode * weight /
                              (static_cast<Wide>(all) * 1000));
  };
  const Share largest = std::max({part(request.gpu_milli, machine.gpu_milli, weights.gpu),
                                  part(request.cpus_milli, machine.cpus_milli, weights.cpu),
                                  part(request.memory_mib, machine.memory_mib, weights.memory)});
  return std::min(largest, kWholeNode);
}

bool note_span(std::vector<Span>& spans, bool goes_on, Instant now) {
  const bool went_on = !spans.empty() && !spans.back().to;
  if (goes_on == went_on) return false;
  if (goes_on)  // not before the last one, whatever the clock
    spans.push_back({spans.empty() ? now : std::max(now, spans.back().to), {}});
  else
    spans.back().to = std::max(now, spans.back().from);
  return true;
}

Payer last_user(const NodeUse& use) {
  const auto last =
      std::ranges::max_element(use.runs, [](const RunUse& a, const RunUse& b) { return is_later(b, a); });
  return last == use.runs.end() ? use.used_by : without_job(last->payer);
}

NodeBill bill(const NodeUse& use, const LedgerRules& rules, Instant now) {
  ASSERT(!use.prices.empty(), "a machine without a price");
  return Splitter(use, rules, now).run();
}

std::string check_ledger(const std::vector<NodeBill>& bills) {
  for (const NodeBill& bill : bills) {
    Money sum;
    for (const Line& line : bill.lines) {
      sum += line.amount;
      if (line.node != bill.node) return "a line of machine " + line.node + " on the bill of " + bill.node;
      const bool credit = line.kind == Kind::Credit;
      if (credit ? line.amount > Money{} : line.amount < Money{})
        return "a line of " + to_text(line.amount) + " of kind " + std::string(name_of(line.kind));
      const bool needs_job = line.kind == Kind::Work;
      if (needs_job && line.payer.job.empty()) return "work of nobody on machine " + bill.node;
    }
    if (sum != bill.billed)
      return "machine " + bill.node + " is billed " + to_text(bill.billed) + " and its lines add up to " +
             to_text(sum);
  }
  return "";
}

}  // namespace stoker::cost
