#include "sim/run/traces.h"

#include <algorithm>
#include <chrono>

#include "base/text.h"
#include "sim/run/draw.h"
#include "sim/run/trace_rows.h"
#include "sim/table.h"

namespace stoker::sim {
namespace {

constexpr std::size_t kModelsMax = 100;
constexpr std::size_t kSpotEventsMax = 1'000'000;

struct Columns {
  std::string_view submit;
  std::string_view run;
  std::string_view gpus;
  std::string_view tenant;  // "": the trace tells none
};

// A row a job, times in seconds.
Result<std::vector<SimJob>> parse_columns(const Table& table, const Columns& columns) {
  const std::size_t submit = TRY(table.need_column(columns.submit));
  const std::size_t run = TRY(table.need_column(columns.run));
  const std::size_t gpus = TRY(table.need_column(columns.gpus));
  const bool has_tenant = !columns.tenant.empty();
  const std::size_t tenant = has_tenant ? TRY(table.need_column(columns.tenant)) : 0;
  std::vector<SimJob> jobs;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    SimJob job;
    job.submit = TRY(time_at(table.cell(row, submit), row + 2, columns.submit));
    job.run = TRY(time_at(table.cell(row, run), row + 2, columns.run));
    job.gpus = TRY(gpus_at(table.cell(row, gpus), row + 2));
    if (has_tenant) job.tenant = name_in(table.cell(row, tenant));
    TRY(keep_job(jobs, std::move(job), row + 2));
  }
  return jobs;
}

Result<std::vector<SimJob>> parse_philly(const Table& table) {
  const std::size_t submit = TRY(table.need_column("timestamp"));
  const std::size_t run = TRY(table.need_column("duration"));
  const std::size_t gpus = TRY(table.need_column("num_gpus"));
  const std::size_t tenant = TRY(table.need_column("cluster"));
  std::vector<SimJob> jobs;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    SimJob job;
    const auto at = parse_wall_time(table.cell(row, submit));
    if (!at) return bad_line(row + 2, "timestamp is no date and time");
    job.submit = {*at};
    job.run = TRY(time_at(table.cell(row, run), row + 2, "duration"));
    job.gpus = TRY(gpus_at(table.cell(row, gpus), row + 2));
    job.tenant = name_in(table.cell(row, tenant));
    TRY(keep_job(jobs, std::move(job), row + 2));
  }
  return jobs;
}

Result<std::vector<SimJob>> parse_openb(const Table& table) {
  const std::size_t cpus = TRY(table.need_column("cpu_milli"));
  const std::size_t memory = TRY(table.need_column("memory_mib"));
  const std::size_t gpus = TRY(table.need_column("num_gpu"));
  const std::size_t milli = TRY(table.need_column("gpu_milli"));
  const std::size_t models = TRY(table.need_column("gpu_spec"));
  const std::size_t from = TRY(table.need_column("creation_time"));
  const std::size_t to = TRY(table.need_column("deletion_time"));
  std::vector<SimJob> jobs;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    SimJob job;
    job.cpus_milli = TRY(table.whole(row, cpus, 0, 1'000'000'000));
    job.memory_mib = TRY(table.whole(row, memory, 0, 1'000'000'000));
    job.gpus = TRY(gpus_at(table.cell(row, gpus), row + 2));
    const std::int64_t share = TRY(table.whole(row, milli, 0, 1000));
    if (job.gpus == 1 && share > 0 && share < 1000) {
      job.gpus = 0;
      job.gpu_milli = share;
    }
    if (const std::string_view list = table.cell(row, models); !list.empty()) {
      if (static_cast<std::size_t>(std::ranges::count(list, '|')) >= kModelsMax)
        return bad_line(row + 2, "gpu_spec has too many models");
      for (const std::string_view model : split(list, '|')) job.gpu_models.push_back(name_in(model));
    }
    job.submit = TRY(time_at(table.cell(row, from), row + 2, "creation_time"));
    job.run = TRY(time_at(table.cell(row, to), row + 2, "deletion_time")) - job.submit;
    TRY(keep_job(jobs, std::move(job), row + 2));
  }
  return jobs;
}

Result<std::vector<SimJob>> parse_shockwave(std::string_view text) {
  constexpr std::size_t kFields = 12;
  std::vector<SimJob> jobs;
  for (std::size_t line = 1; const auto row = take_line(text); ++line) {
    if (trim(*row).empty()) continue;
    const std::vector<std::string_view> fields = TRY(fields_of(*row, line));
    if (fields.size() < kFields) return bad_line(line, "has fewer than 12 fields");
    SimJob job;
    job.tenant = model_in(fields[0]);
    job.gpus = TRY(gpus_at(fields[6], line));
    job.run = TRY(time_at(fields[10], line, "duration"));
    job.submit = TRY(time_at(trim(fields[11]), line, "arrival"));
    TRY(keep_job(jobs, std::move(job), line));
  }
  return jobs;
}

Result<std::vector<SimJob>> parse_rows(TraceKind kind, std::string_view text) {
  if (kind == TraceKind::Shockwave) return parse_shockwave(text);
  const Table table = TRY(Table::parse(text));
  switch (kind) {
    case TraceKind::Itp:
      return parse_columns(table, {"submission_time", "duration", "num_gpu", ""});
    case TraceKind::Philly:
      return parse_philly(table);
    case TraceKind::Openb:
      return parse_openb(table);
    case TraceKind::Tiresias:
      return parse_columns(table, {"submit_time", "duration", "num_gpu", "model_name"});
    case TraceKind::Shockwave:
    case TraceKind::Gavel:
    case TraceKind::Demand:
      break;
  }
  return fail(Code::Internal, "an unknown kind of trace");
}

}  // namespace

std::optional<TraceKind> trace_kind(std::string_view name) {
  constexpr std::pair<std::string_view, TraceKind> kKinds[] = {
      {"itp", TraceKind::Itp},      {"philly", TraceKind::Philly},     {"shockwave", TraceKind::Shockwave},
      {"gavel", TraceKind::Gavel},  {"tiresias", TraceKind::Tiresias}, {"openb", TraceKind::Openb},
      {"demand", TraceKind::Demand}};
  for (const auto& [word, kind] : kKinds)
    if (word == name) return kind;
  return std::nullopt;
}

std::optional<std::int64_t> parse_wall_time(std::string_view text) {
  if (text.size() != 19 || text[4] != '-' || text[7] != '-' || text[10] != ' ' || text[13] != ':' ||
      text[16] != ':')
    return std::nullopt;
  std::int64_t part[6];
  const std::size_t at[] = {0, 5, 8, 11, 14, 17};
  for (int i = 0; i < 6; ++i) {
    const auto number = parse_int(text.substr(at[i], i == 0 ? 4 : 2));
    if (!number || *number < 0) return std::nullopt;
    part[i] = *number;
  }
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(part[0])),
                                         std::chrono::month(static_cast<unsigned>(part[1])),
                                         std::chrono::day(static_cast<unsigned>(part[2]))};
  if (!date.ok() || part[3] > 23 || part[4] > 59 || part[5] > 60) return std::nullopt;
  const std::int64_t day = std::chrono::sys_days(date).time_since_epoch().count();
  return (((day * 24 + part[3]) * 60 + part[4]) * 60 + part[5]) * 1000;
}

Result<std::vector<SimJob>> parse_trace(TraceKind kind, std::string_view text) {
  std::vector<SimJob> jobs = TRY(parse_rows(kind, text));
  TRY(begin_at_0(jobs));
  return jobs;
}

Result<std::vector<DemandPoint>> parse_demand_series(std::string_view text) {
  const Table table = TRY(Table::parse(text));
  const std::size_t at = TRY(table.need_column("time"));
  const bool machines = static_cast<bool>(table.need_column("active"));
  const std::size_t running = TRY(table.need_column(machines ? "active" : "running_gpu_num"));
  const std::size_t pending = machines ? running : TRY(table.need_column("pending_gpu_num"));
  std::vector<DemandPoint> points;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto time = parse_wall_time(table.cell(row, at));
    if (!time) return bad_line(row + 2, "time is no date and time");
    std::int64_t wanted = TRY(gpus_at(table.cell(row, running), row + 2));
    if (!machines) wanted += TRY(gpus_at(table.cell(row, pending), row + 2));
    points.push_back({{*time}, wanted});
  }
  if (points.empty()) return points;
  const Duration first = points.front().at;
  for (DemandPoint& point : points) point.at = point.at - first;
  return points;
}

Result<std::vector<SimJob>> parse_demand(std::string_view text, std::int64_t gpus_per_unit) {
  std::vector<DemandPoint> points = TRY(parse_demand_series(text));
  std::vector<SimJob> jobs;
  if (points.empty()) return jobs;
  points.push_back({points.back().at, 0});
  std::vector<Duration> since;  // of each unit that is wanted
  for (std::size_t row = 0; row < points.size(); ++row) {
    const DemandPoint& point = points[row];
    const auto wanted = static_cast<std::size_t>(point.wanted);
    while (since.size() > wanted) {
      SimJob job;
      job.submit = since.back();
      job.run = point.at - since.back();
      job.gpus = gpus_per_unit;
      since.pop_back();
      TRY(keep_job(jobs, std::move(job), row + 2));
    }
    since.resize(wanted, point.at);
  }
  std::ranges::stable_sort(jobs, {}, &SimJob::submit);
  return jobs;
}

Result<std::vector<SpotEvent>> parse_spot_events(std::string_view text) {
  std::vector<SpotEvent> events;
  for (std::size_t line = 1; const auto row = take_line(text); ++line) {
    if (trim(*row).empty()) continue;
    if (row->size() > kTraceLineBytesMax) return bad_line(line, "is too long");
    const std::vector<std::string_view> cells = split(trim(*row), ',');
    const auto at = cells.size() == 3 ? parse_int(cells[0]) : std::nullopt;
    if (!at || *at < 0 || (cells[1] != "add" && cells[1] != "remove"))
      return bad_line(line, "must be time,add|remove,node");
    if (*at > kDrawMax.ms) return bad_line(line, "is later than ten years");
    if (!events.empty() && *at < events.back().at.ms) return bad_line(line, "is earlier than the one before");
    if (events.size() == kSpotEventsMax) return fail(Code::LimitExceeded, "there are too many events");
    events.push_back({{*at}, cells[1] == "add", std::string(cells[2])});
  }
  return events;
}

SpotHistory history_of(const std::vector<SpotEvent>& events) {
  SpotHistory history;
  std::int64_t alive = 0;
  for (const SpotEvent& event : events) {
    history.length = std::max(history.length, event.at);
    if (event.added) {
      ++alive;
      continue;
    }
    if (alive == 0) continue;  // it was never seen to come
    if (history.losses.empty() || history.losses.back().at != event.at)
      history.losses.push_back({event.at, 0, alive});
    ++history.losses.back().lost;
    --alive;
  }
  return history;
}

}  // namespace stoker::sim
