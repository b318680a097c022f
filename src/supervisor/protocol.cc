#include "supervisor/protocol.h"

#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "base/text.h"

namespace stoker::supervisor {
namespace {

constexpr std::uint32_t kMagic = 0x314b5453;  // "STK1"

// Behind it: groups, padding to 8, limits, then the texts, each with its zero byte: token, run_dir, work_dir,
// oom_file, cgroups, arguments, variables.
struct Header {
  std::uint32_t magic = kMagic;
  std::uint32_t bytes = 0;
  std::uint32_t in_file = 0;
  std::uint32_t switch_user = 0;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::uint32_t group_count = 0;
  std::uint32_t limit_count = 0;
  std::uint32_t cgroup_count = 0;
  std::uint32_t argument_count = 0;
  std::uint32_t variable_count = 0;
  std::uint32_t reserved = 0;
  std::uint64_t log_bytes_max = 0;
};
static_assert(sizeof(Header) % 8 == 0 && sizeof(Limit) == 24);

std::size_t padded(std::size_t bytes) {
  return (bytes + 7) / 8 * 8;
}

template <class T>
void append_raw(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string encode(const LaunchSpec& spec, bool in_file) {
  static const std::vector<std::string> kNone;
  Header header;
  header.in_file = in_file ? 1 : 0;
  header.switch_user = spec.switch_user ? 1 : 0;
  header.uid = spec.uid;
  header.gid = spec.gid;
  header.log_bytes_max = spec.log_bytes_max;
  const auto& cgroups = in_file ? kNone : spec.cgroups;
  const auto& arguments = in_file ? kNone : spec.arguments;
  const auto& environment = in_file ? kNone : spec.environment;
  header.group_count = in_file ? 0 : static_cast<std::uint32_t>(spec.groups.size());
  header.limit_count = in_file ? 0 : static_cast<std::uint32_t>(spec.limits.size());
  header.cgroup_count = static_cast<std::uint32_t>(cgroups.size());
  header.argument_count = static_cast<std::uint32_t>(arguments.size());
  header.variable_count = static_cast<std::uint32_t>(environment.size());
  std::string out;
  append_raw(out, header);
  if (!in_file) {
    for (const std::uint32_t group : spec.groups) append_raw(out, group);
    out.resize(padded(out.size()));
    for (const Limit& limit : spec.limits) {
      append_raw(out, limit.resource);
      append_raw(out, std::uint32_t{0});
      append_raw(out, limit.soft);
      append_raw(out, limit.hard);
    }
  }
  const auto text = [&](const std::string& it) { out.append(it.c_str(), it.size() + 1); };
  text(spec.token);
  text(spec.run_dir);
  text(spec.work_dir);
  text(spec.oom_file);
  for (const auto* list : {&cgroups, &arguments, &environment})
    for (const std::string& it : *list) text(it);
  const auto bytes = static_cast<std::uint32_t>(out.size());
  std::memcpy(out.data() + offsetof(Header, bytes), &bytes, sizeof bytes);
  return out;
}

bool has_zero_byte(const std::string& text) {
  return text.find('\0') != std::string::npos;
}

// Walks over zero-terminated texts within the message.
struct TextCursor {
  const char* at;
  const char* end;
  const char* next() {
    if (at == nullptr || at >= end) return at = nullptr;
    const void* zero = std::memchr(at, 0, static_cast<std::size_t>(end - at));
    if (zero == nullptr) return at = nullptr;
    const char* text = at;
    at = static_cast<const char*>(zero) + 1;
    return text;
  }
  const char* skip(std::uint32_t count) {
    const char* first = at;
    for (std::uint32_t i = 0; i < count && at != nullptr; ++i) next();
    return at == nullptr ? nullptr : first;
  }
};

// snprintf would pull in much of the library's locale code; these few digits need none of it.
char* put_number(char* out, std::int64_t value) {
  if (value < 0) {
    *out++ = '-';
    value = -value;
  }
  char digits[20];
  int count = 0;
  do {
    digits[count++] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value > 0);
  while (count > 0) *out++ = digits[--count];
  return out;
}

std::optional<std::int64_t> next_number(std::string_view& line) {
  const std::size_t space = line.find(' ');
  const auto number = parse_int(line.substr(0, space));
  line.remove_prefix(space == std::string_view::npos ? line.size() : space + 1);
  return number;
}

}  // namespace

Result<std::string> encode_launch(const LaunchSpec& spec) {
  for (const auto* text : {&spec.token, &spec.run_dir, &spec.work_dir, &spec.oom_file})
    if (has_zero_byte(*text)) return fail(Code::InvalidArgument, "a path holds a zero byte");
  for (const std::string& text : spec.arguments)
    if (has_zero_byte(text)) return fail(Code::InvalidArgument, "the command holds a zero byte");
  for (const std::string& text : spec.environment)
    if (has_zero_byte(text)) return fail(Code::InvalidArgument, "the environment holds a zero byte");
  std::string out = encode(spec, false);
  if (out.size() > kLaunchBytesMax)
    return fail(Code::LimitExceeded,
                "command and environment are larger than " + std::to_string(kLaunchBytesMax) + " bytes");
  return out;
}

std::string encode_launch_file(const LaunchSpec& spec) {
  return encode(spec, true);
}

bool read_launch(const char* message, std::size_t bytes, LaunchView& out) {
  if (bytes < sizeof(Header)) return false;
  Header header;
  std::memcpy(&header, message, sizeof header);
  if (header.magic != kMagic || header.bytes != bytes) return false;
  const std::size_t groups_at = sizeof(Header);
  const std::size_t limits_at = padded(groups_at + std::size_t{header.group_count} * 4);
  const std::size_t texts_at = limits_at + std::size_t{header.limit_count} * sizeof(Limit);
  if (texts_at > bytes) return false;
  out.in_file = header.in_file != 0;
  out.switch_user = header.switch_user != 0;
  out.uid = header.uid;
  out.gid = header.gid;
  out.log_bytes_max = header.log_bytes_max;
  out.group_count = header.group_count;
  out.groups = reinterpret_cast<const std::uint32_t*>(message + groups_at);
  out.limit_count = header.limit_count;
  out.limits = reinterpret_cast<const Limit*>(message + limits_at);
  out.cgroup_count = header.cgroup_count;
  out.argument_count = header.argument_count;
  out.variable_count = header.variable_count;
  TextCursor cursor{message + texts_at, message + bytes};
  out.token = cursor.next();
  out.run_dir = cursor.next();
  out.work_dir = cursor.next();
  out.oom_file = cursor.next();
  out.first_cgroup = cursor.skip(out.cgroup_count);
  out.first_argument = cursor.skip(out.argument_count);
  out.first_variable = cursor.skip(out.variable_count);
  return cursor.at == message + bytes && out.token != nullptr && std::strlen(out.token) == kTokenBytes;
}

StateRecords parse_state(std::string_view text) {
  StateRecords records;
  for (std::size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
    std::string_view line = text.substr(0, end);
    if (line.starts_with("begun ") && !records.begun) {
      line.remove_prefix(6);
      const auto supervisor = next_number(line);
      const auto job = next_number(line);
      const auto at = next_number(line);
      if (!supervisor || !job || !at) continue;
      records.begun = {static_cast<int>(*supervisor), static_cast<int>(*job), Instant{*at}};
    } else if (line.starts_with("ended ") && !records.ended) {
      line.remove_prefix(6);
      const auto at = next_number(line);
      const auto started = next_number(line);
      const auto code = next_number(line);
      const auto node_failure = next_number(line);
      if (!at || !started || !code || !node_failure) continue;
      StateRecords::Ended ended;
      ended.at = Instant{*at};
      ended.started = *started != 0;
      if (*code >= 0 && *code <= 255) ended.exit_code = static_cast<int>(*code);
      ended.node_failure = *node_failure != 0;
      ended.reason = line;
      records.ended = std::move(ended);
    }
  }
  return records;
}

std::size_t format_begun(char* buffer, int supervisor_pid, int job_pid, std::int64_t ms) {
  std::memcpy(buffer, "begun ", 6);
  char* out = put_number(buffer + 6, supervisor_pid);
  *out++ = ' ';
  out = put_number(out, job_pid);
  *out++ = ' ';
  out = put_number(out, ms);
  *out++ = '\n';
  return static_cast<std::size_t>(out - buffer);
}

std::size_t format_ended(char* buffer, std::int64_t ms, bool started, int exit_code, bool node_failure,
                         const char* reason) {
  std::memcpy(buffer, "ended ", 6);
  char* out = put_number(buffer + 6, ms);
  *out++ = ' ';
  *out++ = started ? '1' : '0';
  *out++ = ' ';
  out = put_number(out, exit_code);
  *out++ = ' ';
  *out++ = node_failure ? '1' : '0';
  *out++ = ' ';
  while (*reason != 0 && out < buffer + kRecordBytesMax - 1) {
    *out++ = *reason == '\n' ? ' ' : *reason;
    ++reason;
  }
  *out++ = '\n';
  return static_cast<std::size_t>(out - buffer);
}

namespace {
int ofd_lock(int fd, int command, struct flock& lock) {
  lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return ::fcntl(fd, command, &lock);
}
}  // namespace

bool take_lock(int fd) {
  struct flock lock;
  return ofd_lock(fd, F_OFD_SETLK, lock) == 0;
}

bool is_locked(int fd) {
  struct flock lock;
  return ofd_lock(fd, F_OFD_GETLK, lock) == 0 && lock.l_type != F_UNLCK;
}

}  // namespace stoker::supervisor
