// The HTTP client of http.h on libcurl. One easy handle keeps the connection; it is driven by a multi handle,
// which can be woken from another thread.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <curl/curl.h>

#include "base/text.h"
#include "net/http.h"

namespace stoker::net {
namespace {

constexpr int kPollMs = 10'000;            // between looks even if nothing happens
constexpr std::size_t kHeadersMax = 1000;  // of an answer; curl itself bounds their bytes
constexpr long kKeepIdleSeconds = 30;      // TCP keep-alive: a stream whose peer has vanished ends

using OnData = std::function<bool(std::string_view)>;

// What the callbacks of one exchange fill.
struct Exchange {
  Response response;
  const OnData* on_data = nullptr;  // nothing: into response.body
  std::size_t bytes_max = 0;
  bool stopped = false;  // on_data said so
  bool too_large = false;
};

std::size_t on_header(char* bytes, std::size_t, std::size_t size, void* user) {
  auto& exchange = *static_cast<Exchange*>(user);
  std::string_view line(bytes, size);
  if (line.starts_with("HTTP/")) {
    // A new answer begins: what came before was 100 Continue or the like.
    exchange.response.headers.clear();
    return size;
  }
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || exchange.response.headers.size() >= kHeadersMax) return size;
  exchange.response.headers.push_back(
      {.name = std::string(line.substr(0, colon)), .value = std::string(trim(line.substr(colon + 1)))});
  return size;
}

std::size_t on_body(char* bytes, std::size_t, std::size_t size, void* user) {
  auto& exchange = *static_cast<Exchange*>(user);
  if (exchange.on_data != nullptr) {
    if ((*exchange.on_data)({bytes, size})) return size;
    exchange.stopped = true;
    return CURL_WRITEFUNC_ERROR;
  }
  if (exchange.response.body.size() + size > exchange.bytes_max) {
    exchange.too_large = true;
    return CURL_WRITEFUNC_ERROR;
  }
  exchange.response.body.append(bytes, size);
  return size;
}

// No line end may get into a header or the request line.
bool is_clean(std::string_view text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos;
}

class HeaderList {
 public:
  HeaderList() = default;
  ~HeaderList() { curl_slist_free_all(list_); }
  HeaderList(const HeaderList&) = delete;
  HeaderList& operator=(const HeaderList&) = delete;

  void add(const std::string& line) { list_ = curl_slist_append(list_, line.c_str()); }
  [[nodiscard]] curl_slist* get() const { return list_; }

 private:
  curl_slist* list_ = nullptr;
};

bool is_loopback(std::string_view base) {
  const auto start = base.find("://");
  if (start == std::string_view::npos) return true;
  const std::string_view host = base.substr(start + 3);
  return host.starts_with("127.") || host.starts_with("localhost") || host.starts_with("[::1]");
}

class CurlClient final : public Client {
 public:
  explicit CurlClient(ClientOptions options);
  ~CurlClient() override;
  CurlClient(const CurlClient&) = delete;
  CurlClient& operator=(const CurlClient&) = delete;

  Result<Response> send(const Request& request) override { return run(request, nullptr); }
  Result<Response> stream(const Request& request, const OnData& on_data) override {
    return run(request, &on_data);
  }
  [[nodiscard]] bool sent_anything() const override { return sent_anything_; }
  void interrupt() override {
    interrupted_ = true;
    curl_multi_wakeup(multi_);
  }

 private:
  Result<Response> run(const Request& request, const OnData* on_data);
  void prepare(const Request& request, const HeaderList& headers, Exchange& exchange);
  // What curl made of it, or nothing when interrupted.
  std::optional<CURLcode> drive();

  template <class Value>
  void set(CURLoption option, Value value) {
    curl_easy_setopt(easy_, option, value);
  }

  const ClientOptions options_;
  std::string unix_path_;
  std::string base_;
  CURL* easy_;
  CURLM* multi_;
  std::atomic<bool> interrupted_{false};
  bool sent_anything_ = false;
  char error_[CURL_ERROR_SIZE] = {};
};

CurlClient::CurlClient(ClientOptions options) : options_(std::move(options)), base_(options_.base) {
  if (base_.starts_with("unix:")) {
    unix_path_ = base_.substr(5);
    base_ = "http://localhost";
  }
  while (base_.ends_with('/')) base_.pop_back();
  easy_ = curl_easy_init();
  multi_ = curl_multi_init();
  // Memory that cannot be had ends the program like everywhere else.
  if (easy_ == nullptr || multi_ == nullptr) throw std::bad_alloc();
}

CurlClient::~CurlClient() {
  curl_easy_cleanup(easy_);
  curl_multi_cleanup(multi_);
}

void CurlClient::prepare(const Request& request, const HeaderList& headers, Exchange& exchange) {
  curl_easy_reset(easy_);  // options only: connections stay
  set(CURLOPT_URL, (base_ + "/").c_str());
  set(CURLOPT_REQUEST_TARGET,
      request.target.c_str());  // as it is: curl would tidy it, and signatures cover it
  if (!unix_path_.empty()) set(CURLOPT_UNIX_SOCKET_PATH, unix_path_.c_str());
  if (!unix_path_.empty() || is_loopback(base_)) set(CURLOPT_PROXY, "");
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_TCP_NODELAY, 1L);
  set(CURLOPT_TCP_KEEPALIVE, 1L);
  set(CURLOPT_TCP_KEEPIDLE, kKeepIdleSeconds);
  set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options_.connect_timeout.ms));
  set(CURLOPT_TIMEOUT_MS, static_cast<long>(options_.timeout.ms));
  if (options_.ca_file) set(CURLOPT_CAINFO, options_.ca_file->c_str());
  set(CURLOPT_ERRORBUFFER, error_);
  set(CURLOPT_HEADERFUNCTION, on_header);
  set(CURLOPT_HEADERDATA, &exchange);
  set(CURLOPT_WRITEFUNCTION, on_body);
  set(CURLOPT_WRITEDATA, &exchange);
  set(CURLOPT_HTTPHEADER, headers.get());
  if (request.method == "HEAD") {
    set(CURLOPT_NOBODY, 1L);
  } else if (request.method != "GET" || !request.body.empty()) {
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    set(CURLOPT_POSTFIELDS, request.body.data());
  }
  set(CURLOPT_CUSTOMREQUEST, request.method.c_str());
  error_[0] = '\0';
}

std::optional<CURLcode> CurlClient::drive() {
  for (;;) {
    if (interrupted_.exchange(false)) return std::nullopt;
    int running = 0;
    if (curl_multi_perform(multi_, &running) != CURLM_OK) return CURLE_FAILED_INIT;
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_, &left))
      if (message->msg == CURLMSG_DONE) return message->data.result;
    curl_multi_poll(multi_, nullptr, 0, kPollMs, nullptr);
  }
}

Result<Response> CurlClient::run(const Request& request, const OnData* on_data) {
  sent_anything_ = false;
  if (!is_clean(request.method) || request.method.empty() || !is_clean(request.target) ||
      !request.target.starts_with('/'))
    return fail(Code::InvalidArgument,
                "no request: method '" + request.method + "', target '" + request.target + "'");
  HeaderList headers;
  for (const Header& header : request.headers) {
    if (!is_clean(header.name) || !is_clean(header.value))
      return fail(Code::InvalidArgument, "a line end in header " + to_valid_utf8(header.name));
    headers.add(header.value.empty() ? header.name + ";" : header.name + ": " + header.value);
  }
  // What curl would add by itself: a wait for "100 Continue" and the type of an HTML form.
  if (request.header("expect").empty()) headers.add("Expect:");
  if (request.header("content-type").empty()) headers.add("Content-Type:");

  Exchange exchange{.response = {}, .on_data = on_data, .bytes_max = options_.response_bytes_max};
  prepare(request, headers, exchange);
  curl_multi_add_handle(multi_, easy_);
  const std::optional<CURLcode> code = drive();
  long status = 0;
  curl_easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
  long bytes_sent = 0;
  curl_easy_getinfo(easy_, CURLINFO_REQUEST_SIZE, &bytes_sent);
  sent_anything_ = bytes_sent > 0;
  curl_multi_remove_handle(multi_, easy_);

  if (!code) return fail(Code::Unavailable, options_.base + ": interrupted");
  if (exchange.too_large)
    return fail(Code::LimitExceeded,
                options_.base + ": an answer of more than " + std::to_string(exchange.bytes_max) + " bytes");
  if (*code != CURLE_OK && !exchange.stopped) {
    const char* text = error_[0] != '\0' ? error_ : curl_easy_strerror(*code);
    return fail(Code::Unavailable, options_.base + ": " + text);
  }
  exchange.response.status = static_cast<int>(status);
  return std::move(exchange.response);
}

}  // namespace

std::unique_ptr<Client> Client::create(ClientOptions options) {
  // Once in the process, before any thread uses curl.
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  return std::make_unique<CurlClient>(std::move(options));
}

}  // namespace stoker::net
