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
struct PartOfDay {
  Instant from;
  Instant to;
  Wide cost = 0;
  Wide time = 0;
};
struct Part {
  Wide cost = 0;  // exact units times kWholeNode
  Wide time = 0;  // milliseconds times kWholeNode
  // In which proportion each day has it, by the day's first instant; only when days are asked for.
  std::map<Instant, PartOfDay> days;
};
// A time in which nothing changes.
struct Piece {
  Instant from;
  Instant to;
  Wide cost = 0;
};

void take(const Piece& piece, Share share, bool by_day, Part& part) {
  if (share == 0) return;
  const Wide cost = piece.cost * share;
  const Wide time = static_cast<Wide>((piece.to - piece.from).ms) * share;
  part.cost += cost;
  part.time += time;
  if (!by_day) return;
  PartOfDay& day = part.days.try_emplace(day_of(piece.from), PartOfDay{piece.from, piece.to}).first->second;
  day.from = std::min(day.from, piece.from);
  day.to = std::max(day.to, piece.to);
  day.cost += cost;
  day.time += time;
}

void take(const Part& more, Part& part) {
  part.cost += more.cost;
  part.time += more.time;
  for (const auto& [midnight, of_day] : more.days) {
    PartOfDay& day = part.days.try_emplace(midnight, PartOfDay{of_day.from, of_day.to}).first->second;
    day.from = std::min(day.from, of_day.from);
    day.to = std::max(day.to, of_day.to);
    day.cost += of_day.cost;
    day.time += of_day.time;
  }
}

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
  Splitter(const NodeUse& use, const LedgerRules& rules, Instant now, bool by_day = false)
      : use_(use), rules_(rules), by_day_(by_day) {
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
    write_launch(out);
    return out;
  }

  std::vector<Charge> run_by_day(Money list_per_hour) {
    const NodeBill bill = run();
    std::vector<Charge> out;
    for (std::size_t i = bill.lines.size() - launch_lines_; i < bill.lines.size(); ++i)
      out.push_back({bill.lines[i], use_.started, launched_until(), bill.lines[i].amount});
    const std::size_t launch = out.size();
    for (std::size_t i = 0; i < written_.size(); ++i)
      write_days(bill.lines[i], *written_[i], list_per_hour, out);
    if (!is_free()) return out;
    const std::size_t count = out.size();
    for (std::size_t i = launch; i < count; ++i) {
      Charge credit = out[i];
      if (credit.line.amount == Money{}) continue;
      give_back(credit.line);
      credit.list.micros = -credit.list.micros;
      out.push_back(std::move(credit));
    }
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
    if (by_day_)
      for (Instant at = day_of(use_.started); at < paid_until_; at = at + days(1)) cuts.push_back(at);
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
    const Piece piece{from, to, exact_cost(use_.prices, from, to)};
    if (from >= end_) return add({Kind::Waste, environment()}, piece, kWholeNode);
    if (from < ready()) return take(piece, kWholeNode, by_day_, warm_up_);
    Share used = 0;
    for (const RunUse* run : here) used += run->share;
    // Dominant shares of different resources can add up to more than the machine: then all give way alike.
    const Share whole = std::max(used, kWholeNode);
    give_in_proportion(here, kWholeNode, whole,
                       [&](const RunUse& run, Share part) { give(run, piece, part); });
    const Share idle = whole - used;
    if (idle == 0) return;
    if (used == 0) return add({Kind::Idle, keeper(from)}, piece, idle);
    if (!rules_.spread_idle) return add({Kind::Idle, environment()}, piece, idle);
    give_in_proportion(here, idle, used,
                       [&](const RunUse& run, Share part) { add({Kind::Idle, run.payer}, piece, part); });
  }

  // Parts of `share` by the shares of runs, of which the sum is `whole`, or less. Rounded so that the parts
  // of all that sum add up to `share`: each run gets what it adds to the rounded part of those before it.
  template <class Give>
  static void give_in_proportion(const std::vector<const RunUse*>& here, Share share, Share whole,
                                 const Give& give_part) {
    const auto part_of = [&](Share some) {
      return static_cast<Share>(static_cast<Wide>(share) * some / whole);
    };
    Share before = 0;
    for (const RunUse* run : here) {
      give_part(*run, part_of(before + run->share) - part_of(before));
      before += run->share;
    }
  }

  // Who pays while nothing runs. Asked about one instant after the other.
  Payer keeper(Instant at) {
    while (kept_ < use_.kept.size() && use_.kept[kept_].to && use_.kept[kept_].to <= at) ++kept_;
    if (kept_ < use_.kept.size() && use_.kept[kept_].from <= at) return environment();
    if (last_ != nullptr) return without_job(last_->payer);
    return use_.used_by == Payer{} ? use_.asked_by : use_.used_by;
  }

  // A part of a piece, to a run.
  void give(const RunUse& run, const Piece& piece, Share part) {
    if (piece.from < run.works_from) return take(piece, part, by_day_, warm_up_);
    add({piece.from < run.kept_until ? Kind::Work : Kind::Waste, run.payer}, piece, part);
    work_[run.payer] += static_cast<Wide>((piece.to - piece.from).ms) * part;
  }

  void add(const LineKey& key, const Piece& piece, Share share) { take(piece, share, by_day_, parts_[key]); }

  // Over the runs that were served, by their work; a machine that served none is waste of whoever asked for
  // it.
  void spread_warm_up() {
    Wide work = 0;
    for (const auto& [payer, time] : work_) work += time;
    if (work == 0) return take(warm_up_, parts_[{use_.ended ? Kind::Waste : Kind::WarmUp, use_.asked_by}]);
    // In thousandths of a millionth of the work, so that the products fit.
    Wide cost_left = warm_up_.cost;
    Wide time_left = warm_up_.time;
    for (const auto& [payer, time] : work_) {
      const Wide permille = time * 1'000'000'000 / work;
      Part& part = parts_[{Kind::WarmUp, payer}];
      part.cost = warm_up_.cost / 1'000'000'000 * permille;
      part.time = warm_up_.time / 1'000'000'000 * permille;
      part.days = warm_up_.days;
      cost_left -= part.cost;
      time_left -= part.time;
    }
    // What rounding left is less than a millionth of a dollar for each run; the first takes it.
    Part& first = parts_[{Kind::WarmUp, work_.begin()->first}];
    first.cost += cost_left;
    first.time += time_left;
  }

  void write_lines(NodeBill& out) {
    std::vector<Wide> weights;
    std::erase_if(parts_, [](const auto& entry) { return entry.second.cost == 0 && entry.second.time == 0; });
    if (parts_.empty()) {
      if (out.gross == Money{}) return;
      take({use_.started, paid_until_, 1}, 1, by_day_, parts_[{Kind::Waste, environment()}]);
    }
    for (const auto& [key, part] : parts_) weights.push_back(part.cost);
    const std::vector<Money> amounts = split(out.gross, weights);
    for (const auto& [key, part] : parts_) {
      const Money amount = amounts[written_.size()];
      out.lines.push_back({use_.node, key.second, use_.environment, key.first, amount,
                           Duration{static_cast<std::int64_t>(part.time / kWholeNode)}, !use_.ended});
      written_.push_back(&part);
    }
  }

  static void write_days(const Line& line, const Part& part, Money list_per_hour, std::vector<Charge>& out) {
    std::vector<Wide> weights;
    Wide time = 0;
    for (const auto& [midnight, day] : part.days) {
      weights.push_back(day.cost);
      time += day.time;
    }
    const std::vector<Money> amounts = split(line.amount, weights);
    std::size_t next = 0;
    for (const auto& [midnight, day] : part.days) {
      Charge charge{line, day.from, day.to, {}};
      charge.line.amount = amounts[next++];
      charge.line.time = Duration{static_cast<std::int64_t>(part.time * day.time / time / kWholeNode)};
      const Wide per_hour = day.cost / day.time;
      charge.list = per_hour == 0
                        ? cost_of(list_per_hour, charge.line.time)
                        : Money{static_cast<std::int64_t>(static_cast<Wide>(charge.line.amount.micros) *
                                                          list_per_hour.micros / per_hour)};
      out.push_back(std::move(charge));
    }
  }

  // Free: each line is given back to whoever has it.
  void give_credit(NodeBill& out) const {
    const std::size_t count = out.lines.size();
    for (std::size_t i = 0; i < count; ++i) {
      Line credit = out.lines[i];
      if (credit.amount == Money{}) continue;
      give_back(credit);
      out.lines.push_back(std::move(credit));
    }
    out.billed = {};
  }
  static void give_back(Line& line) {
    line.kind = Kind::Credit;
    line.amount.micros = -line.amount.micros;
    line.time = {};
  }

  // What the launch cost is theirs who have the warm-up, in lines of its own, since it is never given back.
  void write_launch(NodeBill& out) {
    if (use_.launch_fee == Money{}) return;
    std::vector<std::pair<Payer, Wide>> whose(work_.begin(), work_.end());
    const bool in_vain = whose.empty() && use_.ended;
    if (whose.empty()) whose.emplace_back(use_.asked_by, 1);
    std::vector<Wide> weights;
    for (const auto& [payer, work] : whose) weights.push_back(work);
    const std::vector<Money> amounts = split(use_.launch_fee, weights);
    for (std::size_t i = 0; i < whose.size(); ++i)
      out.lines.push_back({use_.node,
                           whose[i].first,
                           use_.environment,
                           in_vain ? Kind::Waste : Kind::WarmUp,
                           amounts[i],
                           {},
                           !use_.ended});
    launch_lines_ = whose.size();
    out.gross += use_.launch_fee;
    out.billed += use_.launch_fee;
  }
  // Until its agent says hello, on the day of the launch.
  [[nodiscard]] Instant launched_until() const {
    const Instant until = ready() > use_.started ? ready() : paid_until_;
    return std::min(until, day_of(use_.started) + days(1));
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
  bool by_day_;
  Instant end_;
  Instant paid_until_;
  std::map<LineKey, Part> parts_;
  std::size_t launch_lines_ = 0;      // at the end of the bill
  std::vector<const Part*> written_;  // those that became lines, in their order
  const RunUse* last_ = nullptr;      // of those that ended, the last
  std::size_t kept_ = 0;              // the first span of use_.kept that may not be over
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

Instant day_of(Instant at) {
  return {at.ms - at.ms % days(1).ms};
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

std::vector<Charge> charges(const NodeUse& use, const LedgerRules& rules, Money list_per_hour, Instant now) {
  ASSERT(!use.prices.empty(), "a machine without a price");
  return Splitter(use, rules, now, true).run_by_day(list_per_hour);
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
