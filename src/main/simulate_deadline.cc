// stoker simulate deadline: options of the experiment with deadlines on spot.
#include "cli/exit.h"
#include "cli/quantity.h"
#include "main/simulate.h"
#include "sim/deadline/experiment.h"
#include "sim/table.h"

namespace stoker {
namespace {

constexpr cli::CommandText kText{
    .name = "simulate deadline",
    .summary = "what a job with a deadline would have cost on spot",
    .usage = "SERIES... [OPTIONS]",
    .description =
        "Replays one job with a deadline on recorded availability of spot machines and prints the mean cost "
        "of each "
        "policy against on-demand alone, which policy the server would choose, and how many deadlines were "
        "met: a cost without that says nothing. Progress is kept when "
        "spot is "
        "taken away; each start costs some time before work goes on. A series is JSON: "
        "{\"metadata\":{\"gap_seconds\":195},\"data\":[1,0,...]}, above 0 where a machine could be had.",
    .examples =
        "stoker simulate deadline series/*.json --deadline 52h --deadline 60h --start 3m --start 12m\n"
        "stoker simulate deadline us-east-1a.json --work 10h --deadline 14h --on-demand 1.006 --spot 0.42 "
        "--json",
    .exit_codes =
        "0    done\n"
        "1    a series could not be read; the reason is on standard error\n"
        "2    the command line or a series makes no sense, or asks for too much\n"
        "4    there is no such file"};

struct Given {
  std::vector<std::string> series;
  std::optional<Duration> work;
  std::vector<std::string> deadlines;
  std::vector<std::string> starts;
  std::string on_demand = "3.06";
  std::string spot = "0.97";
  std::optional<std::int64_t> points;
  bool json = false;
};

cli::Arguments describe(Given& g) {
  cli::Arguments arguments(kText);
  arguments
      .operands(g.series, {.placeholder = "SERIES", .least = 1, .most = 10'000, .offers = cli::Offers::Files})
      .duration("--work", "TIME", g.work, "Work of the job. Default: 48h.")
      .texts("--deadline", "TIME", g.deadlines, "After the start; a row for each. Default: 60h.")
      .texts("--start", "TIME", g.starts, "What a start costs; a row for each. Default: 12m.")
      .text("--on-demand", "USD", g.on_demand, "On-demand price per hour. Default: 3.06.")
      .text("--spot", "USD", g.spot, "Spot price per hour. Default: 0.97.")
      .number("--points", "N", g.points, {1, 1000}, "Starts in each series, evenly spread. Default: 8.")
      .flag("--json", g.json, "Print JSON.");
  return arguments;
}

Result<std::vector<Duration>> durations(const std::vector<std::string>& texts, Duration otherwise) {
  std::vector<Duration> list;
  for (const std::string& text : texts) list.push_back(TRY(cli::parse_duration(text)));
  if (list.empty()) list.push_back(otherwise);
  return list;
}

Result<sim::DeadlineOrder> order_of(const Given& g) {
  sim::DeadlineOrder order;
  order.work = g.work.value_or(hours(48));
  if (order.work <= Duration{}) return fail(Code::InvalidArgument, "--work must be longer than nothing");
  order.deadlines = TRY(durations(g.deadlines, hours(60)));
  order.starts = TRY(durations(g.starts, minutes(12)));
  const auto on_demand = parse_money(g.on_demand);
  const auto spot = parse_money(g.spot);
  if (!on_demand || !spot || *on_demand <= Money{} || *spot <= Money{})
    return fail(Code::InvalidArgument, "prices must be dollars per hour, such as 3.06");
  order.prices = {.on_demand = *on_demand, .spot = *spot};
  order.points = static_cast<int>(g.points.value_or(order.points));
  TRY(sim::check_deadlines(order));
  return order;
}

int run_deadline(cli::Context& context, std::span<const std::string> arguments) {
  Given given;
  cli::Arguments described = describe(given);
  if (const auto done = described.parse(context, arguments)) return *done;
  const auto order = order_of(given);
  if (!order) return complain_of_input(context, order.error());
  std::vector<fleet::SpotSeries> series;
  for (const std::string& path : given.series) {
    const auto text = sim::read_text(path);
    if (!text) return complain_of_input(context, text.error());
    auto one = sim::parse_spot_series(*text);
    if (!one) return complain_of_input(context, std::move(one).error().within(path));
    series.push_back(std::move(*one));
  }
  const auto rows = sim::run_deadlines(series, *order);
  context.out.write(given.json ? json::write(sim::deadlines_json(rows)) + "\n" : sim::deadlines_text(rows));
  return cli::kOk;
}

}  // namespace

cli::Command deadline_experiment() {
  return {.about = kText, .run = run_deadline, .describe = [] {
            static Given scratch;
            return describe(scratch);
          }};
}

}  // namespace stoker
