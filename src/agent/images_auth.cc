#include "agent/images_auth.h"

#include <cstdlib>

#include "base/text.h"
#include "json/json.h"
#include "rt/file.h"
#include "rt/subprocess.h"

namespace stoker::agent {
namespace {

constexpr std::size_t kAuthFileBytesMax = 4u << 20;
constexpr Duration kHelperMost = seconds(30);
// The key under which docker has always kept its own registry.
constexpr std::string_view kDockerHubKey = "https://index.docker.io/v1/";

struct Credentials {
  std::string username;
  std::string password;
  std::string identity_token;
};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// RFC 4648 section 5, as the header's readers expect, with padding.
std::string base64_url(std::string_view bytes) {
  std::string out = base64_encode(bytes);
  for (char& c : out) {
    if (c == '+') c = '-';
    if (c == '/') c = '_';
  }
  return out;
}

std::string header_value(const ImageReference& image, const Credentials& credentials) {
  json::Object body;
  if (!credentials.identity_token.empty()) {
    body["identitytoken"] = credentials.identity_token;
  } else {
    body["username"] = credentials.username;
    body["password"] = credentials.password;
  }
  body["serveraddress"] = image.registry == kDockerHub ? std::string(kDockerHubKey) : image.registry;
  return base64_url(json::write(body));
}

// Keys that stand for the image, the most exact first: host/a/b/c, host/a/b, host/a, host.
std::vector<std::string> keys_of(const ImageReference& image) {
  std::vector<std::string> keys;
  std::string key = image.registry + "/" + image.path;
  for (;;) {
    keys.push_back(key);
    const auto slash = key.rfind('/');
    if (slash == std::string::npos) break;
    key.resize(slash);
  }
  if (image.registry == kDockerHub) {
    keys.emplace_back(kDockerHubKey);
    keys.emplace_back("index.docker.io");
  }
  return keys;
}

// Old entries are written as addresses: "https://host/v1/".
std::string_view normalized(std::string_view key) {
  if (key == kDockerHubKey) return key;
  for (const std::string_view scheme : {"https://", "http://"})
    if (key.starts_with(scheme)) {
      key.remove_prefix(scheme.size());
      key = key.substr(0, key.find('/'));
    }
  while (key.ends_with('/')) key.remove_suffix(1);
  return key;
}

const json::Value* entry_for(const json::Object& entries, std::string_view wanted) {
  for (const auto& [key, value] : entries)
    if (normalized(std::string_view(key)) == wanted) return &value;
  return nullptr;
}

std::optional<Credentials> read_entry(const json::Value& entry) {
  Credentials out;
  out.identity_token = json::get_string(entry, "identitytoken");
  out.username = json::get_string(entry, "username");
  out.password = json::get_string(entry, "password");
  if (const auto decoded = base64_decode(json::get_string(entry, "auth")); decoded && !decoded->empty()) {
    const auto colon = decoded->find(':');
    if (colon == std::string::npos) return std::nullopt;
    out.username = decoded->substr(0, colon);
    out.password = decoded->substr(colon + 1);
  }
  // Docker pads the password with zero bytes in old files.
  while (out.password.ends_with('\0')) out.password.pop_back();
  if (out.username.empty() && out.identity_token.empty()) return std::nullopt;
  return out;
}

bool is_helper_name(std::string_view name) {
  if (name.empty() || name.front() == '.') return false;
  for (const char c : name)
    if ((c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' &&
        c != '.')
      return false;
  return true;
}

// The protocol of docker-credential-helpers: the server's address on standard input, JSON on standard output.
// A helper that does not know the server ends with 1: nothing then.
Result<std::optional<Credentials>> ask_helper(std::string_view name, std::string_view server) {
  if (!is_helper_name(name))
    return fail(Code::InvalidArgument, "no name of a credential helper: " + to_valid_utf8(name));
  auto pipe = TRY(rt::make_pipe());
  TRY(rt::write_all(pipe.write.get(), std::string(server) + "\n"));  // far less than a pipe holds
  pipe.write.reset();
  rt::Spawn spawn;
  spawn.argv = {"docker-credential-" + std::string(name), "get"};
  spawn.input = pipe.read.get();
  const auto captured = TRY(rt::capture(std::move(spawn), {.most = kHelperMost}));
  if (!captured.exit.success()) {
    if (captured.output.find("credentials not found") != std::string::npos) return std::nullopt;
    return fail(Code::Io, "docker-credential-" + std::string(name) + " failed");
  }
  const auto answer = json::parse(captured.output);
  if (!answer) return fail(Code::Io, "docker-credential-" + std::string(name) + " answered with no JSON");
  Credentials out;
  out.username = json::get_string(*answer, "Username");
  out.password = json::get_string(*answer, "Secret");
  if (out.username == "<token>") out.identity_token = std::exchange(out.password, {});
  if (out.username.empty()) return std::nullopt;
  return out;
}

Result<std::optional<Credentials>> look_in(const json::Value& file, const ImageReference& image) {
  const auto& helpers = json::get_object(file, "credHelpers");
  const auto& entries = json::get_object(file, "auths");
  for (const auto& key : keys_of(image)) {
    if (const auto* helper = entry_for(helpers, key)) return ask_helper(json::text(*helper), key);
    if (const auto* entry = entry_for(entries, key))
      if (auto found = read_entry(*entry)) return found;
  }
  const auto store = json::get_string(file, "credsStore");
  if (store.empty()) return std::nullopt;
  return ask_helper(store, image.registry == kDockerHub ? kDockerHubKey : std::string_view(image.registry));
}

}  // namespace

std::vector<std::string> auth_files() {
  std::vector<std::string> out;
  const auto add = [&](const std::string& folder, const std::string& rest) {
    if (!folder.empty()) out.push_back(folder + rest);
  };
  add(variable("REGISTRY_AUTH_FILE"), "");
  add(variable("XDG_RUNTIME_DIR"), "/containers/auth.json");
  const auto config = variable("XDG_CONFIG_HOME");
  add(config.empty() ? variable("HOME") : config,
      config.empty() ? "/.config/containers/auth.json" : "/containers/auth.json");
  add(variable("DOCKER_CONFIG"), "/config.json");
  add(variable("HOME"), "/.docker/config.json");
  return out;
}

Result<std::string> registry_auth(const ImageReference& image, const std::vector<std::string>& files) {
  for (const auto& path : files) {
    const auto text = rt::read_file(path, kAuthFileBytesMax);
    if (!text && text.error().code == Code::NotFound) continue;
    if (!text) return std::unexpected(text.error());
    const auto file = json::parse(*text);
    if (!file) return fail(Code::Io, path + " is no JSON");
    if (const auto found = TRY(look_in(*file, image))) return header_value(image, *found);
  }
  return std::string();
}

}  // namespace stoker::agent
