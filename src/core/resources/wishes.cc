#include "core/resources/wishes.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "core/resources/max_running.h"
#include "core/resources/tag_values.h"

namespace stoker::core {
namespace {

constexpr std::int64_t kMemoryMibMax = std::int64_t{1} << 40;
constexpr std::int64_t kPreemptionRetriesMax = 100;
// Of a job that says that it saves from time to time, but not how often.
constexpr std::optional<Duration> kCheckpointEvery = hours(1);

// Tag values on AWS have no comma, so '/' separates as well.
bool read_models(std::string_view value, Wishes& into) {
  std::string text(value);
  std::ranges::replace(text, '/', ',');
  into.gpu_models.clear();
  for (const std::string_view part : split(text, ',')) {
    const std::string model = to_lower(trim(part));
    if (std::ranges::none_of(model, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }))
      return false;
    into.gpu_models.push_back(model);
  }
  std::ranges::sort(into.gpu_models);
  const auto repeated = std::ranges::unique(into.gpu_models);
  into.gpu_models.erase(repeated.begin(), repeated.end());
  return into.gpu_models.size() <= kWishModelsMax;
}

bool read_memory(std::string_view value, Wishes& into) {
  const auto mib = read_count(value, kMemoryMibMax);
  into.gpu_memory_mib_min = mib.value_or(0);
  return mib.has_value();
}

// Of a definition: that of an array is no wish of its jobs (wish_tags).
bool read_cap(std::string_view value, Wishes& into) {
  into.max_running = read_max_running(value);
  return into.max_running.has_value();
}

bool read_preemptible(std::string_view value, Wishes& into) {
  if (value != "true" && value != "false") return false;
  into.preemptible = value == "true";
  return true;
}

bool read_preemption_retries(std::string_view value, Wishes& into) {
  const auto number =
      value == "0" ? std::optional<std::int64_t>(0) : read_count(value, kPreemptionRetriesMax);
  into.preemptions_most = number ? std::optional(static_cast<int>(*number)) : std::nullopt;
  return number.has_value();
}

bool read_checkpoint(std::string_view value, Wishes& into) {
  into.checkpoint_every = {};
  if (value == "none") {
    into.checkpoint = Checkpoint::None;
  } else if (value == "signal") {
    into.checkpoint = Checkpoint::Signal;
  } else {
    const auto every = value == "periodic" ? kCheckpointEvery : read_duration(value);
    if (!every) return false;
    into.checkpoint = Checkpoint::Periodic;
    into.checkpoint_every = *every;
  }
  return true;
}

// Days from 1970-01-01 in the Gregorian calendar.
std::int64_t day_number(std::int64_t year, std::int64_t month, std::int64_t day) {
  const std::int64_t y = month <= 2 ? year - 1 : year;
  const std::int64_t of_era = (month + 9) % 12;  // March is 0
  return 365 * y + y / 4 - y / 100 + y / 400 + (153 * of_era + 2) / 5 + day - 1 - 719'468;
}

// "2026-08-07T12:00:00Z", years 1970 to 9999.
std::optional<Instant> read_instant(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00Z";
  if (text.size() != kForm.size()) return std::nullopt;
  for (std::size_t i = 0; i < kForm.size(); ++i)
    if (kForm[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != kForm[i]) return std::nullopt;
  const auto part = [&](std::size_t at, std::size_t size) { return *parse_int(text.substr(at, size)); };
  const std::int64_t day = day_number(part(0, 4), part(5, 2), part(8, 2));
  const Instant at{(day * 86'400 + part(11, 2) * 3600 + part(14, 2) * 60 + part(17, 2)) * 1000};
  // A day or an hour that does not exist comes out as another text.
  if (at.ms <= 0 || iso_time(at.ms) != text) return std::nullopt;
  return at;
}

bool read_deadline(std::string_view value, Wishes& into) {
  const auto after = read_duration(value);
  const auto at = read_instant(value);
  into.deadline_after = after.value_or(Duration{});
  into.deadline_at = at.value_or(Instant{});
  return after || at;
}

bool read_run_time(std::string_view value, Wishes& into) {
  const auto time = read_duration(value);
  into.run_time = time.value_or(Duration{});
  return time.has_value();
}

template <class Value, std::size_t N>
bool read_word(std::string_view value, const std::array<std::pair<std::string_view, Value>, N>& words,
               Value& into) {
  const auto found = std::ranges::find(words, value, &std::pair<std::string_view, Value>::first);
  if (found == words.end()) return false;
  into = found->second;
  return true;
}

bool read_spot(std::string_view value, Wishes& into) {
  static constexpr std::array<std::pair<std::string_view, SpotUse>, 3> kWords = {
      {{"first", SpotUse::First}, {"only", SpotUse::Only}, {"never", SpotUse::Never}}};
  return read_word(value, kWords, into.spot);
}

bool read_topology(std::string_view value, Wishes& into) {
  static constexpr std::array<std::pair<std::string_view, Nearness>, 3> kWords = {
      {{"any", Nearness::Any}, {"rack", Nearness::Rack}, {"node", Nearness::Node}}};
  return read_word(value, kWords, into.topology);
}

constexpr std::array<WishRule, 10> kRules = {{
    {"stoker:checkpoint", "none, signal, periodic, or how often it saves, such as 90s, 20m or 2h",
     read_checkpoint},
    {"stoker:deadline",
     "a time after the submission such as 90m, 48h or 7d, or an instant such as 2026-08-07T12:00:00Z",
     read_deadline},
    {"stoker:gpu-memory-min", "a whole number of MiB, 1 or more", read_memory},
    {"stoker:gpu-models", "up to 16 names of GPU models, separated by '/' or ','", read_models},
    {kMaxRunning, kMaxRunningRule, read_cap},
    {"stoker:preemption-retries", "a whole number from 0 to 100", read_preemption_retries},
    {"stoker:preemptible", "true or false", read_preemptible},
    {"stoker:run-time", "a time such as 90s, 20m, 48h or 2d", read_run_time},
    {"stoker:spot", "first, only or never", read_spot},
    {"stoker:topology", "any, rack or node", read_topology},
}};

}  // namespace

std::span<const WishRule> wish_rules() {
  return kRules;
}

Tags wish_tags(const Tags& definition, const std::optional<Tags>& job) {
  Tags wishes;
  const auto add = [&](const Tags& tags) {
    for (auto at = tags.lower_bound(std::string(kOwnPrefix)); at != tags.end(); ++at) {
      if (!at->first.starts_with(kOwnPrefix)) break;
      if (&tags == &definition || at->first != kMaxRunning) wishes[at->first] = at->second;
    }
  };
  add(definition);
  if (job) add(*job);
  return wishes;
}

Wishes interpret_wishes(const Tags& tags) {
  Wishes wishes;
  for (const auto& [key, value] : tags) {
    const auto rule = std::ranges::find(kRules, key, &WishRule::key);
    if (rule == kRules.end()) continue;
    const Wishes before = wishes;
    if (!rule->read(value, wishes)) wishes = before;
  }
  return wishes;
}

}  // namespace stoker::core
