#include "server/start.h"

#include "base/assert.h"
#include "base/text.h"

namespace stoker::server {

bool is_loopback(std::string_view listen) {
  if (listen.starts_with("unix:")) return true;
  const auto colon = listen.rfind(':');
  std::string_view host = listen.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

Result<void> check_options(const Options& options) {
  if (options.engine != "local" && options.engine != "fake")
    return fail(Code::InvalidArgument, "--engine is local or fake, not " + options.engine);
  if (options.account.size() != 12 || !parse_int(options.account) || options.account[0] == '-')
    return fail(Code::InvalidArgument, "--account is a number of 12 digits, not " + options.account);
  if (is_loopback(options.listen)) return {};
  if (!options.tls || options.access_keys.empty())
    return fail(Code::InvalidArgument,
                "--listen " + options.listen +
                    " can be reached from other machines: that needs --tls-certificate, --tls-key and "
                    "--access-keys. Use 127.0.0.1 to serve this machine only.");
  return {};
}

Result<void> load_or_found(core::Core& core, store::Store& store, Instant now,
                           const std::string& environment_uuid) {
  const core::Records records = TRY(store.load());
  TRY(core.load(records));
  if (!records.empty()) return {};

  core::Actions actions;
  core::CreateComputeEnvironment environment;
  environment.name = "local";
  environment.managed = false;
  environment.uuid = environment_uuid;
  environment.document = std::make_shared<const json::Value>(json::Object{});
  core::CreateJobQueue queue;
  queue.name = "default";
  queue.priority = 1;
  queue.environments = {{.order = 1, .environment = "local"}};
  core.apply(now, core::Requested{core::RequestId{1}, std::move(environment)}, actions);
  core.apply(now, core::Requested{core::RequestId{2}, std::move(queue)}, actions);
  for (const core::Action& action : actions) {
    const auto& answer = std::get<core::Replied>(action).answer;
    if (!answer) return std::unexpected(answer.error());
  }
  return store.commit(core.take_changes());
}

std::vector<std::string> agent_command(const Options& options, const std::string& program,
                                       const std::string& socket) {
  std::vector<std::string> command = {program, "node", "--name", "local", "--server",
                                      "unix:" + socket + ":/stoker/v1/node", "--state",
                                      options.data + "/node", "--gpus", options.gpus, "--containers",
                                      options.containers, "--pull", options.pull,
                                      // A server that never comes back must not leave an agent for ever.
                                      "--idle-exit", "1h", "--log-level", options.log_level};
  if (options.cpus) {
    command.emplace_back("--cpus");
    command.push_back(json::write(json::Value(*options.cpus)));
  }
  if (!options.rack.empty()) {
    command.emplace_back("--rack");
    command.push_back(options.rack);
  }
  if (options.memory_mib) {
    command.emplace_back("--memory-mib");
    command.push_back(std::to_string(*options.memory_mib));
  }
  return command;
}

}  // namespace stoker::server
