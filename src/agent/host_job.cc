#include "agent/host_job.h"

#include <cstdlib>
#include <optional>

#include <grp.h>
#include <pwd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "agent/gpu_devices.h"
#include "base/text.h"
#include "json/json.h"

namespace stoker::agent {
namespace {

constexpr char kDefaultPath[] = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
constexpr std::size_t kAccountBytesMax = 1u << 20;
constexpr std::size_t kGroupsMax = 65'536;

std::unexpected<Error> cannot_start(const std::string& why) {
  return fail(Code::InvalidArgument, "CannotStartContainerError: " + why);
}

// ---- what a plain process cannot have ----

Result<void> refuse_container_members(const json::Value& container) {
  const auto refuse = [](const std::string& member) {
    return cannot_start(member + " is not available for image host");
  };
  for (const char* member : {"mountPoints", "volumes"})
    if (!json::get_array(container, member).empty()) return refuse(member);
  if (json::get_bool(container, "privileged")) return refuse("privileged");
  if (json::get_bool(container, "readonlyRootFilesystem")) return refuse("readonlyRootFilesystem");
  // The rest of linuxParameters does no harm: shared memory and swap are the machine's, and the supervisor
  // does what an init process would.
  if (const json::Value* linux_parameters = json::find(container, "linuxParameters"))
    for (const char* member : {"devices", "tmpfs"})
      if (!json::get_array(*linux_parameters, member).empty())
        return refuse(std::string("linuxParameters.") + member);
  return {};
}

// ---- ulimits ----

std::optional<std::uint32_t> resource_of(std::string_view name) {
  static constexpr std::pair<std::string_view, int> kResources[] = {
      {"core", RLIMIT_CORE},         {"cpu", RLIMIT_CPU},
      {"data", RLIMIT_DATA},         {"fsize", RLIMIT_FSIZE},
      {"locks", RLIMIT_LOCKS},       {"memlock", RLIMIT_MEMLOCK},
      {"msgqueue", RLIMIT_MSGQUEUE}, {"nice", RLIMIT_NICE},
      {"nofile", RLIMIT_NOFILE},     {"nproc", RLIMIT_NPROC},
      {"rss", RLIMIT_RSS},           {"rtprio", RLIMIT_RTPRIO},
      {"rttime", RLIMIT_RTTIME},     {"sigpending", RLIMIT_SIGPENDING},
      {"stack", RLIMIT_STACK}};
  for (const auto& [known, resource] : kResources)
    if (known == name) return static_cast<std::uint32_t>(resource);
  return {};
}

std::uint64_t limit_value(std::int64_t value) {
  return value < 0 ? static_cast<std::uint64_t>(RLIM_INFINITY) : static_cast<std::uint64_t>(value);
}

// As asked for where this process may; otherwise as high as it may.
supervisor::Limit permitted(supervisor::Limit limit) {
  rlimit now{};
  if (::getrlimit(static_cast<__rlimit_resource>(limit.resource), &now) != 0) return limit;
  if (limit.hard <= now.rlim_max) return limit;
  rlimit wanted{now.rlim_cur, limit.hard};
  if (::setrlimit(static_cast<__rlimit_resource>(limit.resource), &wanted) == 0) {
    ::setrlimit(static_cast<__rlimit_resource>(limit.resource), &now);
    return limit;
  }
  limit.hard = now.rlim_max;
  limit.soft = std::min<std::uint64_t>(limit.soft, limit.hard);
  return limit;
}

Result<std::vector<supervisor::Limit>> read_limits(const json::Value& container) {
  std::vector<supervisor::Limit> limits;
  for (const json::Value& item : json::get_array(container, "ulimits")) {
    const std::string_view name = json::get_string(item, "name");
    const auto resource = resource_of(name);
    if (!resource) return cannot_start("unknown ulimit " + std::string(name));
    supervisor::Limit limit;
    limit.resource = *resource;
    limit.soft = limit_value(json::get_int(item, "softLimit"));
    limit.hard = limit_value(json::get_int(item, "hardLimit"));
    if (limit.soft > limit.hard) return cannot_start("ulimit " + std::string(name) + ": soft above hard");
    limits.push_back(permitted(limit));
  }
  return limits;
}

// ---- user ----

struct Account {
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::string name;
  std::string home = "/";
  std::string shell = "/bin/sh";
};

template <class Lookup>
std::optional<Account> look_up(Lookup lookup) {
  passwd entry{};
  passwd* found = nullptr;
  std::string buffer(4096, '\0');
  while (lookup(&entry, buffer.data(), buffer.size(), &found) == ERANGE && buffer.size() < kAccountBytesMax)
    buffer.resize(buffer.size() * 2);
  if (found == nullptr) return {};
  Account account{entry.pw_uid, entry.pw_gid, entry.pw_name, entry.pw_dir, entry.pw_shell};
  if (account.home.empty()) account.home = "/";
  if (account.shell.empty()) account.shell = "/bin/sh";
  return account;
}

std::optional<Account> account_of(std::uint32_t uid) {
  return look_up([&](passwd* entry, char* buffer, std::size_t bytes, passwd** found) {
    return ::getpwuid_r(uid, entry, buffer, bytes, found);
  });
}

std::optional<Account> account_of(const std::string& name) {
  return look_up([&](passwd* entry, char* buffer, std::size_t bytes, passwd** found) {
    return ::getpwnam_r(name.c_str(), entry, buffer, bytes, found);
  });
}

std::optional<std::uint32_t> parse_id(std::string_view text) {
  const auto id = parse_int(text);
  if (!id || *id < 0 || *id > INT32_MAX) return {};
  return static_cast<std::uint32_t>(*id);
}

Result<std::uint32_t> group_of(const std::string& text) {
  if (const auto id = parse_id(text)) return *id;
  group entry{};
  group* found = nullptr;
  std::string buffer(65536, '\0');
  ::getgrnam_r(text.c_str(), &entry, buffer.data(), buffer.size(), &found);
  if (found == nullptr) return cannot_start("there is no group " + text + " on this node");
  return entry.gr_gid;
}

std::vector<std::uint32_t> groups_of(const Account& account) {
  if (account.name.empty()) return {account.gid};
  std::vector<gid_t> groups(64);
  int count = static_cast<int>(groups.size());
  while (::getgrouplist(account.name.c_str(), account.gid, groups.data(), &count) < 0 &&
         groups.size() < kGroupsMax) {
    groups.resize(std::max<std::size_t>(static_cast<std::size_t>(count), groups.size() * 2));
    count = static_cast<int>(groups.size());
  }
  groups.resize(static_cast<std::size_t>(std::max(count, 0)));
  return {groups.begin(), groups.end()};
}

// `text`: user, user:group, uid, uid:gid and the two mixtures.
Result<Account> read_user(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string user(text.substr(0, colon));
  Account account;
  if (const auto uid = parse_id(user)) {
    account = account_of(*uid).value_or(Account{*uid, *uid, "", "/", "/bin/sh"});
  } else if (const auto known = account_of(user)) {
    account = *known;
  } else {
    return cannot_start("there is no user " + user + " on this node");
  }
  if (colon != std::string_view::npos) account.gid = TRY(group_of(std::string(text.substr(colon + 1))));
  return account;
}

Result<Account> choose_user(const json::Value& container, supervisor::LaunchSpec& launch) {
  const std::string_view wanted = json::get_string(container, "user");
  if (wanted.empty())
    return account_of(::getuid()).value_or(Account{::getuid(), ::getgid(), "", "/", "/bin/sh"});
  const Account account = TRY(read_user(wanted));
  if (::geteuid() == 0) {
    launch.switch_user = true;
    launch.uid = account.uid;
    launch.gid = account.gid;
    launch.groups = groups_of(account);
  } else if (account.uid != ::geteuid() || account.gid != ::getegid()) {
    return cannot_start("user " + std::string(wanted) +
                        ": an agent that is not root runs jobs as itself only");
  }
  return account;
}

// ---- environment ----

// The last value of a name counts, in the place of the first.
class Environment {
 public:
  void set(const std::string& name, const std::string& value) {
    const auto [it, is_new] = places_.try_emplace(name, entries_.size());
    if (is_new) entries_.emplace_back();
    entries_[it->second] = name + '=' + value;
  }
  std::vector<std::string> take() { return std::move(entries_); }

 private:
  std::unordered_map<std::string, std::size_t> places_;
  std::vector<std::string> entries_;
};

const char* own_variable(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != 0 ? value : otherwise;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> gpu_environment(const std::vector<GpuDevice>& gpus) {
  // CUDA takes an unknown name, such as -1, for the end of the list: no device. The container tools' word is
  // void.
  if (gpus.empty()) return {{"CUDA_VISIBLE_DEVICES", "-1"}, {"NVIDIA_VISIBLE_DEVICES", "void"}};
  std::string uuids;
  for (const GpuDevice& device : gpus) {
    if (!uuids.empty()) uuids += ',';
    uuids += device.visible_name();
  }
  return {{"CUDA_VISIBLE_DEVICES", uuids},
          {"CUDA_DEVICE_ORDER", "PCI_BUS_ID"},
          {"NVIDIA_VISIBLE_DEVICES", uuids}};
}

Result<supervisor::LaunchSpec> make_launch(const RunSpec& spec) {
  const wire::StartRun& run = spec.run;
  if (run.command.empty() || run.command[0].empty())
    return cannot_start("image host needs a command: there is no image to have one");
  TRY(refuse_container_members(run.properties()));
  supervisor::LaunchSpec launch;
  launch.token = run.token;
  launch.run_dir = spec.dir;
  launch.work_dir = spec.dir + '/' + supervisor::kWorkDirectory;
  launch.arguments = run.command;
  launch.log_bytes_max = run.log_bytes_max;
  const Account account = TRY(choose_user(run.properties(), launch));
  launch.limits = TRY(read_limits(run.properties()));

  Environment environment;
  environment.set("PATH", own_variable("PATH", kDefaultPath));
  environment.set("HOME", account.home);
  if (!account.name.empty()) {
    environment.set("USER", account.name);
    environment.set("LOGNAME", account.name);
  }
  environment.set("SHELL", account.shell);
  environment.set("LANG", own_variable("LANG", "C.UTF-8"));
  environment.set("TMPDIR", own_variable("TMPDIR", "/tmp"));
  for (const auto& [name, value] : run.environment) {
    if (name.empty() || name.find('=') != std::string::npos)
      return cannot_start("\"" + name + "\" is no name of an environment variable");
    environment.set(name, value);
    if (name == "STOKER_WORKDIR" && !value.empty()) {
      if (value[0] != '/') return cannot_start("STOKER_WORKDIR must be an absolute path");
      launch.work_dir = value;
    }
  }
  // What the run may see of the node is not the job's to say.
  for (const auto& [name, value] : gpu_environment(spec.gpus)) environment.set(name, value);
  for (const auto& [name, value] : share_environment(spec)) environment.set(name, value);
  environment.set(kRunVariable, run.token);
  launch.environment = environment.take();
  return launch;
}

}  // namespace stoker::agent
