#include "cli/execution_frame.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "cli/execution_view.h"
#include "cli/quantity.h"
#include "cli/table.h"

namespace stoker::cli {
namespace {

constexpr std::size_t kDepthMax = 32;  // of branches within branches; what lies deeper is not drawn
// How many branches or iterations of one state are shown, from plenty of room to hardly any.
constexpr std::size_t kThreadsShownMax = 24;
struct Detail {
  std::size_t threads;
  bool done_opened;  // the states of iterations that are done, too
};
constexpr std::array<Detail, 6> kDetails = {
    {{kThreadsShownMax, true}, {kThreadsShownMax, false}, {10, false}, {5, false}, {2, false}, {0, false}}};

bool is_done(StateStatus status) {
  return status == StateStatus::Succeeded || status == StateStatus::Caught;
}

std::vector<std::size_t> left_out(const std::vector<std::size_t>& all,
                                  const std::vector<std::size_t>& shown) {
  std::vector<std::size_t> rest;
  for (const std::size_t i : all)
    if (std::ranges::find(shown, i) == shown.end()) rest.push_back(i);
  return rest;
}

class Drawing {
 public:
  Drawing(const ExecutionData& data, Instant now, Detail detail)
      : data_(data),
        now_(now),
        detail_(detail),
        table_({{.title = "STATE", .shrinks_to = 16},
                {.title = "TYPE"},
                {.title = "STATUS"},
                {.title = "TIME", .right = true},
                {.title = "TRIES", .right = true},
                {.title = "DETAILS", .shrinks_to = 10}}) {
    draw_thread(0, "", 0);
  }
  [[nodiscard]] const Table& table() const { return table_; }

 private:
  [[nodiscard]] const ThreadView& thread(std::size_t i) const { return data_.tree.threads()[i]; }
  [[nodiscard]] const StateView& state(std::size_t i) const { return data_.tree.states()[i]; }

  void draw_thread(std::size_t index, const std::string& indent, std::size_t depth);
  void draw_state(const StateView& one, const std::string& label, const std::string& indent,
                  std::size_t depth);
  void draw_branch(std::size_t index, bool last, const std::string& indent, std::size_t depth);
  [[nodiscard]] std::vector<std::size_t> chosen(const std::vector<std::size_t>& threads) const;
  [[nodiscard]] std::string counts(const std::vector<std::size_t>& threads) const;
  [[nodiscard]] std::string details(const StateView& one) const;
  [[nodiscard]] std::string job_text(const StateView& one) const;
  [[nodiscard]] std::string map_run_text(const json::Value& run) const;
  [[nodiscard]] std::string time_text(Instant from, Instant to) const {
    return duration_text((to ? to : now_) - from);
  }

  const ExecutionData& data_;
  Instant now_;
  Detail detail_;
  Table table_;
};

void Drawing::draw_thread(std::size_t index, const std::string& indent, std::size_t depth) {
  if (depth > kDepthMax) return;
  for (const std::size_t i : thread(index).states)
    draw_state(state(i), indent + state(i).name, indent, depth);
}

void Drawing::draw_state(const StateView& one, const std::string& label, const std::string& indent,
                         std::size_t depth) {
  const std::string again = one.visits > 1 ? " ×" + std::to_string(one.visits) : "";
  table_.add({{label + again},
              {one.type, Colour::Dim},
              {std::string(status_text(one.status)), colour_of_status(one.status)},
              {time_text(one.entered, one.ended)},
              {one.tries > 1 ? std::to_string(one.tries) : ""},
              {details(one), one.status == StateStatus::Failed ? Colour::Red : Colour::None}});
  const std::vector<std::size_t> shown = chosen(one.threads);
  const std::vector<std::size_t> rest = left_out(one.threads, shown);
  for (const std::size_t branch : shown)
    draw_branch(branch, branch == shown.back() && rest.empty(), indent, depth + 1);
  if (!rest.empty() && detail_.threads > 0)
    table_.add({{indent + "└ … " + std::to_string(rest.size()) + " more"}, {}, {}, {}, {}, {counts(rest)}});
}

// In one line where it has one state, else with its states below.
void Drawing::draw_branch(std::size_t index, bool last, const std::string& indent, std::size_t depth) {
  if (depth > kDepthMax) return;
  const ThreadView& branch = thread(index);
  const std::string number = indent + (last ? "└ " : "├ ") + "[" + std::to_string(branch.index) + "]";
  const std::string below = indent + (last ? "  " : "│ ");
  if (branch.states.size() == 1) {
    const StateView& only = state(branch.states.front());
    return draw_state(only, number + " " + only.name, below, depth);
  }
  std::string time;
  std::string now_at;
  if (!branch.states.empty()) {
    const StateView& current = state(branch.current);
    time =
        time_text(state(branch.states.front()).entered, is_open(branch.status) ? Instant{} : current.ended);
    if (!is_open(branch.status) && !detail_.done_opened) now_at = current.failure;
  }
  table_.add({{number},
              {},
              {std::string(status_text(branch.status)), colour_of_status(branch.status)},
              {time},
              {},
              {now_at}});
  if (!is_done(branch.status) || detail_.done_opened) draw_thread(index, below + "  ", depth);
}

// All, or those that are not done before those that are; in their order.
std::vector<std::size_t> Drawing::chosen(const std::vector<std::size_t>& threads) const {
  if (threads.size() <= detail_.threads) return threads;
  std::vector<std::size_t> out;
  for (const bool done : {false, true})
    for (const std::size_t i : threads)
      if (is_done(thread(i).status) == done && out.size() < detail_.threads) out.push_back(i);
  std::ranges::sort(out, {}, [this](std::size_t i) { return thread(i).index; });
  return out;
}

// "3 running, 1 failed, 8 succeeded"
std::string Drawing::counts(const std::vector<std::size_t>& threads) const {
  std::string out;
  for (const StateStatus status :
       {StateStatus::Running, StateStatus::Failed, StateStatus::Aborted, StateStatus::Succeeded}) {
    const auto n = std::ranges::count(threads, status, [this](std::size_t i) { return thread(i).status; });
    if (n == 0) continue;
    out += (out.empty() ? "" : ", ") + std::to_string(n) + " " + to_lower(status_text(status));
  }
  return out;
}

std::string Drawing::job_text(const StateView& one) const {
  std::string out = "job " + short_id(one.job_id);
  const auto job = data_.jobs.find(one.job_id);
  if (job == data_.jobs.end() || !is_open(one.status)) return out;
  out += " " + job->second.status;
  const std::string remark = job->second.remark();
  return remark.empty() ? out : out + ": " + remark;
}

std::string Drawing::map_run_text(const json::Value& run) const {
  const json::Value none;
  const json::Value* found = json::find(run, "itemCounts");
  const json::Value& items = found != nullptr ? *found : none;
  const std::int64_t failed =
      json::get_int(items, "failed") + json::get_int(items, "timedOut") + json::get_int(items, "aborted");
  std::string out = std::to_string(json::get_int(items, "succeeded")) + " of " +
                    std::to_string(json::get_int(items, "total")) + " items done";
  if (const auto running = json::get_int(items, "running"); running > 0)
    out += ", " + std::to_string(running) + " running";
  return failed > 0 ? out + ", " + std::to_string(failed) + " failed" : out;
}

std::string Drawing::details(const StateView& one) const {
  if (one.status == StateStatus::Retrying) return one.failure + "; tries again";
  if (one.status == StateStatus::Failed || one.status == StateStatus::Caught) return one.failure;
  if (const auto run = data_.map_runs.find(one.map_run_arn); run != data_.map_runs.end())
    return map_run_text(run->second);
  if (!one.threads.empty()) return counts(one.threads);
  if (!one.job_id.empty()) return job_text(one);
  if (!one.execution_arn.empty())
    return "execution " + short_execution(one.execution_arn.substr(one.execution_arn.rfind(':') + 1));
  return one.type == "Task" && is_open(one.status) ? one.resource : "";
}

std::string headline(const ExecutionData& data, Instant now, FrameLook look) {
  const ExecutionTree& tree = data.tree;
  const Instant until = tree.ended() ? tree.ended() : now;
  return paint(data.machine + " " + data.name, Colour::Bold, look.colours) + "  " +
         paint(tree.status(), colour_of_execution(tree.status()), look.colours) +
         (tree.started() ? "  " + duration_text(until - tree.started()) : "");
}

}  // namespace

std::vector<std::string> execution_frame(const ExecutionData& data, Instant now, FrameLook look) {
  std::vector<std::string> lines;
  for (const Detail& detail : kDetails) {
    lines = Drawing(data, now, detail).table().lines({.columns = look.columns, .colours = look.colours});
    if (look.rows == 0 || lines.size() + 1 <= look.rows) break;
  }
  std::vector<std::string> out{headline(data, now, look)};
  if (lines.size() == 1) lines.clear();  // titles alone
  if (look.rows > 0 && lines.size() + 1 > look.rows) {
    // What was entered last is at the end.
    const std::size_t room = look.rows > 3 ? look.rows - 3 : 0;
    const std::size_t cut = lines.size() - 1 - std::min(room, lines.size() - 1);
    lines.erase(lines.begin() + 1, lines.begin() + 1 + static_cast<std::ptrdiff_t>(cut));
    lines.insert(lines.begin() + 1, "… " + std::to_string(cut) + " lines before");
    if (lines.size() + 1 > look.rows) lines.resize(look.rows > 0 ? look.rows - 1 : 0);
  }
  out.insert(out.end(), lines.begin(), lines.end());
  for (std::string& line : out) line = cut_painted(line, look.columns);
  return out;
}

}  // namespace stoker::cli
