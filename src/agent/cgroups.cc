#include "agent/cgroups.h"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/device_program.h"
#include "base/text.h"
#include "log/log.h"
#include "rt/file.h"

namespace stoker::agent {
namespace {

constexpr int kSlotsMax = 20'000;
constexpr std::int64_t kUnlimited = -1;

bool write_text(const std::string& path, const std::string& text) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool done = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const int error = errno;
  ::close(fd);
  errno = error;
  return done;
}

std::string read_text(const std::string& path) {
  return rt::read_file(path, 4 << 20).value_or("");
}

bool make_writable_directory(const std::string& path) {
  if (::mkdir(path.c_str(), 0755) != 0 && errno != EEXIST) return false;
  return ::access((path + "/cgroup.procs").c_str(), W_OK) == 0;
}

// One line of /proc/self/cgroup: "4:memory:/path", version 2: "0::/path".
std::optional<std::string> own_path(std::string_view text, std::string_view controller) {
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    const std::string_view names = line.substr(first + 1, second - first - 1);
    if (controller.empty() && line.substr(0, first) == "0") return std::string(line.substr(second + 1));
    if (controller.empty()) continue;
    for (const std::string_view name : split(names, ','))
      if (name == controller) return std::string(line.substr(second + 1));
  }
  return {};
}

struct Mount {
  std::string point;
  std::string root;  // what of the hierarchy is mounted there
  bool unified = false;
  std::vector<std::string> options;
};

// Lines of /proc/self/mountinfo: id parent major:minor root point options [fields...] - type source
// super-options
std::vector<Mount> cgroup_mounts() {
  std::vector<Mount> mounts;
  const std::string text = read_text("/proc/self/mountinfo");
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string_view::npos) continue;
    const auto before = split(line.substr(0, dash), ' ');
    const auto after = split(line.substr(dash + 3), ' ');
    if (before.size() < 6 || after.size() < 3 || (after[0] != "cgroup" && after[0] != "cgroup2")) continue;
    Mount mount{std::string(before[4]), std::string(before[3]), after[0] == "cgroup2", {}};
    for (const std::string_view option : split(after[2], ',')) mount.options.emplace_back(option);
    mounts.push_back(std::move(mount));
  }
  return mounts;
}

std::string own_directory(const Mount& mount, const std::string& path) {
  std::string inside = path;
  if (mount.root != "/" && inside.starts_with(mount.root)) inside.erase(0, mount.root.size());
  if (inside == "/") inside.clear();
  std::string directory = mount.point + inside;
  struct stat status{};
  if (::stat(directory.c_str(), &status) != 0) directory = mount.point;  // a namespace hides where we are
  return directory;
}

std::vector<pid_t> members(const std::string& directory) {
  std::vector<pid_t> pids;
  const std::string text = read_text(directory + "/cgroup.procs");
  for (const std::string_view line : split(text, '\n'))
    if (const auto pid = parse_int(line); pid && *pid > 0) pids.push_back(static_cast<pid_t>(*pid));
  return pids;
}

bool has_word(std::string_view text, std::string_view word) {
  for (const std::string_view one : split(trim(text), ' '))
    if (one == word) return true;
  return false;
}

std::string slot_path(const std::string& base, int number) {
  return base + '/' + std::to_string(number);
}

}  // namespace

Cgroups Cgroups::open(const std::string& name) {
  Cgroups it;
  it.find_hierarchies(name);
  it.drop_useless_unified();
  it.warn();
  return it;
}

void Cgroups::find_hierarchies(const std::string& name) {
  const std::string own = read_text("/proc/self/cgroup");
  for (const Mount& mount : cgroup_mounts()) {
    if (mount.unified) {
      if (const auto path = own_path(own, "")) find_unified(mount.point, own_directory(mount, *path), name);
      continue;
    }
    for (const auto& [controller, place] :
         {std::pair{"memory", &memory_}, std::pair{"cpu", &cpu_}, std::pair{"devices", &devices_}}) {
      if (std::find(mount.options.begin(), mount.options.end(), controller) == mount.options.end()) continue;
      const auto path = own_path(own, controller);
      if (!path) continue;
      const std::string base = own_directory(mount, *path) + "/stoker";
      if (make_writable_directory(base) && make_writable_directory(base + '/' + name))
        *place = base + '/' + name;
    }
  }
}

void Cgroups::drop_useless_unified() {
  if (unified_.empty() || unified_has_memory_ || unified_has_cpu_ || devices_.empty()) return;
  ::rmdir(unified_.c_str());
  ::rmdir(unified_.substr(0, unified_.rfind('/')).c_str());
  unified_.clear();
}

// Version 2 lets no group with controllers hold processes too, unless it is the root. So the slots go under
// the nearest ancestor that hands controllers on or can be told to: our own group when we are its only kind
// of user (a delegated one), else one of those above, down to which a process of ours may be moved.
void Cgroups::find_unified(const std::string& mount, const std::string& own_directory_path,
                           const std::string& name) {
  std::string candidate = own_directory_path;
  for (;;) {
    if (::access((candidate + "/cgroup.procs").c_str(), W_OK) == 0) {
      const std::string available = read_text(candidate + "/cgroup.controllers");
      for (const char* controller : {"memory", "cpu"})
        if (has_word(available, controller))
          (void)write_text(candidate + "/cgroup.subtree_control", std::string("+") + controller);
      const std::string base = candidate + "/stoker";
      const bool made = make_writable_directory(base);
      for (const char* controller : {"memory", "cpu"})
        if (made) (void)write_text(base + "/cgroup.subtree_control", std::string("+") + controller);
      const std::string place = base + '/' + name;
      if (made && make_writable_directory(place)) {
        for (const char* controller : {"memory", "cpu"})
          (void)write_text(place + "/cgroup.subtree_control", std::string("+") + controller);
        const std::string handed_on = read_text(place + "/cgroup.subtree_control");
        const bool memory = has_word(handed_on, "memory");
        if (memory || unified_.empty()) {
          unified_ = place;
          unified_has_memory_ = memory;
          unified_has_cpu_ = has_word(handed_on, "cpu");
        } else {
          ::rmdir(place.c_str());
          ::rmdir(base.c_str());
        }
        if (memory) return;
      }
    }
    if (candidate == mount || candidate.size() <= mount.size()) return;
    candidate.erase(candidate.rfind('/'));
  }
}

std::vector<std::string> Cgroups::bases() const {
  std::vector<std::string> out;
  for (const std::string* base : {&memory_, &cpu_, &devices_, &unified_})
    if (!base->empty()) out.push_back(*base);
  return out;
}

// The slots that no adopted run is in: whatever is there was left by a run that is lost.
void Cgroups::sweep() {
  for (const std::string& base : bases()) {
    for (const std::string& entry : rt::list_directory(base).value_or(std::vector<std::string>{})) {
      const auto number = parse_int(entry);
      if (!number || *number < 0 || *number >= kSlotsMax || slots_.contains(static_cast<int>(*number)))
        continue;
      if (::rmdir((base + '/' + entry).c_str()) == 0) continue;
      empty_out(static_cast<int>(*number));
      if (::rmdir((base + '/' + entry).c_str()) != 0 && errno != ENOENT)
        log::warning("cgroup_not_removed", {{"slot", *number}});
    }
  }
}

void Cgroups::warn() {
  if (!limits_memory())
    warnings_.emplace_back(
        "memory limits of jobs of image host are not enforced: no memory control group is writable");
  if (!weighs_cpu())
    warnings_.emplace_back(
        "CPU shares of jobs of image host are not enforced: no cpu control group is writable");
  if (!denies_devices())
    warnings_.emplace_back(
        "GPUs that a job of image host did not get are hidden from it by variables only: no device "
        "rules are possible");
}

bool Cgroups::denies_devices() const {
  return !devices_.empty() || (!unified_.empty() && ::geteuid() == 0);
}

Cgroups::~Cgroups() {
  for (const int number : free_)
    for (const std::string& base : bases()) ::rmdir(slot_path(base, number).c_str());
  for (const std::string& base : bases())
    if (::rmdir(base.c_str()) == 0) ::rmdir(base.substr(0, base.rfind('/')).c_str());
}

Result<void> Cgroups::make(int number) {
  for (const std::string& base : bases()) {
    // Device rules are the only use of this hierarchy when version 1 has the others; it is made when needed.
    if (base == devices_ || (base == unified_ && !unified_has_memory_ && !unified_has_cpu_)) continue;
    const std::string path = slot_path(base, number);
    if (::mkdir(path.c_str(), 0755) != 0 && errno != EEXIST) return fail_errno("making " + path);
  }
  if (unified_has_memory_) (void)write_text(slot_path(unified_, number) + "/memory.oom.group", "1");
  return {};
}

Result<void> Cgroups::apply(int number, const CgroupLimits& limits) {
  const auto set = [](const std::string& path, const std::string& value) -> Result<void> {
    if (!write_text(path, value)) return fail_errno("writing " + value + " to " + path);
    return {};
  };
  const std::int64_t bytes = limits.memory_mib > 0 ? limits.memory_mib << 20 : kUnlimited;
  const std::int64_t shares = std::max<std::int64_t>(2, limits.cpus_milli * 1024 / 1000);
  if (!memory_.empty()) {
    const std::string dir = slot_path(memory_, number);
    // Memory and swap together may never be set below memory alone, so it is lifted first.
    (void)write_text(dir + "/memory.memsw.limit_in_bytes", "-1");
    TRY(set(dir + "/memory.limit_in_bytes", std::to_string(bytes)));
    (void)write_text(dir + "/memory.memsw.limit_in_bytes", std::to_string(bytes));
  } else if (unified_has_memory_) {
    const std::string dir = slot_path(unified_, number);
    TRY(set(dir + "/memory.max", bytes == kUnlimited ? "max" : std::to_string(bytes)));
    (void)write_text(dir + "/memory.swap.max", bytes == kUnlimited ? "max" : "0");
  }
  if (!cpu_.empty()) {
    TRY(set(slot_path(cpu_, number) + "/cpu.shares", std::to_string(shares)));
  } else if (unified_has_cpu_) {
    // The kernel's own mapping of version 1's 2..262144 to version 2's 1..10000.
    const std::int64_t weight = 1 + (std::min<std::int64_t>(shares, 262'144) - 2) * 9999 / 262'142;
    TRY(set(slot_path(unified_, number) + "/cpu.weight", std::to_string(weight)));
  }
  return deny(number, limits.denied_devices);
}

Result<void> Cgroups::deny(int number, const std::vector<DeviceNumber>& devices) {
  Slot& slot = slots_[number];
  if (slot.denied == devices) return {};
  if (!devices_.empty()) {
    const std::string dir = slot_path(devices_, number);
    if (::mkdir(dir.c_str(), 0755) != 0 && errno != EEXIST) return fail_errno("making " + dir);
    const auto rule = [](const DeviceNumber& device) {
      return "c " + std::to_string(device.major) + ':' + std::to_string(device.minor) + " rwm";
    };
    for (const DeviceNumber& device : slot.denied) (void)write_text(dir + "/devices.allow", rule(device));
    for (const DeviceNumber& device : devices)
      if (!write_text(dir + "/devices.deny", rule(device))) return fail_errno("denying a device in " + dir);
  } else if (!unified_.empty()) {
    const std::string dir = slot_path(unified_, number);
    if (::mkdir(dir.c_str(), 0755) != 0 && errno != EEXIST) return fail_errno("making " + dir);
    auto program = attach_device_program(dir, devices, slot.device_program);
    if (!program) {
      // Best effort, and said once: variables still hide the devices.
      log::warning("devices_not_denied", {{"error", program.error().message}});
      return {};
    }
    slot.device_program = *std::move(program);
  }
  slot.denied = devices;
  return {};
}

bool Cgroups::is_empty(int number) const {
  for (const std::string& base : bases())
    if (!members(slot_path(base, number)).empty()) return false;
  return true;
}

Result<void> Cgroups::prepare(int number, Slot& slot, const CgroupLimits& limits) {
  if (!slot.made) TRY(make(number));
  slot.made = true;
  if (slot.limits == limits) return {};
  slot.limits.reset();
  TRY(apply(number, limits));
  slot.limits = limits;
  return {};
}

Result<CgroupSlot> Cgroups::acquire(const CgroupLimits& limits) {
  CgroupSlot result;
  if (memory_.empty() && cpu_.empty() && !unified_has_memory_ && !unified_has_cpu_ &&
      limits.denied_devices.empty())
    return result;
  if (bases().empty()) return result;
  int number = -1;
  // One with the same limits, else any free one, else a new one.
  for (std::size_t i = free_.size(); i-- > 0 && free_.size() - i < 16;)
    if (slots_[free_[i]].limits == limits) {
      number = free_[i];
      free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    }
  if (number < 0 && free_.size() >= 16) {
    number = free_.front();
    free_.erase(free_.begin());
  }
  if (number < 0) {
    number = slots_.empty() ? 0 : slots_.rbegin()->first + 1;
    if (number >= kSlotsMax) return fail(Code::LimitExceeded, "too many control groups");
  }
  Slot& slot = slots_[number];
  if (auto ready = prepare(number, slot, limits); !ready) {
    remove(number);  // nothing is in it, and what it limits is not known any more
    return std::unexpected(std::move(ready).error());
  }
  result.number = number;
  for (const std::string& base : bases()) {
    const bool only_devices =
        base == devices_ || (base == unified_ && !unified_has_memory_ && !unified_has_cpu_);
    if (only_devices && slot.denied.empty()) continue;
    result.directories.push_back(slot_path(base, number));
  }
  if (!memory_.empty())
    result.oom_file = slot_path(memory_, number) + "/memory.oom_control";
  else if (unified_has_memory_)
    result.oom_file = slot_path(unified_, number) + "/memory.events";
  return result;
}

void Cgroups::kill_all(int number) const {
  if (!unified_.empty()) (void)write_text(slot_path(unified_, number) + "/cgroup.kill", "1");
  for (const std::string& base : bases())
    for (const pid_t pid : members(slot_path(base, number))) ::kill(pid, SIGKILL);
}

bool Cgroups::empty_out(int number) const {
  for (int i = 0; i < 50; ++i) {
    if (is_empty(number)) return true;
    kill_all(number);
    ::usleep(2'000);
  }
  return is_empty(number);
}

void Cgroups::remove(int number) {
  for (const std::string& base : bases()) ::rmdir(slot_path(base, number).c_str());
  slots_.erase(number);
}

void Cgroups::release(int number, Left left) {
  const auto it = slots_.find(number);
  if (it == slots_.end()) return;
  if (left == Left::Unknown && !empty_out(number)) {
    log::error("cgroup_not_empty", {{"slot", number}});  // it stays taken
    return;
  }
  // What an earlier agent has set is not known, so its slots are not used again.
  if (it->second.adopted) return remove(number);
  free_.push_back(number);
}

int Cgroups::adopt(pid_t process) {
  const std::string text = read_text("/proc/" + std::to_string(process) + "/cgroup");
  for (const auto& [base, controller] : {std::pair{&memory_, "memory"}, std::pair{&cpu_, "cpu"},
                                         std::pair{&devices_, "devices"}, std::pair{&unified_, ""}}) {
    if (base->empty()) continue;
    const auto path = own_path(text, controller);
    if (!path) continue;
    // The group's path ends in stoker/<name>/<number>, as our base does in stoker/<name>.
    const std::size_t slash = path->rfind('/');
    const std::string_view parent = std::string_view(*path).substr(0, slash);
    const std::size_t name_at = base->rfind("/stoker/");
    if (!parent.ends_with(std::string_view(*base).substr(name_at))) continue;
    const auto number = parse_int(std::string_view(*path).substr(slash + 1));
    if (!number || *number < 0 || *number >= kSlotsMax) continue;
    Slot& slot = slots_[static_cast<int>(*number)];
    slot.adopted = true;
    return static_cast<int>(*number);
  }
  return -1;
}

}  // namespace stoker::agent
