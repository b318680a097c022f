// stoker costs: what machines cost, by who paid.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "cli/api.h"
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/quantity.h"
#include "cli/table.h"
#include "cli/text_width.h"

namespace stoker::cli {
namespace {

constexpr CommandText kText{
    .name = "costs",
    .summary = "show what machines cost, by who paid",
    .usage = "[OPTIONS]",
    .description =
        "Adds up what machines cost: those that were launched, at their prices, and this machine where "
        "'stoker "
        "serve --node-price' says what it costs. All lines together are what the machines were billed.\n"
        "\n"
        "WORK is time that jobs held for their work, WARM-UP boot and image pulls, spread over the jobs that "
        "a "
        "machine served, IDLE what nobody held, WASTE work that an interruption took and machines that "
        "served "
        "nobody, CREDIT what is not billed after all. Of a machine on which nothing runs, the queue that "
        "used "
        "it last pays, unless a minimum keeps it. Lines without a queue are paid by nobody else. A ~ "
        "says that a "
        "machine goes on, so that the amount may still change. Days are in UTC.",
    .examples =
        "stoker costs                      # by queue\n"
        "stoker costs --by day,queue --since 7d\n"
        "stoker costs --by share --json | jq '.costs[].total'\n"
        "stoker costs --since 31d --focus >costs.csv",
    .exit_codes = kCommonExitCodes};

// As people write it, as the server calls it, as the answer does, as a title.
struct Key {
  std::string_view word;
  std::string_view asked;
  std::string_view member;
  std::string_view title;
};
constexpr std::array<Key, 4> kKeys = {{{"day", "DAY", "day", "DAY"},
                                       {"environment", "ENVIRONMENT", "environment", "ENVIRONMENT"},
                                       {"queue", "QUEUE", "queue", "QUEUE"},
                                       {"share", "SHARE", "share", "SHARE"}}};
struct Amount {
  std::string_view member;
  std::string_view title;
};
constexpr std::array<Amount, 6> kAmounts = {{{"total", "USD"},
                                             {"work", "WORK"},
                                             {"warmUp", "WARM-UP"},
                                             {"idle", "IDLE"},
                                             {"waste", "WASTE"},
                                             {"credit", "CREDIT"}}};

struct Options {
  std::string server;
  std::vector<const Key*> by;
  std::optional<Duration> since;
  bool json = false;
  bool focus = false;
};

// In the order of kKeys, each once.
Result<void> read_keys(std::string_view text, std::vector<const Key*>& into) {
  std::vector<std::string> words;
  for (const Key& key : kKeys) words.emplace_back(key.word);
  const auto parts = split(text, ',');
  for (const std::string_view part : parts)
    if (std::ranges::find(words, part) == words.end())
      return fail(Code::InvalidArgument,
                  "must be of day, environment, queue and share, separated by commas, not '" +
                      std::string(part) + "'");
  into.clear();
  for (const Key& key : kKeys)
    if (std::ranges::find(parts, key.word) != parts.end()) into.push_back(&key);
  return {};
}

Arguments describe(Options& o) {
  Arguments arguments(kText);
  arguments
      .option({.names = "-b,--by",
               .placeholder = "KEYS",
               .help =
                   "What lines are told apart by: day, environment, queue, share, or several of them, like "
                   "day,queue. Default: queue.",
               .offers = Offers::Words,
               .words = {"day", "environment", "queue", "share", "day,queue", "queue,share"},
               .set = [&o](std::string_view value) { return read_keys(value, o.by); }})
      .duration("--since", "TIME", o.since,
                "Only the days since so long ago. Default: all, 400 days at most.")
      .flag("--json", o.json, "Print the server's answer as it is.")
      .flag("--focus", o.focus,
            "Print CSV with columns of FOCUS 1.2: a row for each day, environment, queue, share, kind of "
            "machine and kind of cost.");
  add_server_option(arguments, o.server);
  return arguments;
}

std::vector<Cell> amounts_of(const json::Value& line) {
  const bool may_change = json::get_bool(line, "provisional");
  std::vector<Cell> cells;
  for (const Amount& amount : kAmounts) {
    const std::string text = dollars_text(json::get_string(line, amount.member));
    cells.push_back({amount.member == "total" && may_change ? "~" + text : text});
  }
  return cells;
}

std::string costs_text(const json::Value& answer, const Options& o, Table::Look look) {
  std::vector<Column> columns;
  for (const Key* key : o.by) columns.push_back({.title = std::string(key->title), .shrinks_to = 8});
  for (const Amount& amount : kAmounts)
    columns.push_back({.title = std::string(amount.title), .right = true});
  Table table(std::move(columns));
  for (const json::Value& line : json::get_array(answer, "costs")) {
    std::vector<Cell> row;
    for (const Key* key : o.by) row.push_back({printable(json::get_string(line, key->member))});
    for (Cell& cell : amounts_of(line)) row.push_back(std::move(cell));
    table.add(std::move(row));
  }
  if (const json::Value* total = json::find(answer, "total"); total != nullptr && table.rows() > 1) {
    std::vector<Cell> row(o.by.size());
    if (!row.empty()) row.front() = {"all", Colour::Bold};
    for (Cell& cell : amounts_of(*total)) row.push_back(std::move(cell));
    table.add(std::move(row));
  }
  return table.render(look);
}

int run_costs(Context& context, std::span<const std::string> arguments) {
  Options o;
  o.by = {&kKeys[2]};
  Arguments described = describe(o);
  if (const auto done = described.parse(context, arguments)) return *done;
  auto api = Api::connect(context, o.server);
  if (!api) return complain(context, api.error());
  json::Array keys;
  for (const Key* key : o.by) keys.emplace_back(key->asked);
  json::Object input{{"groupBy", std::move(keys)}};
  if (o.focus) input["focus"] = true;
  if (o.since) input["from"] = (context.now() - *o.since).ms;
  const auto answer = api->own("ListCosts", input);
  if (!answer) return complain(context, answer.error());
  if (o.json) {
    context.out.write(json::write_pretty(*answer) + "\n");
    return kOk;
  }
  if (o.focus) {
    context.out.write(std::string(json::get_string(*answer, "focus")));
    return kOk;
  }
  if (json::get_array(*answer, "costs").empty()) {
    complain(
        context,
        "no costs yet: no machine was launched, and this one has no price ('stoker serve --node-price')");
    return kOk;
  }
  context.out.write(costs_text(*answer, o, look_of(context.out)));
  return kOk;
}

}  // namespace

Command costs_command() {
  return {.about = kText, .run = run_costs, .describe = [] {
            static Options scratch;
            return describe(scratch);
          }};
}

}  // namespace stoker::cli
