#include "agent/container_engine.h"

#include <array>
#include <utility>

#include "base/text.h"
#include "net/http.h"

namespace stoker::agent {
namespace {

constexpr Duration kShort = seconds(30);
constexpr Duration kLong = minutes(4);  // create and start on a busy disk
// A followed log breaks off after so long and is taken up again: Podman sometimes does not end the stream
// when the container ends at the same moment, and only a look at the container then tells that it is over.
constexpr Duration kLogStream = seconds(15);
constexpr std::size_t kPullLineBytesMax = 1u << 20;
constexpr std::size_t kMessageBytesMax = 1024;
constexpr std::size_t kListedMax = 100'000;

net::Request request(std::string method, std::string target, std::string body = {}) {
  net::Request out;
  out.method = std::move(method);
  out.target = std::move(target);
  if (!body.empty()) out.headers.push_back({"Content-Type", "application/json"});
  out.body = std::move(body);
  return out;
}

std::string container_path(const std::string& name, std::string_view rest) {
  return "/containers/" + percent_encode(name) + std::string(rest);
}

// What a person should read of a refusal: the engine's message, bounded, in valid UTF-8 and on one line.
std::string message_of(int status, std::string_view body) {
  std::string text;
  if (const auto parsed = json::parse(body)) text = json::get_string(*parsed, "message");
  if (text.empty()) text = trim(body);
  if (text.empty()) text = "the container engine answered with status " + std::to_string(status);
  text = to_valid_utf8(std::string_view(text).substr(0, kMessageBytesMax));
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  return text;
}

Code code_of(int status) {
  switch (status) {
    case 400:
      return Code::InvalidArgument;
    case 404:
      return Code::NotFound;
    case 409:
      return Code::Conflict;
    default:
      return Code::Io;
  }
}

std::unexpected<Error> refusal(int status, std::string_view body) {
  return fail(code_of(status), message_of(status, body));
}

bool is_success(int status) {
  return (status >= 200 && status < 300) || status == 304;
}

std::optional<int> digits(std::string_view text, std::size_t at, std::size_t count) {
  if (at + count > text.size()) return std::nullopt;
  int value = 0;
  for (const char c : text.substr(at, count)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

// Days since 1970 of a date of the Gregorian calendar (Howard Hinnant's days_from_civil, for years from 1
// on).
std::int64_t days_from_civil(std::int64_t year, std::int64_t month, std::int64_t day) {
  year -= month <= 2 ? 1 : 0;
  const std::int64_t era = year / 400;
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146'097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719'468;
}

// "Z", "+02:00", "-0530": in minutes east of Greenwich.
std::optional<int> parse_offset(std::string_view text) {
  if (text == "Z") return 0;
  if (text.size() < 5 || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const bool colon = text[3] == ':';
  const auto hours = digits(text, 1, 2);
  const auto minutes = digits(text, colon ? 4 : 3, 2);
  if (!hours || !minutes || text.size() != (colon ? 6u : 5u)) return std::nullopt;
  const int east = *hours * 60 + *minutes;
  return text[0] == '-' ? -east : east;
}

Result<std::vector<std::pair<std::string, std::string>>> labels_of(const json::Value& config) {
  std::vector<std::pair<std::string, std::string>> labels;
  for (const auto& [key, value] : json::get_object(config, "Labels"))
    labels.emplace_back(std::string(key), std::string(json::text(value)));
  return labels;
}

// One line of a pull's answer. Failures come inside of an answer with status 200.
Result<Engine::PullLine> read_pull_line(std::string_view line) {
  auto parsed = json::parse(line);
  if (!parsed) return fail(Code::Internal, "the container engine sent progress that is no JSON");
  if (const auto error = json::get_string(*parsed, "error"); !error.empty())
    return fail(Code::Io, message_of(200, error));
  Engine::PullLine out;
  out.layer = json::get_string(*parsed, "id");
  out.status = json::get_string(*parsed, "status");
  if (const auto* detail = json::find(*parsed, "progressDetail")) {
    out.current = std::max<std::int64_t>(0, json::get_int(*detail, "current"));
    out.total = std::max<std::int64_t>(0, json::get_int(*detail, "total"));
  }
  return out;
}

// The lines of a pull, as their bytes come.
class PullReader {
 public:
  explicit PullReader(const std::function<bool(const Engine::PullLine&)>& on_line) : on_line_(on_line) {}

  // False to stop: `failure` says why, or the caller wanted it.
  bool feed(std::string_view bytes) {
    if (head_.size() < kMessageBytesMax) head_ += bytes.substr(0, kMessageBytesMax - head_.size());
    while (!bytes.empty()) {
      const auto end = bytes.find('\n');
      line_ += bytes.substr(0, end);
      if (line_.size() > kPullLineBytesMax) {
        failure_ = Error{Code::Internal, "the container engine sent an endless line of progress"};
        return false;
      }
      if (end == std::string_view::npos) return true;
      bytes.remove_prefix(end + 1);
      if (!take_line()) return false;
    }
    return true;
  }
  bool finish() { return take_line(); }
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }
  [[nodiscard]] bool gave_up() const { return gave_up_; }
  [[nodiscard]] const std::string& head() const { return head_; }

 private:
  bool take_line() {
    const std::string line = std::exchange(line_, {});
    if (trim(line).empty() || failure_) return !failure_;
    auto read = read_pull_line(line);
    if (!read) {
      failure_ = std::move(read).error();
      return false;
    }
    gave_up_ = !on_line_(*read);
    return !gave_up_;
  }

  const std::function<bool(const Engine::PullLine&)>& on_line_;
  std::string head_;
  std::string line_;
  std::optional<Error> failure_;
  bool gave_up_ = false;
};

bool has_key(const json::Object& object, std::string_view key) {
  return object.find(key) != object.end();
}

}  // namespace

std::string_view ContainerState::label(std::string_view name) const {
  for (const auto& [key, value] : labels)
    if (key == name) return value;
  return {};
}

std::optional<Instant> parse_engine_time(std::string_view text) {
  const auto year = digits(text, 0, 4), month = digits(text, 5, 2), day = digits(text, 8, 2);
  const auto hour = digits(text, 11, 2), minute = digits(text, 14, 2), second = digits(text, 17, 2);
  if (!year || !month || !day || !hour || !minute || !second) return std::nullopt;
  if (text[4] != '-' || text[7] != '-' || (text[10] != 'T' && text[10] != ' ')) return std::nullopt;
  if (*year < 1 || *month < 1 || *month > 12 || *day < 1 || *day > 31 || *hour > 24 || *minute > 59 ||
      *second > 60)
    return std::nullopt;
  std::size_t at = 19;
  int milliseconds = 0;
  if (at < text.size() && text[at] == '.') {
    int scale = 100;
    for (++at; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at, scale /= 10)
      milliseconds += (text[at] - '0') * scale;
  }
  const auto east = parse_offset(text.substr(at));
  if (!east) return std::nullopt;
  const std::int64_t ms = days_from_civil(*year, *month, *day) * 86'400'000 + *hour * 3'600'000ll +
                          (*minute - *east) * 60'000ll + *second * 1000ll + milliseconds;
  return Instant{std::max<std::int64_t>(ms, 0)};
}

Engine::Engine(std::string socket) : socket_(std::move(socket)) {
  // All at once, so that interrupt() may come at any time.
  constexpr std::array<Duration, 4> kTimeouts = {kShort, kLong, Duration{}, kLogStream};
  for (std::size_t i = 0; i < kTimeouts.size(); ++i) {
    net::ClientOptions options;
    options.base = "unix:" + socket_;
    options.timeout = kTimeouts[i];
    options.response_bytes_max = 32u << 20;
    clients_[i] = net::Client::create(std::move(options));
  }
}

Engine::~Engine() = default;

net::Client& Engine::client(Patience patience) {
  return *clients_[static_cast<std::size_t>(patience)];
}

void Engine::interrupt() {
  for (auto& one : clients_) one->interrupt();
}

Result<net::Response> Engine::call(const net::Request& request, Patience patience) {
  auto response = TRY(client(patience).send(request));
  if (!is_success(response.status)) return refusal(response.status, response.body);
  return response;
}

Result<json::Value> Engine::call_json(const net::Request& request, Patience patience) {
  const auto response = TRY(call(request, patience));
  auto parsed = json::parse(response.body);
  if (!parsed) return fail(Code::Internal, "the container engine answered with something that is no JSON");
  return parsed;
}

Result<void> Engine::ping(Duration most) {
  net::ClientOptions options;
  options.base = "unix:" + socket_;
  options.connect_timeout = options.timeout = most;
  options.response_bytes_max = 1u << 20;
  const auto response = TRY(net::Client::create(std::move(options))->send(request("GET", "/_ping")));
  if (response.status != 200) return refusal(response.status, response.body);
  if (response.header("api-version").empty())
    return fail(Code::NotSupported, "the socket answers, but not as a container engine");
  return {};
}

Result<EngineInfo> Engine::info() {
  const auto version = TRY(call_json(request("GET", "/version"), Patience::Short));
  const auto info = TRY(call_json(request("GET", "/info"), Patience::Short));
  EngineInfo out;
  for (const auto& component : json::get_array(version, "Components"))
    out.podman = out.podman || json::get_string(component, "Name") == "Podman Engine";
  out.version = json::get_string(version, "Version");
  out.cgroupfs = json::get_string(info, "CgroupDriver") == "cgroupfs";
  out.cgroup_version = json::get_string(info, "CgroupVersion") == "1" ? 1 : 2;
  for (const auto& option : json::get_array(info, "SecurityOptions"))
    out.rootless = out.rootless || json::text(option).starts_with("name=rootless");
  out.nvidia_runtime = has_key(json::get_object(info, "Runtimes"), "nvidia");
  out.nvidia_is_default = json::get_string(info, "DefaultRuntime") == "nvidia";
  // Docker says where it looks for specifications once the feature is on; Podman has it in its own dialect.
  out.cdi = out.podman || !json::get_array(info, "CDISpecDirs").empty();
  return out;
}

Result<bool> Engine::has_image(const std::string& reference) {
  const auto found =
      call(request("GET", "/images/" + percent_encode(reference, true) + "/json"), Patience::Short);
  if (found) return true;
  if (found.error().code == Code::NotFound) return false;
  return std::unexpected(found.error());
}

Result<std::vector<std::string>> Engine::list_images() {
  const auto answer = TRY(call_json(request("GET", "/images/json"), Patience::Short));
  if (!answer.is_array()) return fail(Code::Internal, "the container engine's list of images is none");
  std::vector<std::string> out;
  for (const auto& image : answer.get_array())
    for (const std::string_view kind : {"RepoTags", "RepoDigests"})
      for (const auto& name : json::get_array(image, kind)) {
        if (out.size() >= kListedMax) return fail(Code::LimitExceeded, "too many images");
        const auto text = json::text(name);
        if (!text.empty() && !text.starts_with("<none>")) out.emplace_back(text);
      }
  return out;
}

Result<void> Engine::pull(const PullRequest& wanted, const std::function<bool(const PullLine&)>& on_line) {
  auto post = request("POST", "/images/create?fromImage=" + percent_encode(wanted.name) +
                                  "&tag=" + percent_encode(wanted.tag));
  if (!wanted.registry_auth.empty()) post.headers.push_back({"X-Registry-Auth", wanted.registry_auth});
  PullReader reader(on_line);
  const auto response =
      client(Patience::Endless).stream(post, [&](std::string_view bytes) { return reader.feed(bytes); });
  if (!response) return std::unexpected(response.error());
  if (!is_success(response->status)) return refusal(response->status, reader.head());
  if (!reader.gave_up()) (void)reader.finish();
  if (reader.failure()) return std::unexpected(*reader.failure());
  if (reader.gave_up()) return fail(Code::Unavailable, "given up");
  return {};
}

Result<void> Engine::create_volume(const std::string& name, const std::string& token) {
  const json::Value body = json::Object{{"Name", name}, {"Labels", json::Object{{"stoker.token", token}}}};
  TRY(call(request("POST", "/volumes/create", json::write(body)), Patience::Long));
  return {};
}

Result<void> Engine::remove_volume(const std::string& name) {
  const auto removed =
      call(request("DELETE", "/volumes/" + percent_encode(name) + "?force=1"), Patience::Long);
  if (!removed && removed.error().code != Code::NotFound) return std::unexpected(removed.error());
  return {};
}

Result<void> Engine::create_container(const std::string& name, const json::Value& body, Dialect dialect) {
  const std::string target = dialect == Dialect::Libpod ? std::string("/v4.0.0/libpod/containers/create")
                                                        : "/containers/create?name=" + percent_encode(name);
  TRY(call(request("POST", target, json::write(body)), Patience::Long));
  return {};
}

Result<void> Engine::start_container(const std::string& name) {
  TRY(call(request("POST", container_path(name, "/start")), Patience::Long));
  return {};
}

Result<ContainerState> Engine::inspect_container(const std::string& name) {
  const auto answer = TRY(call_json(request("GET", container_path(name, "/json")), Patience::Short));
  const auto* state = json::find(answer, "State");
  const auto* config = json::find(answer, "Config");
  if (state == nullptr || config == nullptr || json::get_string(*state, "Status").empty())
    return fail(Code::Internal, "the container engine describes a container without a state");
  ContainerState out;
  out.id = json::get_string(answer, "Id");
  out.status = json::get_string(*state, "Status");
  // Docker says created, Podman has said configured and initialized too.
  out.created = out.status == "created" || out.status == "configured" || out.status == "initialized";
  out.running = !out.created && out.status != "exited" && out.status != "dead";
  out.exit_code = static_cast<int>(json::get_int(*state, "ExitCode"));
  out.oom_killed = json::get_bool(*state, "OOMKilled");
  out.error = message_of(200, json::get_string(*state, "Error"));
  if (json::get_string(*state, "Error").empty()) out.error.clear();
  out.started_at = parse_engine_time(json::get_string(*state, "StartedAt")).value_or(Instant{});
  out.finished_at = parse_engine_time(json::get_string(*state, "FinishedAt")).value_or(Instant{});
  out.labels = TRY(labels_of(*config));
  return out;
}

Result<void> Engine::wait_container(const std::string& name) {
  TRY(call(request("POST", container_path(name, "/wait")), Patience::Endless));
  return {};
}

Result<void> Engine::kill_container(const std::string& name, std::string_view signal) {
  TRY(call(request("POST", container_path(name, "/kill?signal=" + std::string(signal))), Patience::Short));
  return {};
}

Result<void> Engine::remove_container(const std::string& name) {
  const auto removed = call(request("DELETE", container_path(name, "?force=1&v=1")), Patience::Long);
  if (!removed && removed.error().code != Code::NotFound) return std::unexpected(removed.error());
  return {};
}

Result<std::vector<ListedContainer>> Engine::list_containers(const std::string& label) {
  const json::Value filters = json::Object{{"label", json::Array{json::Value(label)}}};
  const auto answer =
      TRY(call_json(request("GET", "/containers/json?all=1&filters=" + percent_encode(json::write(filters))),
                    Patience::Short));
  if (!answer.is_array()) return fail(Code::Internal, "the container engine's list is none");
  std::vector<ListedContainer> out;
  for (const auto& one : answer.get_array()) {
    if (out.size() >= kListedMax) return fail(Code::LimitExceeded, "too many containers");
    const auto* labels = json::find(one, "Labels");
    if (labels == nullptr) continue;
    out.push_back({.id = std::string(json::get_string(one, "Id")),
                   .token = std::string(json::get_string(*labels, "stoker.token"))});
  }
  return out;
}

Result<void> Engine::read_logs(const std::string& name, const LogQuery& query,
                               const std::function<bool(std::string_view)>& on_bytes) {
  std::string target = container_path(name, "/logs?stdout=1&stderr=1&timestamps=1");
  if (query.follow) target += "&follow=1";
  if (query.since > 0) target += "&since=" + std::to_string(query.since);
  std::string head;  // an error's text comes the same way as a log
  const auto response = client(Patience::Log).stream(request("GET", target), [&](std::string_view bytes) {
    if (head.size() < kMessageBytesMax) head += bytes.substr(0, kMessageBytesMax - head.size());
    return on_bytes(bytes);
  });
  if (!response) return std::unexpected(response.error());
  if (!is_success(response->status)) return refusal(response->status, head);
  return {};
}

}  // namespace stoker::agent
