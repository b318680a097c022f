// GetLogEvents: one stream, a page at a time, in both directions.
#include "aws/logs/logs.h"
#include "base/text.h"

namespace stoker::aws {
namespace {

constexpr std::size_t kEventsMax = 10'000;           // [M]
constexpr std::size_t kResponseBytesMax = 1u << 20;  // what a page of CloudWatch Logs holds

// A token says where to go on and in which direction, so that a reader can turn round.
struct Token {
  bool forward = true;
  joblog::Position at;

  static Result<Token> parse(std::string_view text) {
    const auto at = text.size() > 4 && text.ends_with("/s")
                        ? joblog::Position::parse(text.substr(2, text.size() - 4))
                        : std::nullopt;
    if (!at || !(text.starts_with("f/") || text.starts_with("b/"))) {
      return fail(Code::InvalidArgument, "The specified nextToken is invalid.");
    }
    return Token{text.front() == 'f', *at};
  }
  [[nodiscard]] std::string str() const { return std::string(forward ? "f/" : "b/") + at.str() + "/s"; }
};

struct Query {
  std::string group;
  std::string stream;
  core::RunToken token;
  std::optional<Token> from;
  bool from_head = false;
  Instant start;               // 0: no bound
  std::optional<Instant> end;  // exclusive
  std::size_t limit = kEventsMax;

  static Result<Query> read(const json::Value& input) {
    Query out;
    out.group = TRY(read_group(input));
    out.stream = json::get_string(input, "logStreamName");
    const auto token = token_in(out.stream);
    if (!token) return std::unexpected(no_such_stream());
    out.token = *token;
    if (const auto text = json::get_string(input, "nextToken"); !text.empty())
      out.from = TRY(Token::parse(text));
    out.from_head = json::get_bool(input, "startFromHead");
    out.start = Instant{json::get_int(input, "startTime")};
    if (json::find(input, "endTime") != nullptr) out.end = Instant{json::get_int(input, "endTime")};
    out.limit = static_cast<std::size_t>(json::get_int(input, "limit", kEventsMax));
    return out;
  }
};

// What the state says about the stream, or the error to answer.
std::optional<Error> check_stream(const Query& query, const core::State& state, bool& forgotten) {
  const KnownStream found = find_stream(state, query.token);
  forgotten = found.kind == KnownStream::Kind::Forgotten;
  if (!log_groups(state).contains(query.group)) return no_such_group();
  if (found.kind == KnownStream::Kind::Never) return no_such_stream();
  if (found.kind == KnownStream::Kind::Known &&
      (found.place.group != query.group || found.place.stream != query.stream)) {
    return no_such_stream();
  }
  return std::nullopt;
}

Result<joblog::Page> read_page_of(const Query& query, const joblog::StreamReader& reader) {
  const joblog::ReadLimits limits{.events_max = query.limit, .bytes_max = kResponseBytesMax};
  const bool forward = query.from ? query.from->forward : query.from_head;
  joblog::Page page;
  if (forward) {
    joblog::Position from = query.from ? query.from->at : joblog::Position{};
    if (query.start) from = std::max(from, TRY(reader.at_time(query.start)));
    page = TRY(reader.forward(from, limits));
  } else {
    joblog::Position until = query.from ? query.from->at : TRY(reader.end());
    if (query.end) until = std::min(until, TRY(reader.at_time(*query.end)));
    page = TRY(reader.backward(until, limits));
  }
  return page;
}

// Times never go backwards within a stream, so what lies outside of the bounds is at the ends.
void cut(joblog::Page& page, const Query& query) {
  auto& events = page.events;
  const auto first =
      std::ranges::find_if(events, [&](const joblog::Event& e) { return e.time >= query.start; });
  if (first != events.begin()) {
    page.first = first == events.end() ? page.next : first->at;
    events.erase(events.begin(), first);
  }
  if (!query.end) return;
  const auto last =
      std::ranges::find_if(events, [&](const joblog::Event& e) { return e.time >= *query.end; });
  if (last == events.end()) return;
  page.next = last->at;
  if (last == events.begin()) page.first = last->at;
  events.erase(last, events.end());
}

Result<json::Value> read_events(const Query& query, bool forgotten, joblog::LogStore& store) {
  const joblog::StreamReader reader = store.reader(query.token.str());
  if (forgotten && TRY(reader.end()) == joblog::Position{}) return std::unexpected(no_such_stream());
  joblog::Page page = TRY(read_page_of(query, reader));
  cut(page, query);
  json::Array events;
  events.reserve(page.events.size());
  for (const joblog::Event& event : page.events) events.push_back(event_json(event));
  return json::Object{{"events", std::move(events)},
                      {"nextForwardToken", Token{true, page.next}.str()},
                      {"nextBackwardToken", Token{false, page.first}.str()}};
}

}  // namespace

void get_log_events(const Place&, json::Value input, Backend& backend, Completion done) {
  auto query = Query::read(input);
  if (!query) return done(std::unexpected(query.error()));
  struct Found {
    std::optional<Error> error;
    bool forgotten = false;
  };
  auto shared = std::make_shared<const Query>(std::move(*query));
  auto look = [shared](const core::State& state, Instant) {
    Found found;
    found.error = check_stream(*shared, state, found.forgotten);
    return found;
  };
  auto then = [shared, &backend, done = std::move(done)](Found found) mutable {
    if (found.error) return done(std::unexpected(std::move(*found.error)));
    backend.read_logs([shared, forgotten = found.forgotten, done = std::move(done)](
                          joblog::LogStore& store) mutable { done(read_events(*shared, forgotten, store)); });
  };
  read_state<Found>(backend, std::move(look), std::move(then));
}

}  // namespace stoker::aws
