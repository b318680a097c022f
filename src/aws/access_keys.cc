#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "aws/sigv4.h"
#include "base/text.h"

namespace stoker::aws {
namespace {

constexpr std::size_t kFileBytesMax = 1u << 20;

std::unexpected<Error> bad_line(std::size_t number, std::string_view why) {
  return fail(Code::InvalidArgument, "access keys, line " + std::to_string(number) + ": " + std::string(why));
}

// Closes the descriptor when it goes out of scope.
struct File {
  int fd = -1;
  explicit File(const std::string& name) : fd(open(name.c_str(), O_RDONLY | O_CLOEXEC)) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (fd >= 0) close(fd);
  }
};

}  // namespace

Result<AccessKeys> AccessKeys::parse(std::string_view text) {
  AccessKeys out;
  std::string id;  // read from an ini section, its secret still to come
  bool in_profile = false;
  std::size_t number = 0;
  for (const std::string_view whole : split(text, '\n')) {
    ++number;
    const std::string_view line = trim(whole);
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    if (line.front() == '[') {
      if (!id.empty()) return bad_line(number, "the profile before has no aws_secret_access_key");
      in_profile = true;
      continue;
    }
    const std::size_t equals = line.find('=');
    const std::string_view name = trim(line.substr(0, std::min(equals, line.size())));
    if (equals != std::string_view::npos && (in_profile || name.starts_with("aws_"))) {
      const std::string_view value = trim(line.substr(equals + 1));
      if (name == "aws_access_key_id") id = value;
      if (name != "aws_secret_access_key") continue;
      if (id.empty()) return bad_line(number, "aws_secret_access_key without aws_access_key_id before it");
      if (value.empty()) return bad_line(number, "the secret is empty");
      out.keys_.insert_or_assign(std::exchange(id, {}), std::string(value));
      continue;
    }
    const std::size_t blank = line.find_first_of(" \t");
    if (blank == std::string_view::npos) return bad_line(number, "expected: KEY_ID SECRET");
    const std::string_view secret = trim(line.substr(blank));
    if (secret.find_first_of(" \t") != std::string_view::npos)
      return bad_line(number, "expected: KEY_ID SECRET");
    out.keys_.insert_or_assign(std::string(line.substr(0, blank)), std::string(secret));
  }
  if (!id.empty()) return bad_line(number, "the last profile has no aws_secret_access_key");
  return out;
}

Result<AccessKeys> AccessKeys::load(const std::string& file) {
  const File opened(file);
  if (opened.fd < 0) return fail_errno("opening " + file);
  struct stat about{};
  if (fstat(opened.fd, &about) != 0) return fail_errno("reading " + file);
  if (!S_ISREG(about.st_mode)) return fail(Code::InvalidArgument, file + " is not a file");
  if ((about.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return fail(Code::InvalidArgument,
                file + " can be used by others than its owner; run: chmod 600 " + file);
  }
  std::string text;
  char buffer[4096];
  while (true) {
    const ssize_t got = read(opened.fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail_errno("reading " + file);
    if (got == 0) break;
    text.append(buffer, static_cast<std::size_t>(got));
    if (text.size() > kFileBytesMax) return fail(Code::InvalidArgument, file + " is too large");
  }
  auto keys = parse(text);
  if (!keys) return std::unexpected(std::move(keys.error()).within(file));
  if (keys->empty()) return fail(Code::InvalidArgument, file + " has no key");
  return keys;
}

const std::string* AccessKeys::secret_of(std::string_view access_key) const {
  const auto found = keys_.find(access_key);
  return found == keys_.end() ? nullptr : &found->second;
}

}  // namespace stoker::aws
