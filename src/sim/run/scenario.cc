#include "sim/run/scenario.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/resources/capacity_units.h"
#include "sim/run/cell.h"
#include "sim/run/members.h"
#include "sim/run/quota_shares.h"
#include "sim/run/read_environment.h"
#include "sim/run/read_source.h"
#include "sim/run/scheduling_policy.h"
#include "sim/run/set_up.h"
#include "sim/run/tenants.h"

namespace stoker::sim {
namespace {

Result<void> read_queue(Members& members, SimQueue& queue) {
  TRY(members.text("name", queue.name));
  if (queue.name.empty()) return bad_member("name", "must be given");
  TRY(members.whole("priority", 0, 1000, queue.priority));
  const json::Array* list = TRY(members.list("environments", 1, 3));
  for (const json::Value& name : *list) queue.environments.emplace_back(json::text(name));
  queue.scheduling_policy = TRY(read_scheduling_policy(members));
  queue.quota_shares = TRY(read_quota_shares(members));
  if (queue.quota_shares.empty() && is_about_quotas(queue.scheduling_policy))
    return bad_member("quotaShares", "must be given with a quotaSharePolicy, a share for each tenant");
  return {};
}

// "types" and "prices" as in the catalogue file.
Result<void> read_catalogue(Members& members, const json::Value& value, fleet::Catalogue& catalogue) {
  TRY(members.list("types", 0, fleet::kTypesMax));
  TRY(members.list("prices", 0, fleet::kPricesMax));
  std::string date;
  TRY(members.text("date", date));
  return catalogue.apply(value);
}

template <class Item>
Result<void> check_once(std::string_view list, const std::vector<Item>& items) {
  for (std::size_t i = 0; i < items.size(); ++i)
    if (std::ranges::count(items, items[i].name, &Item::name) > 1)
      return bad_member(numbered(list, i), "name: " + items[i].name + " is there twice");
  return {};
}

const SimJob& form_of(const JobSource& source) {
  return source.trace ? source.trace->form : source.generator->form;
}

// Names must lead somewhere.
Result<void> check_names(const Scenario& scenario) {
  const auto has_environment = [&](const std::string& name) {
    return std::ranges::find(scenario.environments, name, &SimEnvironment::name) !=
           scenario.environments.end();
  };
  for (const SimQueue& queue : scenario.queues)
    for (const std::string& name : queue.environments)
      if (!has_environment(name))
        return bad_member("queues", queue.name + ": there is no environment '" + name + "'");
  for (const SimQueue& queue : scenario.queues)
    for (const core::QuotaShare& share : queue.quota_shares)
      for (const core::CapacityLimit& limit : share.limits)
        if (!core::is_known_unit(limit.unit, scenario.catalogue, {}))
          return bad_member("queues",
                            queue.name + ": quota share " + share.name + ": no machine has " + limit.given);
  for (const JobSource& source : scenario.jobs) {
    const std::string& name = form_of(source).queue;
    if (std::ranges::find(scenario.queues, name, &SimQueue::name) == scenario.queues.end())
      return bad_member("jobs", "there is no queue " + name);
    if (source.generator && scenario.length == Duration{})
      return bad_member("days", "must be given where jobs are generated");
  }
  return {};
}

// Those that are known before a trace is read.
Result<void> check_generated_tenants(const Scenario& scenario) {
  std::map<std::string_view, std::set<std::string_view>> tenants;  // by queue
  for (const JobSource& source : scenario.jobs)
    if (source.generator)
      tenants[source.generator->form.queue].insert(source.generator->tenants.begin(),
                                                   source.generator->tenants.end());
  return check_tenants(scenario, tenants);
}

// An image has one size, and that is told where somebody pulls by size, and only there.
Result<void> check_images(const Scenario& scenario) {
  std::map<std::string_view, std::int64_t> sizes;
  for (std::size_t i = 0; i < scenario.jobs.size(); ++i) {
    const SimJob& form = form_of(scenario.jobs[i]);
    if (form.image.empty()) continue;
    if (sizes.emplace(form.image, form.image_mib).first->second != form.image_mib)
      return bad_member(numbered("jobs", i),
                        "image: mib: " + form.image + " has another size in another place");
  }
  const bool told = std::ranges::any_of(sizes, [](const auto& size) { return size.second > 0; });
  const auto by_size = std::ranges::find_if(scenario.environments, [](const SimEnvironment& environment) {
    return environment.pull_mib_per_second > 0;
  });
  const bool pulled = by_size != scenario.environments.end();
  if (told && !pulled)
    return bad_member("jobs",
                      "image: mib: no environment has pullMiBPerSecond, so that sizes have no effect");
  if (pulled && !told)
    return bad_member(
        numbered("environments", static_cast<std::size_t>(by_size - scenario.environments.begin())),
        "pullMiBPerSecond: no image of the jobs has its mib, so that it has no effect");
  return {};
}

// Each list is bounded, and so is what all of them come to.
Result<void> check_sizes(const Scenario& scenario) {
  std::int64_t machines = 0;
  for (const SimEnvironment& environment : scenario.environments)
    for (const StaticMachines& some : environment.machines) machines += some.count;
  if (machines > kSimMachinesMax)
    return bad_member("environments", "have more than " + std::to_string(kSimMachinesMax) + " machines");
  double jobs = 0;
  for (const JobSource& source : scenario.jobs) {
    if (!source.generator) continue;
    const double busiest =
        static_cast<double>(std::max<std::int64_t>(1000, source.generator->weekend_milli)) / 1000;
    const double day_count = static_cast<double>(scenario.length.ms) / static_cast<double>(days(1).ms);
    jobs += source.generator->jobs_per_day * busiest * day_count;
  }
  if (jobs > static_cast<double>(kSimJobsMax))
    return bad_member("jobs", "generate: jobsPerDay: in all these days more than " +
                                  std::to_string(kSimJobsMax) + " jobs may come");
  return {};
}

}  // namespace

Result<Scenario> read_scenario(const json::Value& value) {
  if (!value.is_object()) return fail(Code::InvalidArgument, "a scenario must be an object");
  Members members(value);
  Scenario scenario;
  scenario.catalogue = fleet::Catalogue::builtin();
  TRY(members.text("name", scenario.name));
  if (one_line(scenario.name) != scenario.name) return bad_member("name", "must have no control characters");
  TRY(members.text("about", scenario.about));
  TRY(members.text("story", scenario.story));
  std::int64_t seed = 1;
  TRY(members.whole("seed", 0, INT64_MAX, seed));
  scenario.seed = static_cast<std::uint64_t>(seed);
  std::int64_t day_count = 0;
  TRY(members.whole("days", 0, 3650, day_count));
  scenario.length = days(day_count);
  TRY(members.object("catalogue", [&](Members& member) {
    return read_catalogue(member, *json::find(value, "catalogue"), scenario.catalogue);
  }));
  TRY(members.each("jobs", 1, kJobSourcesMax, [&](Members& member, std::size_t) {
    return read_source(member, scenario.jobs.emplace_back());
  }));
  TRY(members.each("environments", 1, kSimEnvironmentsMax, [&](Members& member, std::size_t) {
    return read_environment(member, scenario.catalogue, scenario.environments.emplace_back());
  }));
  TRY(members.each("queues", 1, kSimQueuesMax, [&](Members& member, std::size_t) {
    return read_queue(member, scenario.queues.emplace_back());
  }));
  TRY(members.draw("restartSeconds", scenario.restart));
  if (const json::Value* placement = members.find("placement")) {
    const auto policy = core::parse_policy(json::text(*placement));
    if (!policy) return bad_member("placement", "is no placement policy");
    scenario.placement = *policy;
  }
  TRY(members.nothing_else());
  TRY(check_once("environments", scenario.environments));
  TRY(check_once("queues", scenario.queues));
  TRY(check_names(scenario));
  TRY(check_generated_tenants(scenario));
  TRY(check_images(scenario));
  TRY(check_sizes(scenario));
  TRY(check_set_up(scenario));
  return scenario;
}

}  // namespace stoker::sim
