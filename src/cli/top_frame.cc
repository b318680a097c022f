#include "cli/top_frame.h"

#include <algorithm>
#include <cstdlib>

#include "base/text.h"
#include "cli/job_table.h"
#include "cli/quantity.h"
#include "cli/text_width.h"

namespace stoker::cli {
namespace {

constexpr std::size_t kBarWide = 16;
constexpr std::size_t kBarNarrow = 6;
constexpr std::size_t kColumnsForWideBars = 110;
constexpr std::size_t kRowsUnbounded = 100'000;
constexpr std::size_t kRowsForJobs = 6;  // kept free for jobs, however many nodes and queues there are

std::string repeated(std::string_view text, std::size_t n) {
  std::string out;
  for (std::size_t i = 0; i < n; ++i) out += text;
  return out;
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t have = text_width(text);
  if (have < width) text.append(width - have, ' ');
  return text;
}

Colour colour_of_load(std::int64_t used, std::int64_t total) {
  if (used <= 0 || total <= 0) return Colour::Dim;
  return used >= total ? Colour::Yellow : Colour::Green;
}

std::string clock_text(Instant now) {
  const std::string iso = iso_time(now.ms);  // 2026-08-07T12:00:00Z
  return iso.size() >= 19 ? iso.substr(11, 8) + " UTC" : iso;
}

// "CPU ███░░░ 3/8"
std::string gauge(std::string_view title, std::int64_t used, std::int64_t total, const std::string& amounts,
                  std::size_t bar_width, bool colours) {
  return std::string(title) + " " + paint(bar(used, total, bar_width), colour_of_load(used, total), colours) +
         " " + amounts;
}

std::string node_line(const NodeView& node, std::size_t name_width, FrameLook look) {
  std::string line = padded(cut_to_width(node.name, name_width), name_width) + "  ";
  if (!node.connected) return line + paint("not connected", Colour::Red, look.colours);
  const std::size_t width = look.columns >= kColumnsForWideBars ? kBarWide : kBarNarrow;
  line += gauge("CPU", node.cpus_used_milli, node.cpus_milli,
                padded(cpus_text(node.cpus_used_milli) + "/" + cpus_text(node.cpus_milli), 7), width,
                look.colours);
  line += "  " + gauge("MEM", node.memory_used_mib, node.memory_mib,
                       padded(memory_text(node.memory_used_mib) + "/" + memory_text(node.memory_mib), 11),
                       width, look.colours);
  if (node.gpus_total > 0)
    line += "  " + gauge("GPU", node.gpus_used_milli, node.gpus_total * 1000,
                         padded(cpus_text(node.gpus_used_milli) + "/" + std::to_string(node.gpus_total), 5),
                         width, look.colours);
  const std::string jobs = std::to_string(node.jobs) + (node.jobs == 1 ? " job" : " jobs");
  return line + "  " + jobs;
}

std::string holder_text(std::string_view id, std::string_view name, FrameLook look) {
  if (id.empty()) return paint("free", Colour::Dim, look.colours);
  return paint(cut_to_width(std::string(name) + " (" + short_id(id) + ")", 40), Colour::Green, look.colours);
}

// A line for the GPU, and one for each of its parts unless nobody holds any of them.
std::vector<std::string> gpu_lines(const NodeView& node, FrameLook look) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < node.gpus.size(); ++i) {
    const GpuView& gpu = node.gpus[i];
    std::string line = "  GPU " + padded(std::to_string(i), 3) + padded(gpu.model, 18) + "  ";
    if (gpu.memory_mib > 0) line += padded(memory_text(gpu.memory_mib), 6) + "  ";
    const auto held = std::ranges::count_if(gpu.parts, [](const auto& part) { return !part.job_id.empty(); });
    if (held == 0)
      out.push_back(line + holder_text(gpu.job_id, gpu.job_name, look));
    else if (gpu.shared_milli > 0)
      out.push_back(line + cpus_text(gpu.shared_milli) + " shared, " + cpus_text(1000 - gpu.shared_milli) +
                    " free");
    else
      out.push_back(line + std::to_string(held) + " of " + std::to_string(gpu.parts.size()) + " MIG devices");
    if (held == 0) continue;
    for (const GpuPartView& part : gpu.parts)
      out.push_back("         " + padded(part.what, 18) + "  " +
                    holder_text(part.job_id, part.job_name, look));
  }
  return out;
}

// Adds what fits into `room` lines, and says how many were left out.
void add_bounded(std::vector<std::string>& out, const std::vector<std::string>& lines, std::size_t room,
                 std::string_view what) {
  if (room == 0) return;
  if (lines.size() <= room) {
    out.insert(out.end(), lines.begin(), lines.end());
    return;
  }
  out.insert(out.end(), lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(room - 1));
  out.push_back("  … and " + std::to_string(lines.size() - room + 1) + " more " + std::string(what));
}

std::vector<std::string> node_lines(const TopData& data, FrameLook look, std::size_t room) {
  std::size_t name_width = 4;
  for (const NodeView& node : data.nodes)
    name_width = std::max(name_width, std::min<std::size_t>(24, text_width(node.name)));
  std::vector<std::string> brief;
  std::vector<std::string> full;
  for (const NodeView& node : data.nodes) {
    const std::string line = node_line(node, name_width, look);
    brief.push_back(line);
    full.push_back(line);
    for (std::string& gpu : gpu_lines(node, look)) full.push_back(std::move(gpu));
    for (const std::string& warning : node.warnings)
      full.push_back("  " +
                     paint(cut_to_width("! " + warning, look.columns - 2), Colour::Yellow, look.colours));
  }
  std::vector<std::string> out;
  if (data.nodes.empty()) out.push_back(paint("no node is connected", Colour::Red, look.colours));
  // Single GPUs are shown as long as there is room for all of them.
  add_bounded(out, full.size() <= room ? full : brief, room, "nodes");
  return out;
}

std::string headline(const TopData& data, Instant now, FrameLook look, std::string_view fault) {
  std::string right = clock_text(now);
  if (look.rows > 0) right += "   q quits";
  std::string left = "stoker  " + data.address;
  if (!fault.empty()) left += "  " + std::string(fault);
  left = cut_to_width(printable(left), look.columns - std::min(look.columns, text_width(right) + 2));
  const std::size_t gap = look.columns - std::min(look.columns, text_width(left) + text_width(right));
  return paint(left, fault.empty() ? Colour::Bold : Colour::Red, look.colours) + std::string(gap, ' ') +
         right;
}

void add_jobs(std::vector<std::string>& out, std::string_view title, const std::vector<JobView>& jobs,
              Instant now, FrameLook look, std::size_t room) {
  if (jobs.empty() || room < 3) return;
  out.emplace_back();
  add_bounded(
      out, job_table(jobs, now, {.title = title}).lines({.columns = look.columns, .colours = look.colours}),
      room - 1, "jobs");
}

}  // namespace

std::string bar(std::int64_t used, std::int64_t total, std::size_t width) {
  std::size_t filled = 0;
  if (total > 0 && used > 0) {
    const double share = std::min(1.0, static_cast<double>(used) / static_cast<double>(total));
    filled = static_cast<std::size_t>(share * static_cast<double>(width) + 0.5);
    filled = std::max<std::size_t>(1, filled);                               // something is used
    if (used < total) filled = std::min(filled, width > 0 ? width - 1 : 0);  // and something is free
  }
  return repeated("█", filled) + repeated("░", width - std::min(width, filled));
}

std::vector<std::string> top_frame(const TopData& data, Instant now, FrameLook look, std::string_view fault) {
  const std::size_t rows = look.rows > 0 ? look.rows : kRowsUnbounded;
  std::vector<std::string> out{headline(data, now, look, fault), ""};
  const std::size_t queue_rows = std::min<std::size_t>(data.queues.size() + 2, 8);
  const std::size_t fixed = out.size() + queue_rows + kRowsForJobs;
  const auto nodes = node_lines(data, look, rows > fixed ? rows - fixed : 1);
  out.insert(out.end(), nodes.begin(), nodes.end());
  out.emplace_back();
  const auto queues = queue_table(data.queues).lines({.columns = look.columns, .colours = look.colours});
  add_bounded(out, queues, queue_rows - 1, "queues");
  // The rest is shared by the jobs: what runs first, then what waits, then what has ended.
  const auto left = [&] { return rows > out.size() ? rows - out.size() : 0; };
  const std::size_t for_waiting = std::min(data.waiting.empty() ? 0 : data.waiting.size() + 2, left() / 2);
  add_jobs(out, "RUNNING", data.running, now, look, left() - for_waiting);
  add_jobs(out, "WAITING", data.waiting, now, look, left());
  add_jobs(out, "ENDED", data.ended, now, look, left());
  if (out.size() > rows) out.resize(rows);
  for (std::string& line : out) line = cut_painted(line, look.columns);
  return out;
}

}  // namespace stoker::cli
